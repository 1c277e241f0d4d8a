import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";
import type { ColumnDefinition } from "../types.ts";

/** A request to a worker to decode JSON. */
export interface DecodeTask {
  readonly kind: "decode";
  /** The JSON: one complete array of rows. */
  readonly bytes: Uint8Array;
  /** The columns of the rows. If absent, all cells are read and their types are detected. */
  readonly columns?: readonly ColumnDefinition[];
  /** Memory that the worker may reuse for the columns. */
  readonly buffer?: SharedArrayBuffer;
  /** The string that begins the digest to compute; see `digestRows`. */
  readonly digestPrefix?: string;
}

/** The values of a column of a batch in shared memory, before the strings are checked and hashed. */
export type SharedColumn = { readonly name: string } & (
  | { readonly type: "number" | "datetime"; readonly values: Float64Array }
  | {
      readonly type: "text";
      readonly codes: Int32Array;
      readonly bytes: Uint8Array;
      readonly ends: Int32Array;
    }
);

/** A request to a worker to check and seal the columns of one batch. */
export interface SealColumnsTask {
  readonly kind: "sealColumns";
  readonly rowCount: number;
  readonly columns: readonly SharedColumn[];
  /**
   * Number of rows in the table's open row group. It determines where segments end. If the table changes before the
   * batch is applied, the segments must be split, which is slower.
   */
  readonly openRowCount: number;
  /** Memory that the worker may reuse for the frame. */
  readonly buffer?: SharedArrayBuffer;
}

/** The rows that a thread decoded. */
export interface DecodeAnswer {
  readonly ok: true;
  readonly batch: EncodedBatch;
  /** The digest, if it was requested. */
  readonly digest?: string;
}

/** The batch that a thread sealed. */
export interface SealAnswer {
  readonly ok: true;
  readonly sealed: SealedFrame;
}
