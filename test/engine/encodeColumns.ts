import { TextBytes } from "../../engine/column/texts/textBytes.ts";
import { TextPool } from "../../engine/column/texts/textPool.ts";
import type { DataType } from "../../engine/index.ts";
import type { EncodedBatch } from "../../engine/column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../engine/column/encodedBatchColumn.ts";

/** A column as plain cells; datetimes are milliseconds. */
export interface PlainColumn {
  readonly name: string;
  readonly type: DataType;
  readonly cells: readonly (number | string | null)[];
}

/** Encodes plain columns of equal length in the way that a worker does. */
export function encodeColumns(columns: readonly PlainColumn[]): EncodedBatch {
  return {
    rowCount: columns[0].cells.length,
    columns: columns.map((column) => ({
      name: column.name,
      isDate: false,
      isEmpty: column.cells.every((cell) => cell === null),
      column: encodeCells(column),
    })),
  };
}

function encodeCells({ type, cells }: PlainColumn): EncodedBatchColumn {
  if (type !== "text")
    return {
      type,
      values: Float64Array.from(cells, (cell) => (cell === null ? NaN : Number(cell))),
    };
  const pool = new TextPool();
  const bytes = new TextBytes();
  const codes = Int32Array.from(cells, (cell) => {
    if (cell === null) return -1;
    const length = bytes.write(String(cell));
    if (!String(cell).isWellFormed()) pool.hasLoneSurrogates = true;
    return pool.intern(bytes.view, 0, length);
  });
  return { type, codes, texts: pool.pack() };
}
