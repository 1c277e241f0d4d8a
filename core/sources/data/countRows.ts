import type { Batch } from "../../../plugins/protocol/index.ts";
import type { Stored } from "../../catalog/index.ts";
import { sizeOfBatch } from "../../queries/index.ts";
import { releaseRows } from "./releaseRows.ts";
import type { Range } from "./measureColumns.ts";

/** The number and size of the rows of a file so far, and the range of each column of numbers or instants. */
export interface RowCount extends Stored {
  /** By index of the column; undefined for strings, and for columns without values so far. */
  readonly ranges: readonly (Range | undefined)[];
}

/** Rows of a file, and the part of the file that has been read, from 0 to 1. */
export interface ReadBatch {
  readonly rows: Batch;
  readonly share: number | undefined;
}

/** Is told about the rows of a file while they are read. A failure ends the reading, and nothing is stored. */
export interface RowNotes {
  /** Called before each batch is passed on. `share` is the part of the file that has been read. */
  note(counted: RowCount, share: number | undefined): Promise<void>;
  /** Called after the last batch, before the rows become visible. */
  end(counted: RowCount): Promise<void>;
}

/** Passes batches on, counts them, and frees each batch when the next one is requested. O(cells). */
export function countRows(
  read: AsyncIterable<ReadBatch>,
  { note, end }: RowNotes,
): { readonly counted: RowCount; readonly batches: AsyncIterable<Batch> } {
  const ranges: (Range | undefined)[] = [];
  let rowCount = 0;
  let byteCount = 0;
  const counted: RowCount = {
    ranges,
    get rows() {
      return rowCount;
    },
    get bytes() {
      return byteCount;
    },
  };
  async function* counting() {
    for await (const { rows, share } of read) {
      if (rows.rowCount === 0) continue;
      rowCount += rows.rowCount;
      byteCount += sizeOfBatch(rows);
      rows.columns.forEach((column, index) => {
        if (column.type !== "hierarchy") ranges[index] = widened(ranges[index], column.values);
      });
      await note(counted, share);
      yield rows;
      releaseRows(rows);
    }
    await end(counted);
  }
  return { counted, batches: counting() };
}

function widened(range: Range | undefined, values: Float64Array): Range | undefined {
  let minimum = range?.minimum ?? Infinity;
  let maximum = range?.maximum ?? -Infinity;
  for (const value of values) {
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return minimum <= maximum ? { minimum, maximum } : undefined;
}
