import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";
import type { FilledColumn, IngestRequest } from "../types.ts";

/**
 * Asks a worker to encode bytes, or of a file every `partCount`-th part from `part`: a row group, a piece of a record
 * batch, all pieces of a compressed one.
 */
export interface IngestTask {
  readonly kind: "ingest";
  readonly format: IngestRequest["format"];
  /** Of JSON: one whole array of rows. */
  readonly bytes: Uint8Array;
  /** Present for a file that is still being copied; see `ArrivingBytes`. */
  readonly arrived?: Int32Array;
  /** Without them all columns are taken and types are detected. */
  readonly columns?: readonly FilledColumn[];
  readonly part: number;
  readonly partCount: number;
  /** Where the first batch may be written: of JSON the columns, of what is sealed the frame. */
  readonly buffer?: SharedArrayBuffer;
}

/** Asks a worker to seal what it encodes. */
export interface SealTask extends Omit<IngestTask, "kind"> {
  readonly kind: "seal";
  /**
   * Rows in the row group that the table fills. Segments are cut where it will be full; it may be another one by then,
   * which costs time and changes nothing else.
   */
  readonly openRowCount: number;
}

/** Batches that a thread encoded, in order; for a file, the batches of the requested parts. */
export interface IngestAnswer<Batch = EncodedBatch> {
  readonly ok: true;
  readonly batches: readonly Batch[];
}

export type SealAnswer = IngestAnswer<SealedFrame>;
