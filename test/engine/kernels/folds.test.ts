import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, randomDoubles, randomStored, rowCounts, widths } from "./scratch.ts";

suite("engine/kernels/folds", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;

  /** A state in one or four copies with initial content, and its equivalent in a plain array. */
  const openState = (groupCount: number, initial: () => number) => {
    const strideBytes = random.pick([16, 32, 48]);
    const copyBytes = random.pick([0, groupCount * strideBytes, groupCount * strideBytes + 192]);
    const doubles = new Float64Array((groupCount * strideBytes + 3 * copyBytes) / 8);
    for (let index = 0; index < doubles.length; index++) doubles[index] = initial();
    return {
      at: scratch.output(doubles.byteLength, doubles),
      twin: doubles,
      strideBytes,
      copyBytes,
      /** Index of the slot of a row's group in plain memory. */
      slot: (row: number, group: number) => ((row % 4) * copyBytes + group * strideBytes) / 8,
    };
  };
  const pickGroups = (rowCount: number) => {
    const groupCount = random.pick([1, 2, 7, 300]);
    const numbers = Array.from({ length: rowCount }, () => random.below(groupCount));
    return { groupCount, numbers, numbersAt: scratch.place(new Uint32Array(numbers)) };
  };
  const wholeDoubles = (rowCount: number) =>
    randomDoubles(random, rowCount).map((value) => (Number.isNaN(value) ? 0.1 : value));

  test("foldRows counts the rows of each group in the copy of the states for the row's position", () => {
    for (const rowCount of [...rowCounts, ...rowCounts]) {
      scratch.reset();
      const { groupCount, numbers, numbersAt } = pickGroups(rowCount);
      const state = openState(groupCount, () => random.below(100));
      scratch.run(() =>
        kernels.foldRows(numbersAt, rowCount, state.at, state.strideBytes, state.copyBytes),
      );
      numbers.forEach((group, row) => state.twin[state.slot(row, group)]++);
      assert.deepEqual(scratch.doubles(state.at, state.twin.length), [...state.twin]);
    }
  });

  test("foldCountSum adds one to the count and the value to the sum, unless the value is null", () => {
    for (const rowCount of [...rowCounts, ...rowCounts]) {
      for (const doubles of [randomDoubles(random, rowCount), Array(rowCount).fill(NaN)]) {
        scratch.reset();
        const { groupCount, numbers, numbersAt } = pickGroups(rowCount);
        const vector = scratch.place(new Float64Array(doubles));
        const state = openState(groupCount, () => 0);
        scratch.run(() =>
          kernels.foldCountSum(
            numbersAt,
            vector,
            rowCount,
            state.at,
            state.strideBytes,
            state.copyBytes,
          ),
        );
        numbers.forEach((group, row) => {
          if (Number.isNaN(doubles[row])) return;
          state.twin[state.slot(row, group)]++;
          state.twin[state.slot(row, group) + 1] += doubles[row];
        });
        assert.deepEqual(scratch.doubles(state.at, state.twin.length), [...state.twin]);
      }
    }
  });

  test("foldPair adds a pair of values to the group of each row", () => {
    for (const rowCount of [...rowCounts, ...rowCounts]) {
      scratch.reset();
      const { groupCount, numbers, numbersAt } = pickGroups(rowCount);
      const lefts = wholeDoubles(rowCount);
      const rights = wholeDoubles(rowCount);
      const left = scratch.place(new Float64Array(lefts));
      const right = scratch.place(new Float64Array(rights));
      const state = openState(groupCount, () => 0);
      scratch.run(() =>
        kernels.foldPair(
          numbersAt,
          left,
          right,
          rowCount,
          state.at,
          state.strideBytes,
          state.copyBytes,
        ),
      );
      numbers.forEach((group, row) => {
        state.twin[state.slot(row, group)] += lefts[row];
        state.twin[state.slot(row, group) + 1] += rights[row];
      });
      assert.deepEqual(scratch.doubles(state.at, state.twin.length), [...state.twin]);
    }
  });

  for (const numberWidth of widths) {
    for (const valueWidth of widths) {
      test(`foldStored${numberWidth}x${valueWidth} adds one to the count and bias + stored * scale to the sum`, () => {
        for (const rowCount of rowCounts) {
          scratch.reset();
          const groupCount = Math.min(300, 2 ** (8 * numberWidth));
          const numbers = Array.from({ length: rowCount }, () => random.below(groupCount));
          const values = randomStored(random, rowCount, valueWidth);
          const numbersAt = scratch.stored(numbers, numberWidth);
          const valuesAt = scratch.stored(values, valueWidth);
          const [scale, bias] = random.pick([
            [1, -1],
            [1, 0],
            [0.01, 0.3],
            [7, 2 ** 40],
          ] as const);
          const state = openState(groupCount, () => 0);
          scratch.run(() =>
            kernels.foldStored[numberWidth][valueWidth](
              numbersAt,
              valuesAt,
              rowCount,
              scale,
              bias,
              state.at,
              state.strideBytes,
              state.copyBytes,
            ),
          );
          numbers.forEach((group, row) => {
            state.twin[state.slot(row, group)]++;
            state.twin[state.slot(row, group) + 1] += bias + values[row] * scale;
          });
          assert.deepEqual(scratch.doubles(state.at, state.twin.length), [...state.twin]);
        }
      });
    }
  }

  test("foldStored accepts 3-byte and 4-byte group numbers above 65,536", () => {
    for (const width of [3, 4] as const) {
      scratch.reset();
      const numbers = [0, 65_536, 70_000, 65_537, 70_000];
      const numbersAt = scratch.stored(numbers, width);
      const values = scratch.stored([1, 2, 3, 4, 5], 1);
      const state = scratch.output(70_001 * 16, new Float64Array(70_001 * 2));
      scratch.run(() => kernels.foldStored[width][1](numbersAt, values, 5, 1, 0, state, 16, 0));
      const twin = new Float64Array(70_001 * 2);
      numbers.forEach((group, row) => {
        twin[2 * group]++;
        twin[2 * group + 1] += row + 1;
      });
      assert.deepEqual(scratch.doubles(state, twin.length), [...twin]);
    }
  });

  test("foldExtent maintains the minimum and the negated maximum, and skips NaN", () => {
    for (const rowCount of [...rowCounts, ...rowCounts]) {
      for (const doubles of [randomDoubles(random, rowCount), Array(rowCount).fill(NaN)]) {
        scratch.reset();
        const { groupCount, numbers, numbersAt } = pickGroups(rowCount);
        const vector = scratch.place(new Float64Array(doubles));
        const state = openState(groupCount, () => Infinity);
        scratch.run(() =>
          kernels.foldExtent(
            numbersAt,
            vector,
            rowCount,
            state.at,
            state.strideBytes,
            state.copyBytes,
          ),
        );
        numbers.forEach((group, row) => {
          const slot = state.slot(row, group);
          if (doubles[row] < state.twin[slot]) state.twin[slot] = doubles[row];
          if (-doubles[row] < state.twin[slot + 1]) state.twin[slot + 1] = -doubles[row];
        });
        assert.deepEqual(scratch.doubles(state.at, state.twin.length), [...state.twin]);
      }
    }
  });

  test("foldVariance computes count, mean and sum of squared deviations with Welford's method", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const { groupCount, numbers, numbersAt } = pickGroups(rowCount);
      const doubles = randomDoubles(random, rowCount);
      const vector = scratch.place(new Float64Array(doubles));
      const twin = new Float64Array(groupCount * 4);
      const state = scratch.output(twin.byteLength, twin);
      scratch.run(() => kernels.foldVariance(numbersAt, vector, rowCount, state, 32));
      numbers.forEach((group, row) => {
        if (Number.isNaN(doubles[row])) return;
        const difference = doubles[row] - twin[4 * group + 1];
        twin[4 * group]++;
        twin[4 * group + 1] += difference / twin[4 * group];
        twin[4 * group + 2] += difference * (doubles[row] - twin[4 * group + 1]);
      });
      assert.deepEqual(scratch.doubles(state, twin.length), [...twin]);
    }
  });

  test("foldCovariance folds the rows in which both numbers are present, with Welford's method", () => {
    for (const rowCount of rowCounts) {
      scratch.reset();
      const { groupCount, numbers, numbersAt } = pickGroups(rowCount);
      const [left, right] = [randomDoubles(random, rowCount), randomDoubles(random, rowCount)];
      const [leftAt, rightAt] = [left, right].map((each) => scratch.place(new Float64Array(each)));
      const twin = new Float64Array(groupCount * 6);
      const state = scratch.output(twin.byteLength, twin);
      scratch.run(() => kernels.foldCovariance(numbersAt, leftAt, rightAt, rowCount, state));
      numbers.forEach((group, row) => {
        const pair = [left[row], right[row]];
        if (pair.some(Number.isNaN)) return;
        const at = 6 * group;
        const before = pair.map((value, side) => value - twin[at + 2 + side]);
        twin[at]++;
        before.forEach((difference, side) => (twin[at + 2 + side] += difference / twin[at]));
        const after = pair.map((value, side) => value - twin[at + 2 + side]);
        twin[at + 1] += before[0] * after[1];
        after.forEach((difference, side) => (twin[at + 4 + side] += before[side] * difference));
      });
      assert.deepEqual(scratch.doubles(state, twin.length), [...twin]);
    }
  });
});
