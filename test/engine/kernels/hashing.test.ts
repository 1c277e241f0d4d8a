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

  test("findGroups stops at the maximum number of groups and continues after `rehash`", () => {
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

  /** Replays the appending of pairs, and returns the pairs of each part in order. */
  const appendPlainly = <Pair>(partCount: number, pairs: readonly { part: number; pair: Pair }[]) =>
    Array.from({ length: partCount }, (_, part) =>
      pairs.filter((each) => each.part === part).map(({ pair }) => pair),
    );

  test("scatterKeys appends each pair of group and code to the area of its hash", () => {
    for (const rowCount of rowCounts)
      for (const partBits of [0, 3]) {
        scratch.reset();
        const partCount = 2 ** partBits;
        const groups = Uint32Array.from({ length: rowCount }, () => random.below(40));
        const codes = Uint32Array.from({ length: rowCount }, () => random.below(50));
        const areaRows = rowCount + 1;
        const cursors = scratch.output(4 * partCount, new Uint32Array(partCount));
        const areas = scratch.output(8 * partCount * areaRows);
        const [at, codesAt] = [scratch.place(groups), scratch.place(codes)];
        const seen = scratch.output(8 * 2048, new Uint32Array(2 * 2048));
        scratch.run(() =>
          kernels.scatterKeys(
            at,
            codesAt,
            rowCount,
            7,
            32 - partBits,
            cursors,
            areas,
            areaRows,
            seen,
          ),
        );
        const recent = new Map<number, bigint>();
        const pairs = [...groups].flatMap((group, row) => {
          const key = BigInt(group + 7) + (BigInt(codes[row]) << 32n);
          const slot = mix(key) & 2047;
          const isKnown = recent.get(slot) === key;
          recent.set(slot, key);
          return codes[row] === 0 || isKnown ? [] : [key];
        });
        const expected = appendPlainly(
          partCount,
          pairs.map((pair) => ({ part: partBits === 0 ? 0 : mix(pair) >>> (32 - partBits), pair })),
        );
        assert.deepEqual(
          scratch.words(cursors, partCount),
          expected.map(({ length }) => length),
        );
        expected.forEach((part, index) =>
          assert.deepEqual(scratch.longs(areas + 8 * index * areaRows, part.length), part),
        );
      }
  });

  test("scatterWhole appends each pair of group and whole number as one key", () => {
    for (const rowCount of rowCounts)
      for (const groupBits of [0, 11]) {
        scratch.reset();
        const partCount = 8;
        const base = -(2 ** 52);
        const groups = Uint32Array.from({ length: rowCount }, () =>
          groupBits === 0 ? 0 : random.below(2000),
        );
        const choices = [NaN, 0, -0, base, 2 ** 52 - 2, ...groups];
        const values = Float64Array.from({ length: rowCount }, () => random.pick(choices));
        const areaRows = rowCount + 1;
        const cursors = scratch.output(4 * partCount, new Uint32Array(partCount));
        const areas = scratch.output(8 * partCount * areaRows);
        const [at, valuesAt] = [scratch.place(groups), scratch.place(values)];
        const seen = scratch.output(8 * 2048, new Uint32Array(2 * 2048));
        const addend = groupBits === 0 ? 0 : 5;
        scratch.run(() =>
          kernels.scatterWhole(
            at,
            valuesAt,
            rowCount,
            addend,
            base,
            groupBits,
            29,
            cursors,
            areas,
            areaRows,
            seen,
          ),
        );
        const recent = new Map<number, bigint>();
        const pairs = [...groups].flatMap((group, row) => {
          const value = values[row];
          if (Number.isNaN(value)) return [];
          const key = BigInt(group + addend) + (BigInt(value - base + 1) << BigInt(groupBits));
          const slot = mix(key) & 2047;
          const isKnown = recent.get(slot) === key;
          recent.set(slot, key);
          return isKnown ? [] : [{ part: mix(key) >>> 29, pair: key }];
        });
        appendPlainly(partCount, pairs).forEach((part, index) => {
          assert.deepEqual(scratch.words(cursors + 4 * index, 1), [part.length]);
          assert.deepEqual(scratch.longs(areas + 8 * index * areaRows, part.length), part);
        });
      }
  });

  test("scatterDoubles appends each number with its group, to the area of its hash or of its group", () => {
    for (const rowCount of rowCounts)
      for (const isHashed of [0, 1]) {
        scratch.reset();
        const partCount = 8;
        const groups = Uint32Array.from({ length: rowCount }, () => random.below(57));
        const choices = [NaN, 0, -0, 1.5, Infinity, ...randomDoubles(random, 20)];
        const values = Float64Array.from({ length: rowCount }, () => random.pick(choices));
        const areaRows = rowCount + 1;
        const cursors = scratch.output(4 * partCount, new Uint32Array(partCount));
        const groupAreas = scratch.output(4 * partCount * areaRows);
        const valueAreas = scratch.output(8 * partCount * areaRows);
        const [at, valuesAt] = [scratch.place(groups), scratch.place(values)];
        const seen = scratch.output(16 * 2048, new Uint8Array(16 * 2048).fill(255));
        scratch.run(() =>
          kernels.scatterDoubles(
            at,
            valuesAt,
            rowCount,
            7,
            isHashed,
            isHashed ? 29 : 3,
            cursors,
            groupAreas,
            valueAreas,
            areaRows,
            seen,
          ),
        );
        const bitsOf = (value: number) => new BigUint64Array(Float64Array.of(value + 0).buffer)[0];
        const recent = new Map<number, string>();
        const expected = appendPlainly(
          partCount,
          [...values].flatMap((value, row) => {
            const group = groups[row] + 7;
            const hashed = mix(bitsOf(value));
            const slot = ((hashed + Math.imul(group, 0x9e3779b1)) >>> 0) & 2047;
            const isKnown = isHashed === 1 && recent.get(slot) === `${value + 0} ${group}`;
            recent.set(slot, `${value + 0} ${group}`);
            if (Number.isNaN(value) || isKnown) return [];
            const part = isHashed ? mix(bitsOf(value)) >>> 29 : group >> 3;
            return [{ part, pair: { group, value } }];
          }),
        );
        expected.forEach((part, index) => {
          const from = index * areaRows;
          assert.deepEqual(scratch.words(cursors + 4 * index, 1), [part.length]);
          assert.deepEqual(
            scratch.words(groupAreas + 4 * from, part.length),
            part.map(({ group }) => group),
          );
          assert.deepEqual(
            scratch.doubles(valueAreas + 8 * from, part.length),
            part.map(({ value }) => value),
          );
        });
      }
  });
});

/** The hash of 64-bit keys. */
function mix(key: bigint): number {
  const mask = 2n ** 64n - 1n;
  let mixed = ((key ^ (key >> 33n)) * 0xff51afd7ed558ccdn) & mask;
  mixed = ((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n) & mask;
  return Number((mixed ^ (mixed >> 33n)) & 0xffffffffn);
}
