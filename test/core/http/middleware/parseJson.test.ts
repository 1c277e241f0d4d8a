import * as assert from "uvu/assert";
import { parseJson } from "../../../../core/http/middleware/parseJson.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const encode = (text: string) => new TextEncoder().encode(text);

suite("core/http/middleware/parseJson", (test) => {
  const seed = Number(process.env["SEED"] ?? 20261122);
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const value = (budget: number): unknown => {
    const kind = random();
    if (budget === 0 || kind < 0.3)
      return pick([0, -1.5e-7, true, null, "", "[,]{:}", 'a"\\,\u0000', "日本😀", "x".repeat(30)]);
    const children = Array.from({ length: Math.floor(random() * 5) }, () => value(budget - 1));
    if (kind < 0.65) return children;
    const names = ["a", "b", "7", "__proto__", 'n"],', "é", "constructor"];
    return Object.fromEntries(children.map((child) => [pick(names), child]));
  };
  /** Returns the outcome as text, because comparisons of objects fail for members named constructor and __proto__. */
  const outcome = async (run: () => unknown): Promise<string> => {
    try {
      return JSON.stringify(await run());
    } catch {
      return "refused";
    }
  };

  test("parsing a body in slices of any size returns the same value as JSON.parse", async () => {
    for (let round = 0; round < rounds({ quick: 140, deep: 400 }); round++) {
      const text = JSON.stringify(value(6), undefined, pick([undefined, 1]));
      for (const sliceBytes of [1, 7, 40, 1000])
        assert.is(
          JSON.stringify(await parseJson(encode(text), { sliceBytes })),
          JSON.stringify(JSON.parse(text)),
          `seed ${seed}, round ${round}, ${sliceBytes} bytes: ${text}`,
        );
    }
  });

  test("the sliced parser refuses the same bodies as JSON.parse", async () => {
    let refused = 0;
    for (let round = 0; round < rounds({ quick: 1050, deep: 3000 }); round++) {
      const text = JSON.stringify(value(4));
      const place = Math.floor(random() * text.length);
      const put = pick(["", ",", "]", "}", "[", "{", '"', ":", "1", " ", "\\", "\uFEFF", '"a":1,']);
      const after = text.slice(place + pick([0, 1]));
      const spoilt = `${text.slice(0, place)}${put}${after}`.toWellFormed();
      const expected = await outcome(() => JSON.parse(spoilt));
      if (expected === "refused") refused++;
      for (const sliceBytes of [1, 5, 25])
        assert.is(
          await outcome(() => parseJson(encode(spoilt), { sliceBytes })),
          expected,
          `seed ${seed}, round ${round}, ${sliceBytes} bytes: ${spoilt}`,
        );
    }
    assert.ok(
      refused > rounds({ quick: 150, deep: 500 }) && refused < rounds({ quick: 1030, deep: 2900 }),
      `${refused} of 3000 were refused`,
    );
  });

  test("the sliced parser refuses invalid UTF-8, in the first and in later slices", async () => {
    const bytes = encode(`["aaaaaaaa","bbbbbbbb"]`);
    bytes[16] = 0xff;
    assert.is(await outcome(() => parseJson(bytes, { sliceBytes: 4 })), "refused");
  });

  test("the sliced parser yields to other work at least once every two slices", async () => {
    const text = JSON.stringify({ data: Array.from({ length: 2000 }, (_, row) => [row, {}, "x"]) });
    let turns = 0;
    let isDone = false;
    const count = () => {
      if (isDone) return;
      turns++;
      setImmediate(count);
    };
    setImmediate(count);
    const parsed = await parseJson(encode(text), { sliceBytes: 1000 });
    isDone = true;
    assert.equal(parsed, JSON.parse(text));
    assert.ok(turns >= text.length / 2000, `${turns} turns for ${text.length} bytes`);
  });
});
