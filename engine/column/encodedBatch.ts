import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";

export interface EncodedColumn {
  /**
   * Name of the given column; without given columns the member, the file's column, or `column_1` for the first cell of
   * a list.
   */
  readonly name: string;
  /** Every value is a date without a time, and there is one. */
  readonly isDate: boolean;
  /** No value but null: its type is a guess, text. */
  readonly isEmpty: boolean;
  readonly column: EncodedBatchColumn;
}

/** Equal-length columns. Their buffers are in shared memory, or have no other owner and may be transferred. */
export interface EncodedBatch {
  readonly rowCount: number;
  /** Rows of the file before these; absent where there is none. */
  readonly firstRow?: number;
  readonly columns: readonly EncodedColumn[];
  /** The shared memory in which all of it lies, when it does; used again for a later batch. */
  readonly buffer?: SharedArrayBuffer;
}
