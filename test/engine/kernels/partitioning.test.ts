import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, randomDoubles, rowCounts } from "./scratch.ts";

suite("engine/kernels/partitioning", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  test("hashNumbers returns the hash of a number, or of a number and an earlier hash", () => {
    for (const rowCount of rowCounts)
      for (const isFirst of [0, 1] as const) {
        scratch.reset();
        const numbers = Uint32Array.from({ length: padded(rowCount) }, () => random.below(2 ** 32));
        const before = Uint32Array.from({ length: padded(rowCount) }, () => random.below(2 ** 32));
        const at = scratch.place(numbers);
        const hashes = scratch.output(4 * padded(rowCount), before);
        scratch.run(() => kernels.hashNumbers(at, rowCount, hashes, isFirst));
        assert.deepEqual(
          scratch.words(hashes, rowCount),
          Array.from({ length: rowCount }, (_, row) =>
            mix(BigInt(numbers[row]) + (isFirst ? 0n : BigInt(before[row]) << 32n)),
          ),
        );
      }
  });

  test("hashValues returns equal hashes for all zeros and for all NaNs", () => {
    const nans = new Float64Array(new BigUint64Array([0x7ff8000000000000n, 2n ** 64n - 1n]).buffer);
    for (const rowCount of rowCounts)
      for (const isFirst of [0, 1] as const) {
        scratch.reset();
        const choices = [0, -0, ...nans, ...randomDoubles(random, 20)];
        const values = Float64Array.from({ length: rowCount }, () => random.pick(choices));
        const before = Uint32Array.from({ length: padded(rowCount) }, () => random.below(2 ** 32));
        const at = scratch.place(values);
        const hashes = scratch.output(4 * padded(rowCount), before);
        scratch.run(() => kernels.hashValues(at, rowCount, hashes, isFirst));
        const bitsOf = (value: number) =>
          Number.isNaN(value)
            ? 2n ** 64n - 1n
            : new BigUint64Array(Float64Array.of(value + 0).buffer)[0];
        const spread = (row: number) =>
          isFirst ? 0n : (BigInt(before[row]) * 0x9e3779b97f4a7c15n) & (2n ** 64n - 1n);
        assert.deepEqual(
          scratch.words(hashes, rowCount),
          Array.from(values, (value, row) => mix(bitsOf(value) ^ spread(row))),
        );
      }
  });

  test("placeRows fills the open chunk of each part and takes further chunks in turn", () => {
    for (const rowCount of rowCounts)
      for (const partBits of [0, 2]) {
        scratch.reset();
        const partCount = 2 ** partBits;
        const chunkCount = Math.ceil(rowCount / 256) + partCount;
        const hashes = Uint32Array.from({ length: rowCount }, () => random.below(2 ** 32));
        const at = scratch.place(hashes);
        const cursors = scratch.output(4 * partCount, new Uint32Array(partCount));
        const taken = scratch.output(4, new Uint32Array(1));
        const owners = scratch.output(4 * chunkCount, new Uint32Array(chunkCount));
        const places = scratch.output(4 * rowCount);
        const done = scratch.run(() =>
          kernels.placeRows(
            at,
            rowCount,
            32 - partBits,
            cursors,
            taken,
            chunkCount,
            3,
            2,
            owners,
            places,
          ),
        );
        assert.equal(done, rowCount);
        const next = Array.from({ length: partCount }, () => 0);
        const expectedOwners: number[] = [];
        const expected = Array.from(hashes, (hash) => {
          const part = partBits === 0 ? 0 : hash >>> (32 - partBits);
          if (next[part] % 256 === 0) next[part] = (expectedOwners.push(part * 3 + 2) - 1) * 256;
          return next[part]++;
        });
        assert.deepEqual(scratch.words(places, rowCount), expected);
        assert.deepEqual(scratch.words(taken, 1), [expectedOwners.length]);
        assert.deepEqual(scratch.words(owners, expectedOwners.length), expectedOwners);
        assert.deepEqual(scratch.words(cursors, partCount), next);
      }
  });

  test("placeRows stops before a row that needs more chunks than there are", () => {
    scratch.reset();
    const at = scratch.place(new Uint32Array(1000));
    const cursors = scratch.output(4, new Uint32Array(1));
    const taken = scratch.output(4, new Uint32Array(1));
    const owners = scratch.output(4 * 2);
    const places = scratch.output(4 * 1000);
    const done = scratch.run(() =>
      kernels.placeRows(at, 1000, 32, cursors, taken, 2, 1, 0, owners, places),
    );
    assert.equal(done, 512);
    assert.deepEqual(scratch.words(taken, 1), [3]);
  });

  test("scatterNumbers and scatterValues write each value to its place", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const places = Uint32Array.from({ length: rowCount }, (_, row) => rowCount - 1 - row);
      const numbers = Uint32Array.from({ length: rowCount }, () => random.below(2 ** 32));
      const values = new Float64Array(randomDoubles(random, rowCount));
      const placesAt = scratch.place(places);
      const [numbersAt, valuesAt] = [scratch.place(numbers), scratch.place(values)];
      const numberColumn = scratch.output(4 * rowCount);
      const valueColumn = scratch.output(8 * rowCount);
      scratch.run(() => {
        kernels.scatterNumbers(numbersAt, placesAt, rowCount, numberColumn);
        kernels.scatterValues(valuesAt, placesAt, rowCount, valueColumn);
      });
      assert.deepEqual(scratch.words(numberColumn, rowCount), [...numbers].toReversed());
      assert.deepEqual(scratch.doubles(valueColumn, rowCount), [...values].toReversed());
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
