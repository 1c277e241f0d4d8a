import type { BatchColumn } from "./batch.ts";
import type { DataType } from "./dataType.ts";

/** Rows of JSON for a plugin in the host's process to decode. */
export interface EncodedRows {
  /** One JSON array of rows, which are lists of cells. Nobody may change the bytes until `decode` settles. */
  readonly bytes: Uint8Array;
  /** The type of each cell of a row. Absent: the types are detected, and only ISO dates are datetimes. */
  readonly types?: readonly DataType[];
  /** Requests a digest of this string and the rows (see `DecodedRows.digest`). Absent: no digest is computed. */
  readonly digestPrefix?: string;
}

/** A column of decoded rows. */
export interface DecodedColumn {
  /** The values. The dictionary of a hierarchy has a `dictionarySize`, and is created when it is first read. */
  readonly column: BatchColumn;
  /** Whether there is at least one value and all values are dates without a time. */
  readonly isDate: boolean;
  /** Whether all values are null. Without `types`, the column is then a hierarchy. */
  readonly isEmpty: boolean;
}

/** Rows that a plugin has decoded. It stores the columns faster than others if they are passed to `write` unchanged. */
export interface DecodedRows {
  /** Length of every column. */
  readonly rowCount: number;
  /** One column per cell of a row. Empty without rows. */
  readonly columns: readonly DecodedColumn[];
  /**
   * The SHA-256 in Base64 of `digestPrefix` and the rows, each as `JSON.stringify` writes it, followed by a line feed.
   * Absent if it was not requested.
   */
  readonly digest?: string;
  /** Lets the plugin reuse the memory of the columns, which must not be used afterwards. Optional to call. */
  release(): void;
}
