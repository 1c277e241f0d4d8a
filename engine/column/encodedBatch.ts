import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";

export interface EncodedColumn {
  /**
   * Name of the target column. If no columns were given: the JSON member, the file's column, or `column_1` for the
   * first cell of a list.
   */
  readonly name: string;
  /** True when there is at least one value and all values are dates without a time. */
  readonly isDate: boolean;
  /** True when all values are null. The type `text` is then a guess. */
  readonly isEmpty: boolean;
  readonly column: EncodedBatchColumn;
}

/**
 * Columns of equal length. Their buffers are either in shared memory or owned by this batch, so they may be
 * transferred.
 */
export interface EncodedBatch {
  readonly rowCount: number;
  /** Number of rows in the file before this batch; absent when the batch has no file. */
  readonly firstRow?: number;
  readonly columns: readonly EncodedColumn[];
  /** The shared memory that contains all arrays of the batch, if there is one. It can be reused for a later batch. */
  readonly buffer?: SharedArrayBuffer;
}
