import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, randomDoubles, rowCounts } from "./scratch.ts";

suite("engine/kernels/buckets", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  test("`bucket` computes floor((value - low) * factor) + 1, clamped, and 0 for NaN", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const low = random.pick([0, -1e6, 5.5]);
      const factor = random.pick([0, 1, 0.013, 77]);
      const bucketCount = random.pick([2, 3, 256, 65_536]);
      const doubles = randomDoubles(random, padded(rowCount)).map((value) =>
        random.chance(0.1) ? random.pick([1e300, -1e300, low, low - 1e-9]) : value,
      );
      const vector = scratch.place(new Float64Array(doubles));
      const buckets = scratch.output(4 * padded(rowCount));
      scratch.run(() => kernels.bucket(vector, rowCount, low, factor, bucketCount, buckets));
      assert.deepEqual(
        scratch.words(buckets, rowCount),
        doubles
          .slice(0, rowCount)
          .map((value) =>
            Number.isNaN(value)
              ? 0
              : Math.max(0, Math.min(Math.floor((value - low) * factor), bucketCount - 2)) + 1,
          ),
      );
    }
  });

  test("foldHistogram counts rows by group and bucket", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const groupCount = random.pick([1, 9]);
      const bucketCount = random.pick([1, 64]);
      const numbers = Array.from({ length: rowCount }, () => random.below(groupCount));
      const buckets = numbers.map(() => random.below(bucketCount));
      const numbersAt = scratch.place(new Uint32Array(numbers));
      const bucketsAt = scratch.place(new Uint32Array(buckets));
      const twin = Uint32Array.from({ length: groupCount * bucketCount }, () => random.below(9));
      const counts = scratch.output(twin.byteLength, twin);
      scratch.run(() => kernels.foldHistogram(numbersAt, bucketsAt, rowCount, counts, bucketCount));
      numbers.forEach((group, row) => {
        twin[group * bucketCount + buckets[row]]++;
      });
      assert.deepEqual(scratch.words(counts, twin.length), [...twin]);
    }
  });

  test("`collect` writes the values of wanted buckets at the cursors of their buckets, in row order", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const groupCount = 5;
      const bucketCount = 8;
      const numbers = Array.from({ length: rowCount }, () => random.below(groupCount));
      const buckets = numbers.map(() => random.below(bucketCount));
      const doubles = numbers.map((_, row) => row + 0.5);
      const cursorCount = 6;
      const wanted = new Uint32Array(groupCount * bucketCount);
      for (let slot = 1; slot <= cursorCount; slot++) wanted[random.below(wanted.length)] = slot;
      const cursors = Uint32Array.from({ length: cursorCount }, (_, slot) => slot * rowCount);
      const numbersAt = scratch.place(new Uint32Array(numbers));
      const bucketsAt = scratch.place(new Uint32Array(buckets));
      const vector = scratch.place(new Float64Array(doubles));
      const wantedAt = scratch.place(wanted);
      const cursorsAt = scratch.output(cursors.byteLength, cursors);
      const out = new Float64Array(cursorCount * rowCount);
      const outAt = scratch.output(out.byteLength, out);
      scratch.run(() =>
        kernels.collect(
          numbersAt,
          bucketsAt,
          vector,
          rowCount,
          wantedAt,
          bucketCount,
          cursorsAt,
          outAt,
        ),
      );
      numbers.forEach((group, row) => {
        const slot = wanted[group * bucketCount + buckets[row]];
        if (slot > 0) out[cursors[slot - 1]++] = doubles[row];
      });
      assert.deepEqual(scratch.words(cursorsAt, cursorCount), [...cursors]);
      assert.deepEqual(scratch.doubles(outAt, out.length), [...out]);
    }
  });
});
