import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, rowCounts, widths } from "./scratch.ts";

const numberWidths = [1, 2, 4] as const;

suite("engine/kernels/counting", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  /**
   * Returns rows of a few groups. Their stored values include nulls and fall into fewer than `bucketCount` buckets.
   */
  const makeRows = (rowCount: number, numberWidth: number, width: number) => {
    const groupCount = random.pick([1, 2, 9]);
    const shift = random.pick([0, 1, 5, 11]);
    const bound = Math.min(2 ** (8 * width), 40 * 2 ** shift);
    const isLast = random.chance(0.3);
    const stored = Array.from({ length: rowCount }, () =>
      random.chance(0.2)
        ? 0
        : isLast
          ? 2 ** (8 * width) - 1 - random.below(9)
          : random.below(bound),
    );
    // As in a plan, the least stored number other than 0 falls into bucket 1. The offset may be negative.
    const least = stored.reduce((low, value) => (value > 0 && value < low ? value : low), 2 ** 32);
    const largest = Math.max(0, ...stored);
    const offset = largest === 0 ? 0 : 2 ** shift - least + random.below(3);
    const bucketCount = largest === 0 ? 1 : Math.floor((largest + offset) / 2 ** shift) + 1;
    const stride = random.pick([bucketCount, 3 * bucketCount]);
    const numbers = stored.map(() => random.below(groupCount));
    const bucketOf = (value: number) =>
      value === 0 ? 0 : Math.floor((value + offset) / 2 ** shift);
    return {
      offset,
      shift,
      stride,
      counterCount: groupCount * stride,
      numbersAt: scratch.stored(numbers, numberWidth),
      valuesAt: scratch.stored(stored, width),
      /** The index of each row's counter. */
      places: stored.map((value, row) => numbers[row] * stride + bucketOf(value)),
      sums: stored.map((value) => value + offset),
      isNull: stored.map((value) => value === 0),
    };
  };

  for (const numberWidth of numberWidths)
    for (const width of widths) {
      test(`countStored${numberWidth}x${width} counts rows by group and bucket`, () => {
        for (const rowCount of rowCounts) {
          scratch.reset();
          const rows = makeRows(rowCount, numberWidth, width);
          const twin = Uint32Array.from({ length: rows.counterCount }, () => random.below(9));
          const counts = scratch.output(twin.byteLength, twin);
          scratch.run(() =>
            kernels.countStored[numberWidth][width](
              rows.numbersAt,
              rows.valuesAt,
              rowCount,
              rows.offset,
              rows.shift,
              counts,
              rows.stride,
            ),
          );
          for (const place of rows.places) twin[place]++;
          scratch.check(counts, twin);
        }
      });

      test(`findStored${numberWidth}x${width} lists the rows of wanted buckets in row order`, () => {
        for (const rowCount of rowCounts) {
          scratch.reset();
          const rows = makeRows(rowCount, numberWidth, width);
          const share = random.pick([0, 0.01, 0.3, 1]);
          const wanted = Uint32Array.from({ length: rows.counterCount }, () =>
            random.chance(share) ? 1 + random.below(2 ** 31) : 0,
          );
          const wantedAt = scratch.place(wanted);
          const found = scratch.output(8 * padded(rowCount));
          const foundCount = scratch.run(() =>
            kernels.findStored[numberWidth][width](
              rows.numbersAt,
              rows.valuesAt,
              rowCount,
              rows.offset,
              rows.shift,
              wantedAt,
              rows.stride,
              found,
            ),
          );
          const expected = rows.places.flatMap((place, row) =>
            wanted[place] === 0 ? [] : [wanted[place] - 1, rows.sums[row] >>> 0],
          );
          assert.equal(foundCount, expected.length / 2);
          assert.deepEqual(scratch.words(found, expected.length), expected);
        }
      });
    }

  test("sums that are up to 2^32 - 1 or have negative offsets select the bucket of the exact sum", () => {
    for (const [stored, offset, shift, bucket] of [
      [2 ** 32 - 1, -(2 ** 32) + 33, 5, 1],
      [2 ** 32 - 1, 0, 25, 127],
      [7, 2 ** 31, 26, 32],
      [2 ** 24, -(2 ** 24) + 1, 0, 1],
    ] as const)
      for (const rowCount of [1, 4]) {
        scratch.reset();
        const numbers = scratch.stored(Array<number>(rowCount).fill(0), 1);
        const values = scratch.stored(Array<number>(rowCount).fill(stored), 4);
        const counts = scratch.output(128 * 4, new Uint32Array(128));
        const twin = new Uint32Array(128);
        twin[bucket] = rowCount;
        scratch.run(() =>
          kernels.countStored[1][4](numbers, values, rowCount, offset, shift, counts, 0),
        );
        scratch.check(counts, twin);
      }
  });

  test("countFound counts the listed rows by index and by the low bits that the bucket number lacks", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const shift = random.pick([0, 3, 8]);
      const indexes = Array.from({ length: rowCount }, () => random.below(5));
      const places = indexes.map(() => random.below(2 ** 32));
      const found = scratch.place(
        Uint32Array.from(indexes.flatMap((index, row) => [index, places[row]])),
      );
      const twin = Uint32Array.from({ length: 5 * 2 ** shift }, () => random.below(9));
      const counts = scratch.output(twin.byteLength, twin);
      scratch.run(() => kernels.countFound(found, rowCount, shift, counts));
      indexes.forEach((index, row) => twin[index * 2 ** shift + (places[row] % 2 ** shift)]++);
      scratch.check(counts, twin);
    }
  });

  test("placeFound writes the listed values as doubles at the cursors of their indices", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const base = random.pick([0, -(2 ** 52), 2 ** 51 - 7]);
      const indexes = Array.from({ length: rowCount }, () => random.below(5));
      const places = indexes.map(() => random.below(2 ** 32));
      const found = scratch.place(
        Uint32Array.from(indexes.flatMap((index, row) => [index, places[row]])),
      );
      const cursors = Uint32Array.from({ length: 5 }, (_, index) => index * rowCount);
      const cursorsAt = scratch.output(cursors.byteLength, cursors);
      const twin = new Float64Array(5 * rowCount);
      const out = scratch.output(twin.byteLength, twin);
      scratch.run(() => kernels.placeFound(found, rowCount, base, cursorsAt, out));
      indexes.forEach((index, row) => {
        twin[cursors[index]++] = base + places[row];
      });
      assert.deepEqual(scratch.words(cursorsAt, 5), [...cursors]);
      assert.deepEqual(scratch.doubles(out, twin.length), [...twin]);
    }
  });
});
