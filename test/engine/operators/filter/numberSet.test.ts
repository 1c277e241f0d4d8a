import * as assert from "uvu/assert";
import { numberSet } from "../../../../engine/operators/filter/numberSet.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const special = [0, -0, NaN, Infinity, -Infinity, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** 53];

/** Returns a number that is special, small, whole or of any size, so that some numbers occur again. */
function randomNumber(random: Random): number {
  return random.pick([
    () => random.pick(special),
    () => random.below(200) - 100,
    () => random.below(50) * 65_536,
    () => random.below(50) / 7,
    () => random.below(1_000_000) * 1e12,
  ])();
}

suite("engine/operators/filter/numberSet", (test) => {
  test("a number passes exactly if the list contains it", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 60; round++) {
        const numbers = (count: number) =>
          Array.from({ length: count }, () => randomNumber(random));
        const values = new Set(numbers(random.pick([0, 1, 9, 100, 2_000])));
        const rows = [...special, ...numbers(500), ...[...values].slice(0, 50)];
        const offset = random.below(5);
        const f64 = new Float64Array(offset + 2 * rows.length);
        f64.set(rows, offset);
        const memory = { f64, u32: new Uint32Array(f64.buffer), u8: new Uint8Array(f64.buffer) };
        const to = 8 * (offset + rows.length);
        numberSet(values).test(memory, 8 * offset, rows.length, to);
        const found = [...memory.u8.subarray(to, to + rows.length)];
        const expected = rows.map((value) => Number(values.has(value)));
        assert.equal(found, expected, `round ${round}`);
      }
    });
  });
});
