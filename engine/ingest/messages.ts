import type { PackedTexts } from "../column/packedTexts.ts";
import type { EngineErrorCode } from "../errors.ts";
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
  | { readonly type: "number" | "datetime"; readonly values: Float64Array<ArrayBuffer> }
  /** -1 is null. */
  | { readonly type: "text"; readonly codes: Int32Array<ArrayBuffer>; readonly texts: PackedTexts };

export interface EncodedColumn {
  /** Name of the given column; without given columns the member, the file's column, or `column_1` for the first cell of a list. */
  readonly name: string;
  /** Every value is a date without a time, and there is one. */
  readonly isDate: boolean;
  /** No value but null: its type is a guess, text. */
  readonly isEmpty: boolean;
  readonly vector: EncodedVector;
}

/** Equal-length columns whose buffers belong to nobody else and may be transferred. */
export interface EncodedBatch {
  readonly rowCount: number;
  readonly columns: readonly EncodedColumn[];
}

/** Asks a worker to encode bytes, or of a file every `partCount`-th batch (row group, piece of a record batch) from `part`. */
export interface IngestTask {
  readonly kind: "ingest";
  readonly format: IngestFormat;
  /** Of JSON: one whole array of rows. */
  readonly bytes: Uint8Array;
  /** Without them all columns are taken and types are detected. */
  readonly columns?: readonly IngestColumn[];
  readonly part: number;
  readonly partCount: number;
}

/** What a worker found; of a file `batches[i]` is the batch `part + i * partCount`. */
export interface IngestAnswer {
  readonly ok: true;
  readonly batches: readonly EncodedBatch[];
}

/** An error that is thrown across a thread loses its code, so a worker returns it. */
export interface IngestFailure {
  readonly ok: false;
  readonly code: EngineErrorCode;
  readonly details: readonly (string | number)[];
}
