import * as assert from "uvu/assert";
import { jsonErrorPosition } from "../../../../core/operating/transfer/jsonErrorPosition.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

suite("core/operating/transfer/jsonErrorPosition", (test) => {
  test("the position of a JSON syntax error is the line and column of the first unexpected character", () => {
    for (const [text, place] of [
      ['{\n  "a": x\n}', "2:8"],
      ['{\n  "a": 1\n  "b": 2\n}', "3:3"],
      ['{"a": 1,}', "1:9"],
      ['{"a": [1, 2}', "1:12"],
      ['{"a": "b\n"}', "1:7"],
      ["", "1:1"],
      ['{"a": 1', "1:8"],
      ["{} {}", "1:4"],
      ["{'a': 1}", "1:2"],
      ['{"a": 01}', "1:7"],
      ['{"a"; 1}', "1:5"],
      ["<<<<<<< ours", "1:1"],
    ] as const) {
      assert.is(isJson(text), false, text);
      assert.is(jsonErrorPosition(text), place, text);
    }
  });

  test("the position reported for a random change in JSON is never before the changed token", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      const value = (depth: number): unknown => {
        if (depth === 0 || random.chance(0.3))
          return random.pick([1, -2.5e3, 'te"xt\\n', "", true, null, "\u00a0é"]);
        const entries = Array.from({ length: random.below(4) }, () => value(depth - 1));
        return random.chance(0.5)
          ? entries
          : Object.fromEntries(entries.map((entry, index) => [`m${index}`, entry]));
      };
      for (let round = 0; round < 500; round++) {
        const whole = JSON.stringify({ v: value(4) }, null, random.pick([0, 2]));
        const at = random.below(whole.length);
        const broken =
          whole.slice(0, at) +
          random.pick(["", "?", ",", "}", "]", '"', ":"]) +
          whole.slice(at + random.below(2));
        if (isJson(broken)) continue;
        const [line, column] = jsonErrorPosition(broken).split(":").map(Number) as [number, number];
        const lines = broken.split("\n");
        assert.ok(line >= 1 && line <= lines.length, broken);
        assert.ok(column >= 1 && column <= lines[line - 1]!.length + 1, broken);
        const index = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
        // No error precedes the change, because the JSON was valid up to it.
        assert.ok(
          index >= tokenStart(whole, at),
          `${jsonErrorPosition(broken)} in ${broken}, changed at ${at}`,
        );
      }
    });
  });
});

/**
 * Returns the position at which the token that contains a character starts. Errors in a token are reported at that
 * position.
 */
function tokenStart(text: string, at: number): number {
  for (const found of text.matchAll(/"(?:[^"\\]|\\.)*"|[\w.+-]+|./gsu))
    if (found.index + found[0].length >= at) return found.index;
  return at;
}
