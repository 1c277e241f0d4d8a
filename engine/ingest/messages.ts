import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";
import type { FilledColumn, IngestRequest } from "../types.ts";

/**
 * A request to a worker to encode bytes. From a file, the worker encodes part `part` and every `partCount`-th part
 * after it. A part is a row group, a piece of a record batch, or a whole compressed record batch.
 */
export interface IngestTask {
  readonly kind: "ingest";
  readonly format: IngestRequest["format"];
  /** The bytes to encode; for JSON, one complete array of rows. */
  readonly bytes: Uint8Array;
  /** The progress of copying the file; absent if it is complete. See `ArrivingBytes`. */
  readonly arrived?: Int32Array;
  /** The columns to read. If absent, all columns are read and their types are detected. */
  readonly columns?: readonly FilledColumn[];
  readonly part: number;
  readonly partCount: number;
  /** Memory to which the first batch may be written: the columns of JSON, or the frame of a sealed batch. */
  readonly buffer?: SharedArrayBuffer;
}

/** A request to a worker to encode bytes and seal the result. */
export interface SealTask extends Omit<IngestTask, "kind"> {
  readonly kind: "seal";
  /**
   * Rows in the table's open row group, which determine where segments end. If the table changes before the batch is
   * applied, the segments must be split, which is slower.
   */
  readonly openRowCount: number;
}

/** The batches that a thread encoded, in order. For a file, these are the batches of the requested parts. */
export interface IngestAnswer<Batch = EncodedBatch> {
  readonly ok: true;
  readonly batches: readonly Batch[];
}

export type SealAnswer = IngestAnswer<SealedFrame>;
