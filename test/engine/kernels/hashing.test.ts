import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, randomDoubles, rowCounts } from "./scratch.ts";

suite("engine/kernels/hashing", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  test("pairKeys combines two 32-bit numbers into one key", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const lows = Uint32Array.from({ length: padded(rowCount) }, () => random.below(2 ** 32));
      const highs = Uint32Array.from({ length: padded(rowCount) }, () => random.below(2 ** 32));
      const low = scratch.place(lows);
      const high = scratch.place(highs);
      const keys = scratch.output(8 * padded(rowCount));
      scratch.run(() => kernels.pairKeys(low, high, rowCount, keys));
      assert.deepEqual(
        scratch.longs(keys, rowCount),
        Array.from(
          { length: rowCount },
          (_, row) => BigInt(lows[row]) + (BigInt(highs[row]) << 32n),
        ),
      );
    }
  });

  test("doubleKeys returns equal keys for equal doubles, including all zeros and all NaNs", () => {
    const nans = new BigUint64Array([
      0x7ff8000000000000n,
      0xffffffffffffffffn,
      0x7ff0000000000001n,
    ]);
    for (const rowCount of rowCounts) {
      scratch.reset();
      const doubles = new Float64Array(randomDoubles(random, padded(rowCount)));
      const bits = new BigUint64Array(doubles.buffer);
      doubles.forEach((value, row) => {
        if (Number.isNaN(value)) bits[row] = random.pick([...nans]);
        else if (random.chance(0.1)) doubles[row] = random.pick([Infinity, -Infinity]);
      });
      const vector = scratch.place(doubles);
      const keys = scratch.output(8 * padded(rowCount));
      scratch.run(() => kernels.doubleKeys(vector, rowCount, keys));
      const twin = new Float64Array(doubles.map((value) => (value === 0 ? 0 : value)));
      const twinBits = new BigUint64Array(twin.buffer);
      assert.deepEqual(
        scratch.longs(keys, rowCount),
        Array.from({ length: rowCount }, (_, row) =>
          Number.isNaN(twin[row]) ? 2n ** 64n - 1n : twinBits[row],
        ),
      );
    }
  });

  const keySets: Record<string, (index: number) => bigint> = {
    "small numbers": (index) => BigInt(index % 700),
    "only high halves": (index) => BigInt(index % 700) << 32n,
    pairs: (index) => BigInt(index % 31) + (BigInt(index % 29) << 32n),
    doubles: (index) => new BigUint64Array(new Float64Array([index % 500]).buffer)[0],
    "the same key": () => 2n ** 64n - 1n,
  };
  for (const [name, key] of Object.entries(keySets)) {
    test(`findGroups numbers keys in order of first appearance: ${name}`, () => {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const slotCount = 2048;
        const slots = scratch.output(4 * slotCount, new Uint32Array(slotCount));
        const groupKeys = scratch.output(8 * 1000);
        const count = scratch.output(4, new Uint32Array(1));
        const numbers = scratch.output(4 * padded(rowCount));
        const groups = new Map<bigint, number>();
        for (let call = 0; call < 3; call++) {
          const keys = Array.from({ length: rowCount }, () => key(random.below(100_000)));
          const keysAt = scratch.place(new BigUint64Array(keys));
          const done = scratch.run(() =>
            kernels.findGroups(
              keysAt,
              rowCount,
              slots,
              slotCount - 1,
              groupKeys,
              count,
              1000,
              numbers,
            ),
          );
          assert.equal(done, rowCount);
          const expected = keys.map((value) => {
            if (!groups.has(value)) groups.set(value, groups.size);
            return groups.get(value);
          });
          assert.deepEqual(scratch.words(numbers, rowCount), expected);
          assert.deepEqual(scratch.words(count, 1), [groups.size]);
          assert.deepEqual(scratch.longs(groupKeys, groups.size), [...groups.keys()]);
        }
      }
    });
  }

  test("findGroups stops at the maximum number of groups and continues after rehash", () => {
    scratch.reset();
    const keys = Array.from({ length: 4000 }, () => BigInt(random.below(600)) * 0x100000001n);
    const keysAt = scratch.place(new BigUint64Array(keys));
    const groupKeys = scratch.output(8 * 600);
    const count = scratch.output(4, new Uint32Array(1));
    const numbers = scratch.output(4 * padded(keys.length));
    const groups = new Map<bigint, number>();
    const expected = keys.map((value) => {
      if (!groups.has(value)) groups.set(value, groups.size);
      return groups.get(value) as number;
    });
    let done = 0;
    for (const [slotCount, limit] of [
      [16, 8],
      [64, 32],
      [256, 128],
      [2048, 600],
    ] as const) {
      const slots = scratch.output(4 * slotCount, new Uint32Array(slotCount));
      const [known] = scratch.words(count, 1);
      const half = known >> 1;
      for (const [from, to] of [
        [0, half],
        [half, known],
      ])
        scratch.run(() => kernels.rehash(groupKeys, from, to, slots, slotCount - 1));
      done += scratch.run(() =>
        kernels.findGroups(
          keysAt + 8 * done,
          keys.length - done,
          slots,
          slotCount - 1,
          groupKeys,
          count,
          limit,
          numbers + 4 * done,
        ),
      );
      const stop = expected.indexOf(limit);
      assert.equal(done, stop < 0 ? keys.length : stop);
      assert.deepEqual(scratch.words(numbers, done), expected.slice(0, done));
    }
    assert.equal(done, keys.length);
    assert.deepEqual(scratch.longs(groupKeys, groups.size), [...groups.keys()]);
  });
});
