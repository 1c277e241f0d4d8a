import * as assert from "uvu/assert";
import {
  compileNumberFormat,
  decimalMarks,
  thousandsMarks,
} from "../../../engine/expressions/compileNumberFormat.ts";
import { applyFunction } from "../../../plugins/meanings/evaluate.ts";
import * as protocol from "../../../plugins/protocol/index.ts";
import { readNumber, type Thousands } from "../../../plugins/rows/readNumber.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

/** The readers' names of the separators. */
const names: Readonly<Record<string, Thousands>> = {
  "": "none",
  ",": "comma",
  ".": "point",
  " ": "space",
  "'": "apostrophe",
};

const maybe = (random: Random, pieces: readonly string[], share: number): string =>
  random.chance(share) ? random.pick(pieces) : "";

function randomText(random: Random, decimal: string, thousands: string): string {
  const units = [
    "€",
    "$",
    "EUR",
    "USD ",
    "ABC",
    "US$",
    "R$",
    "kr.",
    "zł",
    "%",
    " %",
    " €",
    "EUR€",
    "ABCD$",
    "Rs.",
    "R",
    "د.إ.",
    "٪",
  ];
  const signs = ["-", "+", "\u2212", "- ", "\u2013"];
  const groups = Array.from({ length: 1 + random.below(3) }, (_, at) =>
    String(random.below(1000)).padStart(at === 0 || random.chance(0.1) ? 1 : 3, "0"),
  );
  const separator = random.chance(0.8) ? thousands : random.pick([",", ".", "\u202f", "’", " "]);
  const fraction = random.chance(0.5)
    ? (random.chance(0.9) ? decimal : random.pick([".", ","])) +
      maybe(random, ["5", "25", "005"], 0.9)
    : "";
  const text = [
    maybe(random, [" ", "\t"], 0.1),
    maybe(random, ["("], 0.15),
    maybe(random, signs, 0.2),
    maybe(random, units, 0.25),
    maybe(random, ["("], 0.08),
    maybe(random, [" ", "\u00a0", "\u202f"], 0.1),
    maybe(random, signs, 0.05),
    random.chance(0.95) ? groups.join(separator) : "",
    fraction,
    maybe(random, ["e3", "E-2", "e+400", "e"], 0.1),
    maybe(random, [")"], 0.08),
    maybe(random, ["-", ".-", ",-", "+"], 0.08),
    maybe(random, units, 0.25),
    maybe(random, [")"], 0.1),
    maybe(random, [" "], 0.1),
  ];
  return random.chance(0.9) ? text.join("") : text.join("").replaceAll(/\d/g, arabicDigit);
}

const arabicDigit = (digit: string): string => String.fromCharCode(0x660 + Number(digit));

suite("engine/expressions/compileNumberFormat", (test) => {
  test("the engine, the reference and the readers of files parse numbers with the same marks to the same doubles", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let parsedCount = 0;
      for (let round = 0; round < rounds({ quick: 600, deep: 30_000, soak: 300_000 }); round++) {
        const decimal = random.pick(decimalMarks);
        const thousands = random.pick(thousandsMarks);
        const text = randomText(random, decimal, thousands);
        const label = `${JSON.stringify(text)} with ${JSON.stringify([decimal, thousands])}`;
        const value = compileNumberFormat(decimal, thousands)(text);
        const found = Number.isFinite(value) ? value + 0 : null;
        assert.is(found, applyFunction("parseNumber", [text, decimal, thousands]), label);
        if (decimal === thousands) {
          assert.is(found, null, label);
          continue;
        }
        const unit = protocol.splitNumber(text.trim())?.unit;
        const ofReader = readNumber(text, {
          decimalComma: decimal === ",",
          thousands: names[thousands] ?? "none",
          ...(unit !== undefined && { unit }),
        });
        assert.is(found, typeof ofReader === "number" ? ofReader + 0 : null, `reader: ${label}`);
        if (found !== null) parsedCount++;
      }
      assert.ok(parsedCount > rounds({ quick: 70, deep: 3_900 }), `${parsedCount} parsed`);
    });
  });

  test("strings with hundreds of blanks are rejected in linear time", () => {
    const parse = compileNumberFormat(".", "");
    const blanks = " ".repeat(390);
    // With a pattern of cubic time, these strings would take a minute.
    for (let round = 0; round < 500; round++)
      for (const text of [`(${blanks}x5`, `5${blanks}x`, `-$${blanks}x5`]) {
        assert.ok(Number.isNaN(parse(text)));
        assert.is(protocol.splitNumber(text.trim()), undefined);
      }
  });

  test("the engine and the protocol list the same marks", () => {
    assert.equal(decimalMarks, [...protocol.decimalMarks]);
    assert.equal(thousandsMarks, [...protocol.thousandsMarks]);
  });

  test("a string of more than 400 characters is not a number", () => {
    const parse = compileNumberFormat(".", "");
    assert.is(parse(`0.${"0".repeat(397)}1`), 0);
    assert.ok(Number.isNaN(parse(`0.${"0".repeat(398)}1`)));
    assert.is(parse(`${" ".repeat(500)}12`), 12);
  });
});
