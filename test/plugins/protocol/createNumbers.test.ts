import * as assert from "uvu/assert";
import { createNumbers } from "../../../plugins/protocol/createNumbers.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/createNumbers", (test) => {
  test("collected numbers are returned in order, with and without pauses", async () => {
    for (const length of [0, 1, 64, 65, 65_536, 65_537, 600_000]) {
      const numbers = createNumbers((size) => new Float64Array(size));
      const expected = Float64Array.from({ length }, (_, index) => index * 0.5);
      for (const value of expected) numbers.append(value);
      assert.is(numbers.length, length);
      const isSame = (given: Float64Array) =>
        given.length === length && given.every((value, index) => value === expected[index]);
      assert.ok(isSame(numbers.joined()), String(length));
      let pauses = 0;
      assert.ok(isSame(await numbers.joinedInTurns(async () => void pauses++)), String(length));
      assert.ok(pauses >= Math.floor(length / 65_536 / 8), `${pauses} pauses for ${length}`);
      assert.is(numbers.length, 0);
    }
  });
});
