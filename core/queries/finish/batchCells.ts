import type { Batch, BatchColumn, Cell } from "../../../plugins/protocol/index.ts";
import { visitInSlices } from "./visitInSlices.ts";

/** Returns a column of groups by its index. */
export function columnAt(groups: Batch, index: number): BatchColumn {
  const vector = groups.columns[index];
  if (vector) return vector;
  throw new TypeError(`the groups must have a column ${index}`);
}

/** Returns the number of rows of a column. */
export function lengthOf(vector: BatchColumn): number {
  return vector.type === "hierarchy" ? vector.codes.length : vector.values.length;
}

/**
 * Returns a cell as a number, as milliseconds for an instant, or as a string. On the wire, an instant would be an ISO
 * string.
 */
export function cellAt(vector: BatchColumn, row: number): Cell {
  if (vector.type === "hierarchy") return vector.dictionary[vector.codes[row] ?? -1] ?? null;
  const value = vector.values[row] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

/** Returns a column with `count` more cells. Yields after each short step. */
export function* appendCells(
  vector: BatchColumn,
  count: number,
  cellOf: (row: number) => Cell,
): Generator<undefined, BatchColumn> {
  const from = lengthOf(vector);
  if (vector.type !== "hierarchy") {
    const values = new Float64Array(from + count);
    values.set(vector.values);
    yield* visitInSlices(count, (row) => {
      const cell = cellOf(row);
      values[from + row] = typeof cell === "number" ? cell : Number.NaN;
    });
    return { type: vector.type, values };
  }
  const dictionary: string[] = [];
  const codeOf = new Map<string, number>();
  yield* visitInSlices(vector.dictionary.length, (code) => {
    const text = vector.dictionary[code] ?? "";
    dictionary.push(text);
    codeOf.set(text, code);
  });
  const codes = new Int32Array(from + count);
  codes.set(vector.codes);
  yield* visitInSlices(count, (row) => {
    const cell = cellOf(row);
    if (typeof cell !== "string") {
      codes[from + row] = -1;
      return;
    }
    let code = codeOf.get(cell);
    if (code === undefined) codeOf.set(cell, (code = dictionary.push(cell) - 1));
    codes[from + row] = code;
  });
  return { type: "hierarchy", codes, dictionary };
}
