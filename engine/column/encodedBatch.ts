import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";

export interface EncodedColumn {
  /**
   * Name of the target column. If the request named no columns, this is the name of the JSON member or of the file's
   * column. If the rows are lists of cells, it is `column_1` for the first cell, and so on.
   */
  readonly name: string;
  /** True if there is at least one value and all values are dates without a time. */
  readonly isDate: boolean;
  /** True if all values are null. The type is then unknown and is set to `text`. */
  readonly isEmpty: boolean;
  readonly column: EncodedBatchColumn;
}

/**
 * Columns of equal length. Their buffers are either in shared memory or used only by this batch, so they may be
 * transferred.
 */
export interface EncodedBatch {
  readonly rowCount: number;
  /** Number of rows before this batch in the file; absent if the batch is not from a file. */
  readonly firstRow?: number;
  readonly columns: readonly EncodedColumn[];
  /** The shared buffer that contains all arrays of the batch, if there is only one. A later batch can reuse it. */
  readonly buffer?: SharedArrayBuffer;
}
