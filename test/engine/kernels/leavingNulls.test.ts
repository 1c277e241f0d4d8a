import assert from "node:assert/strict";
import { fewGroups, fewBlockRows } from "../../../engine/kernels/kernels.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, rowCounts, widths } from "./scratch.ts";

suite("engine/kernels/leavingNulls", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const counts = [...rowCounts, 63, 64, 65, 127, 2049];

  /**
   * Runs a kernel over random group numbers, some of them excluded. Asserts that the kernel also excludes the rows with
   * a null, and no other rows.
   */
  const check = (
    rowCount: number,
    place: (isNull: readonly boolean[]) => number,
    leave: (numbers: number, values: number, rowCount: number, to: number) => number,
  ) => {
    scratch.reset();
    const nullShare = random.pick([0, 0.02, 0.5, 1]);
    const isNull = Array.from({ length: rowCount }, () => random.chance(nullShare));
    const groupCount = random.pick([1, 5, fewGroups]);
    const numbers = isNull.map(() =>
      random.chance(0.2) ? 128 + random.below(128) : random.below(groupCount),
    );
    const numbersAt = scratch.stored(numbers, 1);
    const valuesAt = place(isNull);
    const to = scratch.output(Math.ceil(rowCount / fewBlockRows) * fewBlockRows);
    const left = scratch.run(() => leave(numbersAt, valuesAt, rowCount, to));
    let expected = 0;
    scratch.bytes(to, Math.ceil(rowCount / fewBlockRows) * fewBlockRows).forEach((number, row) => {
      if (row >= rowCount || isNull[row] || numbers[row] >= 128) assert.ok(number >= 128);
      else {
        assert.equal(number, numbers[row]);
        expected |= 1 << number;
      }
    });
    assert.equal(left, expected);
  };

  for (const width of widths)
    test(`leaveNulls${width} excludes the rows that contain 0, and returns the remaining groups as bits`, () => {
      const most = 2 ** (8 * width);
      for (const rowCount of counts)
        check(
          rowCount,
          (isNull) =>
            scratch.stored(
              isNull.map((each) =>
                each
                  ? 0
                  : random.pick([1, most - 1, most / 2, most / 256, 1 + random.below(most - 1)]),
              ),
              width,
            ),
          kernels.leaveNulls[width],
        );
    });

  for (const width of [4, 8] as const)
    test(`leaveNullFloats${width} excludes the rows that contain NaN, and returns the remaining groups as bits`, () => {
      for (const rowCount of counts)
        check(
          rowCount,
          (isNull) => {
            const values = isNull.map((each) =>
              each ? NaN : random.pick([0, -0, 1e30, -1e-30, random.below(1000) / 8]),
            );
            return scratch.place(
              width === 4 ? Float32Array.from(values) : Float64Array.from(values),
            );
          },
          kernels.leaveNullFloats[width],
        );
    });
});
