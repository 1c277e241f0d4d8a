import assert from "node:assert/strict";
import { limitsOf } from "../../../engine/expressions/binLimits.ts";
import { suite } from "../../support/suite.ts";
import {
  openScratch,
  padded,
  randomDoubles,
  randomSelection,
  randomStored,
  rowCounts,
  widths,
} from "./scratch.ts";

suite("engine/kernels/decoding", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const steps = [
    [1, -1],
    [1, 0],
    [86_400_000, 1_600_000_000_000],
    [0.01, 17.3],
    [-3, 2 ** 40],
  ] as const;

  test("`decode` computes exactly bias + stored * scale, and NaN for null", () => {
    for (const width of widths) {
      for (const rowCount of rowCounts) {
        for (const stored of [randomStored(random, rowCount, width), Array(rowCount).fill(0)]) {
          scratch.reset();
          const [scale, bias] = random.pick(steps);
          const values = scratch.stored(stored, width);
          const vector = scratch.output(8 * padded(rowCount));
          scratch.run(() => kernels.decode[width](values, rowCount, scale, bias, vector));
          assert.deepEqual(
            scratch.doubles(vector, rowCount),
            stored.map((value) => (value === 0 ? NaN : bias + value * scale)),
          );
        }
      }
    }
  });

  test("decodeSelected returns the same values as `decode` for the selected rows", () => {
    const rows = 4096;
    for (const width of widths) {
      const stored = randomStored(random, rows, width);
      for (const rowCount of rowCounts) {
        scratch.reset();
        const [scale, bias] = random.pick(steps);
        const positions = randomSelection(random, rowCount);
        const values = scratch.stored(stored, width);
        const selection = scratch.place(new Uint16Array(positions));
        const vector = scratch.output(8 * padded(rowCount));
        scratch.run(() =>
          kernels.decodeSelected[width](values, selection, rowCount, scale, bias, vector),
        );
        assert.deepEqual(
          scratch.doubles(vector, rowCount),
          positions.map((row) => (stored[row] === 0 ? NaN : bias + stored[row] * scale)),
        );
      }
    }
  });

  test("decodeFloat and decodeFloatSelected widen 4-byte floats and copy 8-byte floats", () => {
    for (const width of [4, 8] as const) {
      for (const rowCount of rowCounts) {
        scratch.reset();
        const doubles = randomDoubles(random, 4096);
        const stored = width === 4 ? new Float32Array(doubles) : new Float64Array(doubles);
        const values = scratch.place(stored.subarray(0, rowCount));
        const vector = scratch.output(8 * padded(rowCount));
        scratch.run(() => kernels.decodeFloat[width](values, rowCount, vector));
        assert.deepEqual(scratch.doubles(vector, rowCount), [...stored.subarray(0, rowCount)]);

        const positions = randomSelection(random, rowCount);
        const whole = scratch.place(stored);
        const selection = scratch.place(new Uint16Array(positions));
        scratch.run(() => kernels.decodeFloatSelected[width](whole, selection, rowCount, vector));
        assert.deepEqual(
          scratch.doubles(vector, rowCount),
          positions.map((row) => stored[row]),
        );
      }
    }
  });

  test("`widen` and `widenSelected` convert stored numbers to 32 bits", () => {
    for (const width of widths) {
      const stored = randomStored(random, 4096, width);
      for (const rowCount of rowCounts) {
        scratch.reset();
        const values = scratch.stored(stored.slice(0, rowCount), width);
        const numbers = scratch.output(4 * padded(rowCount));
        scratch.run(() => kernels.widen[width](values, rowCount, numbers));
        assert.deepEqual(scratch.words(numbers, rowCount), stored.slice(0, rowCount));

        const positions = randomSelection(random, rowCount);
        const whole = scratch.stored(stored, width);
        const selection = scratch.place(new Uint16Array(positions));
        scratch.run(() => kernels.widenSelected[width](whole, selection, rowCount, numbers));
        assert.deepEqual(
          scratch.words(numbers, rowCount),
          positions.map((row) => stored[row]),
        );
      }
    }
  });

  test("addVector adds a vector in place, and returns NaN where either value is NaN", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const left = randomDoubles(random, padded(rowCount));
      const right = randomDoubles(random, padded(rowCount));
      const vector = scratch.output(8 * padded(rowCount), new Float64Array(left));
      const other = scratch.place(new Float64Array(right));
      scratch.run(() => kernels.addVector(vector, other, rowCount));
      assert.deepEqual(
        scratch.doubles(vector, rowCount),
        left.slice(0, rowCount).map((value, row) => value + right[row]),
      );
    }
  });

  test("scaleRound rounds to the nearest whole number, and ties to even", () => {
    const nearest = (value: number) => {
      const below = Math.floor(value);
      const isUp = value - below > 0.5 || (value - below === 0.5 && below % 2 !== 0);
      const rounded = isUp ? below + 1 : below;
      return rounded === 0 && (value < 0 || Object.is(value, -0)) ? -0 : rounded;
    };
    for (const rowCount of rowCounts) {
      for (const isInPlace of [false, true]) {
        scratch.reset();
        const factor = random.pick([1, 10, 100, 1e6, 0.5]);
        const doubles = Array.from({ length: padded(rowCount) }, () =>
          random.pick([NaN, 0.5, 1.5, -0.5, -1.5, 0.005, -0, random.below(1e6) / 100]),
        );
        const given = new Float64Array(doubles);
        const vector = isInPlace
          ? scratch.output(given.byteLength, given)
          : scratch.output(given.byteLength);
        const values = isInPlace ? vector : scratch.place(given);
        scratch.run(() => kernels.scaleRound(values, rowCount, factor, vector));
        assert.deepEqual(
          scratch.doubles(vector, rowCount),
          doubles.slice(0, rowCount).map((value) => nearest(value * factor)),
        );
      }
    }
  });

  test("divideVector divides exactly, even in place", () => {
    for (const rowCount of rowCounts) {
      for (const isInPlace of [false, true]) {
        scratch.reset();
        const divisor = random.pick([3, 100, 0.7, 1e6]);
        const given = new Float64Array(randomDoubles(random, padded(rowCount)));
        const vector = isInPlace
          ? scratch.output(given.byteLength, given)
          : scratch.output(given.byteLength);
        const values = isInPlace ? vector : scratch.place(given);
        scratch.run(() => kernels.divideVector(values, rowCount, divisor, vector));
        assert.deepEqual(
          scratch.doubles(vector, rowCount),
          [...given.subarray(0, rowCount)].map((value) => value / divisor),
        );
      }
    }
  });

  for (const name of ["binStarts", "countSteps"] as const)
    test(`${name} is bit-identical to plain code, even in place`, () => {
      for (const rowCount of rowCounts) {
        for (const isInPlace of [false, true]) {
          scratch.reset();
          const first = random.pick([1, 0, -7, 0.1, 2.5, 1e300]);
          const second = random.pick([1, 3, 0.7, 86_400_000, 1e-300]);
          const bin = { width: second, origin: first };
          const { base, step, scale, startOf } = limitsOf(bin);
          const given = new Float64Array(randomDoubles(random, padded(rowCount)));
          const vector = isInPlace
            ? scratch.output(given.byteLength, given)
            : scratch.output(given.byteLength);
          const values = isInPlace ? vector : scratch.place(given);
          scratch.run(() => {
            if (name === "countSteps") kernels.countSteps(values, rowCount, first, second, vector);
            else kernels.binStarts(values, rowCount, second, first, base, step, scale, vector);
          });
          const plain = (value: number) =>
            name === "countSteps" ? (value - first) / second : startOf(value);
          assert.deepEqual(
            scratch.doubles(vector, rowCount),
            [...given.subarray(0, rowCount)].map(plain),
          );
        }
      }
    });

  test("gather returns the double of a table for each stored number", () => {
    for (const width of widths) {
      const table = new Float64Array(randomDoubles(random, Math.min(2 ** (8 * width), 1000)));
      for (const rowCount of rowCounts) {
        scratch.reset();
        const stored = Array.from({ length: rowCount }, () => random.below(table.length));
        const values = scratch.stored(stored, width);
        const tableAt = scratch.place(table);
        const vector = scratch.output(padded(rowCount) * 8);
        scratch.run(() => kernels.gather[width](values, rowCount, tableAt, vector));
        assert.deepEqual(
          scratch.doubles(vector, rowCount),
          stored.map((value) => table[value]),
        );
      }
    }
  });
});
