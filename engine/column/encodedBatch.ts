import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";

export interface EncodedColumn {
  /**
   * Name of the target column. If the request named no columns: the JSON member, the file's column, or `column_1` for
   * the first cell of a list.
   */
  readonly name: string;
  /** True if there is at least one value and all values are dates without a time. */
  readonly isDate: boolean;
  /** True if all values are null. The type is then `text`, as a guess. */
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
  /** The shared memory that contains all arrays of the batch, if they are in one buffer. A later batch can reuse it. */
  readonly buffer?: SharedArrayBuffer;
}
