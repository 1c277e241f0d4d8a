import {
  dictionarySizeOf,
  packedHierarchy,
  type Batch,
  type BatchColumn,
} from "../../../plugins/protocol/index.ts";

/** Returns the rows of a batch that pass, in order. Returns the batch itself if all rows pass. O(cells). */
export function selectRows(batch: Batch, isKept: (row: number) => boolean): Batch {
  const rows = new Int32Array(batch.rowCount);
  let rowCount = 0;
  for (let row = 0; row < batch.rowCount; row++) if (isKept(row)) rows[rowCount++] = row;
  if (rowCount === batch.rowCount) return batch;
  const kept = rows.subarray(0, rowCount);
  return { rowCount, columns: batch.columns.map((column) => pick(column, kept)) };
}

function pick(column: BatchColumn, rows: Int32Array): BatchColumn {
  if (column.type === "hierarchy") {
    const codes = new Int32Array(rows.length);
    for (let index = 0; index < rows.length; index++) codes[index] = column.codes[rows[index]!]!;
    return column.utf8 ? packedHierarchy(codes, column.utf8) : { ...column, codes };
  }
  const values = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) values[index] = column.values[rows[index]!]!;
  return { ...column, values };
}

/** Returns a function that reads a row's number in a column: NaN for null and for strings. */
export function numberAt(batch: Batch, place: number): (row: number) => number {
  const column = batch.columns[place];
  if (!column || column.type === "hierarchy") return () => Number.NaN;
  const { values } = column;
  return (row) => values[row]!;
}

/**
 * Returns a function that returns the key of a row. Keys are equal if and only if the rows have equal values in the key
 * columns.
 */
export function keysOf(batch: Batch, places: readonly number[]): (row: number) => unknown {
  const cells = places.map((place) => {
    const column = batch.columns[place]!;
    if (column.type !== "hierarchy") return (row: number) => column.values[row]!;
    const { codes, dictionary } = column;
    return (row: number) => (codes[row] === -1 ? null : dictionary[codes[row]!]!);
  });
  const [only] = cells;
  if (cells.length === 1 && only) return only;
  // NaN, which means null, becomes null. A string never equals a number.
  return (row) => JSON.stringify(cells.map((cell) => cell(row)));
}

/** Returns the size of a batch's values in bytes. Each distinct string counts once per batch. */
export function bytesOf({ columns }: Batch): number {
  let sizeBytes = 0;
  for (const column of columns) {
    if (column.type !== "hierarchy") {
      sizeBytes += column.values.byteLength;
      continue;
    }
    sizeBytes += column.codes.byteLength + 2 * dictionarySizeOf(column).textLength;
  }
  return sizeBytes;
}
