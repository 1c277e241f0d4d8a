import assert from "node:assert/strict";
import { suite } from "../../support/suite.ts";
import { openScratch, padded, rowCounts } from "./scratch.ts";

suite("engine/kernels/dateParts", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const lengths = [1, 1000, 60_000, 3_600_000, 86_400_000];

  /** Places whole numbers with the magnitude of instants and their shifts, including NaN, and returns their address. */
  const makeRows = (rowCount: number, bound: number) => {
    scratch.reset();
    const given = Float64Array.from({ length: padded(rowCount) }, () =>
      random.chance(0.2) ? NaN : Math.round((random.below(2 ** 31) / 2 ** 30 - 1) * bound),
    );
    const isInPlace = random.chance(0.5);
    const vector = scratch.output(given.byteLength, given);
    const values = isInPlace ? vector : scratch.place(given);
    return { rows: [...given.subarray(0, rowCount)], values, vector };
  };

  test("addSteps adds every step that starts at or before the value, and keeps NaN", () => {
    for (const rowCount of rowCounts) {
      const bound = random.pick([20, 1e13]);
      const { rows, values, vector } = makeRows(rowCount, bound);
      const steps = Array.from({ length: random.below(5) }, () => [
        random.pick([...rows, random.below(bound)]),
        random.pick([3_600_000, -3_600_000, 0]),
      ]).filter(([from]) => !Number.isNaN(from));
      const first = random.pick([0, -7_200_000]);
      const stepsAt = scratch.place(Float64Array.from(steps.flat()));
      scratch.run(() => kernels.addSteps(values, rowCount, first, stepsAt, steps.length, vector));
      const expected = rows.map((value) =>
        steps.reduce((sum, [from, added]) => (value >= from! ? sum + added! : sum), value + first),
      );
      assert.deepEqual(scratch.doubles(vector, rowCount), expected);
    }
  });

  test("placesInCycle returns each value's position in a cycle from the first number on, and keeps NaN", () => {
    for (const rowCount of rowCounts) {
      const { rows, values, vector } = makeRows(rowCount, random.pick([100, 8.64e15]));
      const length = random.pick(lengths);
      const count = random.pick([1, 7, 24, 60, 1000]);
      const shift = random.pick([0, 259_200_000, -1]);
      const first = random.below(2);
      scratch.run(() =>
        kernels.placesInCycle(values, rowCount, shift, length, count, first, vector),
      );
      const expected = rows.map((value) => {
        const passed = Math.floor((value + shift) / length);
        return passed - Math.floor(passed / count) * count + first;
      });
      assert.deepEqual(scratch.doubles(vector, rowCount), expected);
    }
  });

  test("lookupSteps reads the table entry at the value's position, and the first entry for NaN", () => {
    for (const rowCount of rowCounts) {
      const length = random.pick(lengths);
      const { rows, values, vector } = makeRows(rowCount, 40 * length);
      const shift = 41 * length + random.below(length);
      const table = Float64Array.from({ length: 83 }, (_, place) =>
        place === 0 ? NaN : random.below(2 ** 31) / 7,
      );
      const tableAt = scratch.place(table);
      scratch.run(() => kernels.lookupSteps(values, rowCount, shift, length, tableAt, vector));
      const expected = rows.map((value) =>
        Number.isNaN(value) ? NaN : table[Math.floor((value + shift) / length)],
      );
      assert.deepEqual(scratch.doubles(vector, rowCount), expected);
    }
  });
});
