import type { Column, KnownDataset, Query } from "../../protocol/index.ts";
import type { DescribedTable } from "./describeTable.ts";
import type { Format } from "./formats.ts";
import type { SentBatch } from "./sentBatch.ts";
import type { Settings } from "./settings.ts";

/** A file that a reader process can open. */
export interface ReadableFile {
  readonly format: Format;
  /**
   * Number of bytes at the start of the file from which types are detected. Ignored if the account's settings require
   * the whole file.
   */
  readonly sampleBytes: number;
  readonly place: FilePlace;
}

/** The location of a file: one version of a file on the host's disk, or a file whose bytes the host supplies. */
export type FilePlace =
  | { readonly kind: "local"; readonly path: string; readonly version: string }
  | { readonly kind: "remote"; readonly sizeBytes: number };

/** A request to a file reader. */
export type FileRequest =
  | { readonly kind: "describe"; readonly file: ReadableFile; readonly settings: Settings }
  | {
      readonly kind: "read";
      readonly file: ReadableFile;
      readonly settings: Settings;
      /** Name of the sheet in a workbook. */
      readonly sheet?: string;
      /** The columns whose types the caller already knows. */
      readonly known: readonly Column[];
      readonly query: Query;
      readonly dataset?: KnownDataset;
      /** Maximum size of the answer, in bytes. */
      readonly sizeBytes: number;
    };

/** An item of an answer: either all tables of a described file, or some rows of a file. */
export type FileItem =
  | { readonly kind: "tables"; readonly tables: readonly DescribedSheet[] }
  | {
      readonly kind: "rows";
      readonly rows: SentBatch;
      /** The part of the file that has been read, from 0 to 1. Absent if the size of the file is not known. */
      readonly share?: number;
    };

/** A table in a file; `sheet` is set for workbooks. */
export interface DescribedSheet extends DescribedTable {
  readonly sheet?: string;
}

/** A request for bytes that only the host can fetch: a part of the file, or the next chunk of a stream. */
export type FileNeed =
  | { readonly kind: "part"; readonly from: number; readonly to: number }
  | {
      readonly kind: "open";
      readonly streamId: number;
      readonly from?: number;
      readonly to?: number;
    }
  | { readonly kind: "next"; readonly streamId: number }
  | { readonly kind: "close"; readonly streamId: number };

/** The requested bytes. `bytes` is absent at the end of a stream. */
export interface FileSupply {
  readonly bytes?: Uint8Array;
}
