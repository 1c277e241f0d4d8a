import type { EncodedBatch } from "../column/encodedBatch.ts";
import type { SealedFrame } from "../files/sealedFrame.ts";
import type { FilledColumn, IngestRequest } from "../types.ts";

/**
 * A request to a worker to encode bytes. From a file, it encodes every `partCount`-th part from `part` on: a row group,
 * a piece of a record batch, or all pieces of a compressed one.
 */
export interface IngestTask {
  readonly kind: "ingest";
  readonly format: IngestRequest["format"];
  /** For JSON: one complete array of rows. */
  readonly bytes: Uint8Array;
  /** Present for a file that is still being copied; see `ArrivingBytes`. */
  readonly arrived?: Int32Array;
  /** The columns to read. Without it, all columns are read and their types are detected. */
  readonly columns?: readonly FilledColumn[];
  readonly part: number;
  readonly partCount: number;
  /** Memory that the first batch may be written to: the columns of JSON, or the frame of a sealed batch. */
  readonly buffer?: SharedArrayBuffer;
}

/** A request to a worker to encode bytes and seal the result. */
export interface SealTask extends Omit<IngestTask, "kind"> {
  readonly kind: "seal";
  /**
   * Rows in the table's open row group. Segments end where it will be full. If the table has changed by then, only the
   * speed suffers.
   */
  readonly openRowCount: number;
}

/** The batches that a thread encoded, in order. For a file, these are the batches of the requested parts. */
export interface IngestAnswer<Batch = EncodedBatch> {
  readonly ok: true;
  readonly batches: readonly Batch[];
}

export type SealAnswer = IngestAnswer<SealedFrame>;
