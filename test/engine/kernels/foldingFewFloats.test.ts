import assert from "node:assert/strict";
import { fewFloatScratchBytes, fewGroups } from "../../../engine/kernels/kernels.ts";
import { suite } from "../../support/suite.ts";
import { openScratch, randomDoubles, randomSelection } from "./scratch.ts";

suite("engine/kernels/foldingFewFloats", (test) => {
  const scratch = openScratch();
  const { kernels, random } = scratch;
  const selectedCounts = [...Array(21).keys(), 200, 4093, 4095, 4096];
  const vectorRows = 4096;

  /**
   * Numbers of a vector's rows, those of rows that are not selected in no group, and a state whose slots lie anywhere.
   */
  const openRows = (selectedCount: number) => {
    const selection = randomSelection(random, selectedCount);
    const groupCount = random.pick([1, 3, fewGroups]);
    const numbers = new Uint8Array(vectorRows).fill(255);
    for (const row of selection) numbers[row] = random.below(groupCount);
    const places = [...Array(40).keys()];
    while (places.length > fewGroups) places.splice(random.below(places.length), 1);
    if (random.chance(0.5)) places.reverse();
    const copyBytes = random.pick([0, 640, 704]);
    const twin = Float64Array.from({ length: (640 + 3 * copyBytes) / 8 }, () => random.below(9));
    return {
      selection,
      numbersAt: scratch.place(numbers),
      selectionAt: scratch.place(Uint16Array.from(selection)),
      offsetsAt: scratch.place(Uint32Array.from(places, (place) => place * 16)),
      stateAt: scratch.output(twin.byteLength, twin),
      copyBytes,
      twin,
      /** Index of the slot in the twin of the row that is listed at a place. */
      slot: (index: number, row: number) =>
        ((index % 4) * copyBytes) / 8 + places[numbers[row]] * 2,
    };
  };
  const randomValues = (isFloat: boolean) =>
    randomDoubles(random, vectorRows).map((value) => (isFloat ? Math.fround(value) : value));

  for (const width of [4, 8] as const)
    test(`foldFewFloat${width} counts and sums the values of selected rows, in their order, to the bit`, () => {
      for (const selectedCount of selectedCounts)
        for (const isNull of [false, true]) {
          scratch.reset();
          const rows = openRows(selectedCount);
          const values = isNull ? Array<number>(vectorRows).fill(NaN) : randomValues(width === 4);
          const valuesAt = scratch.place(
            width === 4 ? Float32Array.from(values) : Float64Array.from(values),
          );
          const room = scratch.output(fewFloatScratchBytes);
          scratch.run(() =>
            kernels.foldFewFloat[width](
              rows.numbersAt,
              valuesAt,
              rows.selectionAt,
              selectedCount,
              rows.offsetsAt,
              rows.stateAt,
              rows.copyBytes,
              room,
            ),
          );
          rows.selection.forEach((row, index) => {
            if (Number.isNaN(values[row])) return;
            rows.twin[rows.slot(index, row)]++;
            rows.twin[rows.slot(index, row) + 1] += values[row];
          });
          assert.deepEqual(scratch.doubles(rows.stateAt, rows.twin.length), [...rows.twin]);
        }
    });

  test("foldFewPair sums two columns of selected rows, in their order, to the bit", () => {
    for (const selectedCount of selectedCounts) {
      scratch.reset();
      const rows = openRows(selectedCount);
      const [left, right] = [randomValues(false), randomValues(false)].map((values) =>
        values.map((value) => (Number.isNaN(value) ? 0.1 : value)),
      );
      const leftAt = scratch.place(Float64Array.from(left));
      const rightAt = scratch.place(Float64Array.from(right));
      scratch.run(() =>
        kernels.foldFewPair(
          rows.numbersAt,
          leftAt,
          rightAt,
          rows.selectionAt,
          selectedCount,
          rows.offsetsAt,
          rows.stateAt,
          rows.copyBytes,
        ),
      );
      rows.selection.forEach((row, index) => {
        rows.twin[rows.slot(index, row)] += left[row];
        rows.twin[rows.slot(index, row) + 1] += right[row];
      });
      assert.deepEqual(scratch.doubles(rows.stateAt, rows.twin.length), [...rows.twin]);
    }
  });
});
