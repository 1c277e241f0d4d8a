import type { PackedTexts } from "../column/packedTexts.ts";
import type { SealedVector } from "../column/sealedVector.ts";
import type { ColumnDefinition } from "../types.ts";

/** What ingested bytes are: rows as one JSON array, an Arrow IPC stream or file, a Parquet file. */
export type IngestFormat = "json" | "arrow" | "parquet";

/** A column of the table, and where its values stand in the bytes. */
export interface IngestColumn extends ColumnDefinition {
  /** Member of JSON objects, or column of a file; `name` when absent. Cells of JSON rows that are lists go by position. */
  readonly source?: string;
}

export type EncodedVector =
  /** NaN is null. Datetimes are whole milliseconds UTC. */
  | { readonly type: "number" | "datetime"; readonly values: Float64Array }
  /** -1 is null. */
  | { readonly type: "text"; readonly codes: Int32Array; readonly texts: PackedTexts };

export interface EncodedColumn {
  /** Name of the given column; without given columns the member, the file's column, or `column_1` for the first cell of a list. */
  readonly name: string;
  /** Every value is a date without a time, and there is one. */
  readonly isDate: boolean;
  /** No value but null: its type is a guess, text. */
  readonly isEmpty: boolean;
  readonly vector: EncodedVector;
}

/** Equal-length columns whose buffers belong to nobody else and may be transferred, or lie in shared memory. */
export interface EncodedBatch {
  readonly rowCount: number;
  /** Rows of the file before these; absent where there is none. */
  readonly firstRow?: number;
  readonly columns: readonly EncodedColumn[];
  /** The shared memory in which all of it lies, when it does; used again for a later batch. */
  readonly room?: SharedArrayBuffer;
}

/** Equal-length columns in the form in which a log keeps them. */
export interface SealedBatch {
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly vector: SealedVector }[];
}

/**
 * A sealed batch as it crosses to the main thread: as its frame in the log, which says all of it. It lies in shared memory,
 * which is used again for a later batch: V8 collects its garbage ever anew for large buffers that come and go.
 */
export interface SealedFrame {
  readonly frame: Uint8Array<SharedArrayBuffer>;
  /** Of each column of texts the hashes of its texts, which no file keeps; in the same buffer. */
  readonly hashes: readonly Int32Array<SharedArrayBuffer>[];
}

/** Asks a worker to encode bytes, or of a file every `partCount`-th part from `part`: a row group, a piece of a record batch, all pieces of a compressed one. */
export interface IngestTask {
  readonly kind: "ingest";
  readonly format: IngestFormat;
  /** Of JSON: one whole array of rows. */
  readonly bytes: Uint8Array;
  /** Of a file that is copied meanwhile, see `ArrivingBytes`. */
  readonly arrived?: Int32Array;
  /** Without them all columns are taken and types are detected. */
  readonly columns?: readonly IngestColumn[];
  readonly part: number;
  readonly partCount: number;
  /** Where the first batch may be written: of JSON the columns, of what is sealed the frame. */
  readonly room?: SharedArrayBuffer;
}

/** Asks a worker to seal what it encodes. */
export interface SealTask extends Omit<IngestTask, "kind"> {
  readonly kind: "seal";
  /** Rows in the row group that the table fills. Segments are cut where it will be full; it may be another one by then, which costs time and changes nothing else. */
  readonly openRowCount: number;
}

/** What a worker found; of a file the batches of the parts that were asked for, in order. */
export interface IngestAnswer<Batch = EncodedBatch> {
  readonly ok: true;
  readonly batches: readonly Batch[];
}

export type SealAnswer = IngestAnswer<SealedFrame>;
