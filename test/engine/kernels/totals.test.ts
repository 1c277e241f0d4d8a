import assert from "node:assert/strict";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, randomDoubles, randomStored, rowCounts, widths } from "./scratch.ts";

/** Returns the sum, which is exact, because the sum of 65,536 numbers of 32 bits stays below 2^53. */
const sumOf = (stored: readonly number[]) => stored.reduce((sum, value) => sum + value, 0);

suite("engine/kernels/totals", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const longer = [
    ...rowCounts,
    1023,
    1024,
    1025,
    ...rounds({ quick: [65_536], deep: [65_535, 65_536] }),
  ];

  test("`total` sums stored numbers exactly and counts the numbers other than 0", () => {
    for (const width of widths) {
      const greatest = 2 ** (8 * width) - 1;
      for (const rowCount of longer) {
        for (const stored of [
          randomStored(random, rowCount, width),
          Array(rowCount).fill(0),
          Array(rowCount).fill(greatest),
        ]) {
          scratch.reset();
          const values = scratch.stored(stored, width);
          const out = scratch.output(16);
          scratch.run(() => kernels.total[width](values, rowCount, out));
          assert.deepEqual(scratch.doubles(out, 2), [
            sumOf(stored),
            stored.filter((value) => value !== 0).length,
          ]);
        }
      }
    }
  });

  test("totalMasked sums and counts the stored numbers whose mask byte is 1", () => {
    for (const width of widths) {
      const greatest = 2 ** (8 * width) - 1;
      for (const rowCount of longer) {
        for (const stored of [
          randomStored(random, rowCount, width),
          Array(rowCount).fill(greatest),
        ]) {
          scratch.reset();
          const share = random.pick([0, 0.01, 0.5, 0.99, 1]);
          const bytes = Uint8Array.from({ length: rowCount }, () => Number(random.chance(share)));
          const values = scratch.stored(stored, width);
          const mask = scratch.place(bytes);
          const out = scratch.output(16);
          scratch.run(() => kernels.totalMasked[width](values, mask, rowCount, out));
          const passing = stored.filter((_, row) => bytes[row] === 1);
          assert.deepEqual(scratch.doubles(out, 2), [
            sumOf(passing),
            passing.filter((value) => value !== 0).length,
          ]);
        }
      }
    }
  });

  test("totalFloat adds up eight running sums in pairs, and counts the values other than NaN", () => {
    for (const width of [4, 8] as const) {
      for (const rowCount of longer) {
        for (const doubles of [randomDoubles(random, rowCount), Array(rowCount).fill(NaN)]) {
          scratch.reset();
          const stored = width === 4 ? new Float32Array(doubles) : new Float64Array(doubles);
          const values = scratch.place(stored);
          const out = scratch.output(16);
          scratch.run(() => kernels.totalFloat[width](values, rowCount, out));
          const sums = Array(8).fill(0);
          stored.forEach((value, row) => {
            if (!Number.isNaN(value)) sums[row % 8] += value;
          });
          const [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
          assert.deepEqual(scratch.doubles(out, 2), [
            s0 + s1 + (s2 + s3) + (s4 + s5 + (s6 + s7)),
            stored.filter((value) => !Number.isNaN(value)).length,
          ]);
        }
      }
    }
  });

  test("`extent` returns the minimum and the negated maximum, or Infinity if there are no values", () => {
    for (const rowCount of longer) {
      for (const doubles of [
        randomDoubles(random, rowCount),
        Array(rowCount).fill(NaN),
        Array.from({ length: rowCount }, (_, row) => (row === rowCount - 1 ? -7.5 : NaN)),
      ]) {
        scratch.reset();
        const vector = scratch.place(new Float64Array(doubles));
        const out = scratch.output(16);
        scratch.run(() => kernels.extent(vector, rowCount, out));
        const least = (values: readonly number[]) =>
          values.reduce((so, value) => (value < so ? value : so), Infinity);
        const expected = [least(doubles), least(doubles.map((value) => -value))];
        // Zeros of both signs are equal.
        assert.deepEqual(
          scratch.doubles(out, 2).map((value) => value + 0),
          expected.map((value) => value + 0),
        );
      }
    }
  });
});
