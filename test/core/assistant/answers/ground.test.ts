import * as assert from "uvu/assert";
import { ground } from "../../../../core/assistant/answers/ground.ts";
import { carryOut, parseOperations } from "../../../../core/assistant/answers/operations.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const data = [
  ["AA", "2024-01-01T00:00:00.000Z", 1_234.5, 0.125],
  ["Boeing 737", "2024-04-01T00:00:00.000Z", -42, 0.5],
  ["ünï 9", "2025-10-05T00:00:00.000Z", 2_500_000, null],
] as const;
const names = ["Km 2000"];
const of = (text: string, operations: unknown = [], locale?: string) =>
  ground(text, {
    data,
    operations: parseOperations(operations),
    names,
    dates: ["2023-05-17"],
    locale,
  });

suite("core/assistant/answers/ground", (test) => {
  test("a number in a reply is kept if it equals a cell, even rounded, reformatted, in millions, in percent or with a sign", () => {
    for (const text of [
      "It is 1234.5, or 1,234.5, or 1.234,5, or 1'234.5, or 1 234,5 or 1235.".replaceAll(
        "1 234",
        "1\u202f234",
      ),
      "About 2.5 million, 2,5 Millionen, 2.5M, 2500 thousand or 2.500.000.",
      "It is 1 234,5 with a blank, and 2 500 000 in 2024.",
      "A share of 12.5%, 12,5 Prozent, 13 % or 0.125.",
      "It fell by 42 (-42, \u221242).",
      "١٢٣٤٫٥ and １２３５ are the same.",
      "1.2345e3 too.",
    ])
      assert.equal(of(text), { text, struckCount: 0 });
  });

  test("digits in strings, column names and dates of a reply are kept", () => {
    for (const text of [
      "Boeing 737 and ünï 9 by Km 2000.",
      "In 2024, in Q1 2024, on 2024-04-01, on April 1, 2024 and on October 5.",
      "Since May 17, 2023.",
    ])
      assert.equal(of(text), { text, struckCount: 0 });
    const french = "Le 1 avril 2024 et le 5 oct. 2025.";
    assert.is(of(french, [], "fr").struckCount, 0);
  });

  test("a number in any script or form that matches no cell is struck out of the reply and counted", () => {
    for (const [text, grounded] of [
      ["There are 17 customers.", "There are [?] customers."],
      ["1234.6 and 1,300 and 5%", "[?] and [?] and [?]"],
      ["+42 and -1234.5", "42 and"],
      ["Boeing 738, Boeing 7371", "Boeing [?], Boeing [?]"],
      ["1 235 000 and 1 234 500", "[?] [?] [?] and [?] [?] [?]"],
      ["In 2026, on 2024-04-02", "In [?], on"],
      ["½ of Ⅻ, x² and ٩٩", "[?] of [?], x[?] and [?]"],
      ["2.5 billion", "[?]"],
      ["0.2 million", "[?]"],
      ["42million dollars", "[?] dollars"],
    ] as const) {
      const { text: left, struckCount } = of(text);
      if (grounded.includes("[?]")) {
        assert.ok(struckCount > 0, text);
        if (!grounded.endsWith("on")) assert.is(left, grounded, text);
      }
    }
    assert.ok(of("-1234.5").struckCount === 1, "the sign is wrong");
  });

  test("a computed number in a reply is kept only if the model listed the operation that computes it", () => {
    const claim =
      "The sum is 2,501,192.5, the difference 1,276.5, the mean 833730.83 and the count 3.";
    assert.is(of(claim).struckCount, 4);
    const listed = [
      { operation: "sum", column: 2, rows: [] },
      { operation: "difference", column: 2, rows: [0, 1] },
      { operation: "mean", column: 2, rows: [0, 1, 2] },
      { operation: "count", column: 0, rows: [] },
    ];
    assert.is(of(claim, listed).struckCount, 0);
    assert.is(of("a share of 20%", [{ operation: "share", column: 3, rows: [0] }]).struckCount, 0);
    for (const wrong of [
      [{ operation: "sum", column: 9, rows: [] }],
      [{ operation: "sum", column: 0, rows: [] }],
      [{ operation: "ratio", column: 2, rows: [0, 9] }],
      [{ operation: "difference", column: 2, rows: [] }],
      [{ operation: "constant", column: 2, rows: [0], value: 17 }],
      [{ operation: "sum", column: -1, rows: [] }],
      [{ operation: "sum", column: 2, rows: [0.5] }],
      "sum",
      null,
    ])
      assert.is(of("17", wrong).struckCount, 1, JSON.stringify(wrong));
    assert.is(carryOut({ operation: "ratio", column: 0, rows: [0, 1] }, [[1], [0]]), undefined);
  });

  test("a random number is struck out if and only if no cell rounds to it", async () => {
    const choices = createRandom();
    await withSeed(choices, async () => {
      const random = () => choices.below(2 ** 30) / 2 ** 30;
      const draw = () => (random() - 0.5) * 10 ** Math.floor(random() * 9);
      let keptCount = 0;
      let struckCount = 0;
      for (let round = 0; round < rounds({ quick: 300, deep: 20_000 }); round++) {
        const cells = Array.from({ length: 5 }, () => Math.round(draw() * 100) / 100);
        const cell = cells[Math.floor(random() * 5)]!;
        const decimals = Math.floor(random() * 3);
        const shown = random() < 0.5 ? cell : Math.round(draw() * 100) / 100;
        const locale = ["en", "de", "fr-CH"][Math.floor(random() * 3)]!;
        const written = Math.abs(shown).toLocaleString(locale, {
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
        });
        const { struckCount: struck } = ground(`It is ${written} here.`, {
          data: cells.map((each) => [each]),
          operations: [],
          names: [],
          dates: [],
        });
        const value = Number(
          Math.abs(shown).toLocaleString("en", {
            useGrouping: false,
            minimumFractionDigits: decimals,
            maximumFractionDigits: decimals,
          }),
        );
        const isNear = (one: number, places: number) =>
          cells.some((each) => {
            const distance = Math.abs(Math.abs(each) - one);
            const size = Math.abs(each);
            const most = 0.5 * 10 ** -places * (1 + 1e-9) + size * 4 * Number.EPSILON;
            return distance <= size * 1e-9 || (distance <= most && distance <= size * 0.05);
          });
        // `1.234` can also be read as 1234.
        const isGrounded = isNear(value, decimals) || (decimals === 3 && isNear(value * 1000, 0));
        const other = /^\d{1,3}[.,]\d{3}$/.test(written) && isNear(value / 1000, 3);
        if (isGrounded || other) keptCount++;
        else struckCount++;
        assert.is(struck === 0, isGrounded || other, `${written} of ${cells.join(" ")}`);
      }
      assert.ok(keptCount > 50 && struckCount > 50, `${keptCount} kept, ${struckCount} struck`);
    });
  });
});
