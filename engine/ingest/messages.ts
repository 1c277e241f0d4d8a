import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";
import type { FilledColumn, IngestRequest } from "../types.ts";

/**
 * A request to a worker to encode bytes. If the bytes are a file, the worker encodes part `part` and every
 * `partCount`-th part after it. A part is a row group, a piece of a record batch, or a whole compressed record batch.
 */
export interface IngestTask {
  readonly kind: "ingest";
  readonly format: IngestRequest["format"];
  /** The bytes to encode; for JSON, one complete array of rows. */
  readonly bytes: Uint8Array;
  /** The progress of copying the file; absent if the file has been copied. See `ArrivingBytes`. */
  readonly arrived?: Int32Array;
  /** The columns to read. If absent, all columns are read and their types are detected. */
  readonly columns?: readonly FilledColumn[];
  readonly part: number;
  readonly partCount: number;
  /**
   * Memory that the worker may reuse for the first batch: for the columns of JSON, or for the frame of a sealed batch.
   */
  readonly buffer?: SharedArrayBuffer;
  /** For JSON, the string that begins the digest to compute; see `digestRows`. */
  readonly digestPrefix?: string;
}

/** A request to a worker to encode bytes and seal the result. */
export interface SealTask extends Omit<IngestTask, "kind" | "digestPrefix"> {
  readonly kind: "seal";
  /**
   * Number of rows in the table's open row group. It determines where segments end. If the table changes before the
   * batch is applied, the segments must be split, which is slower.
   */
  readonly openRowCount: number;
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
  /** Number of rows in the table's open row group, as in `SealTask`. */
  readonly openRowCount: number;
  /** Memory that the worker may reuse for the frame. */
  readonly buffer?: SharedArrayBuffer;
}

/**
 * The batches that a thread encoded, in order. If the bytes are a file, these are the batches of the requested parts.
 */
export interface IngestAnswer<Batch = EncodedBatch> {
  readonly ok: true;
  readonly batches: readonly Batch[];
  /** The digest of JSON, if it was requested. */
  readonly digest?: string;
}

export type SealAnswer = IngestAnswer<SealedFrame>;
