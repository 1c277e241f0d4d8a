import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";

export interface EncodedColumn {
  /**
   * Name of the target column. For decoded JSON, this is `column_1` for the first cell of a row, and so on.
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
  readonly columns: readonly EncodedColumn[];
  /** The shared buffer that contains all arrays of the batch, if there is only one. A later batch can reuse it. */
  readonly buffer?: SharedArrayBuffer;
}
