import { findRows, type RowIndex } from "./rowIndex.ts";

/**
 * Finds for each whole number from `minimum` to `maximum` the row of an indexed column that holds it: the row of
 * `minimum + i` is at `i + 1`, and index 0 is null; -1 is none. O(maximum - minimum).
 */
export function rowsByNumber(index: RowIndex, minimum: number, maximum: number): Int32Array {
  const count = maximum >= minimum ? maximum - minimum + 1 : 0;
  const rows = new Int32Array(count + 1);
  rows[0] = -1;
  const values = new Float64Array(count);
  for (let place = 0; place < count; place++) values[place] = minimum + place;
  findRows(index, values, count, rows.subarray(1));
  return rows;
}
