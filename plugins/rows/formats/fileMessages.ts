import type { Batch, Column, KnownDataset, Query } from "../../protocol/index.ts";
import type { DescribedTable } from "./describeTable.ts";
import type { Format } from "./formats.ts";
import type { Settings } from "./settings.ts";

/** A file, as a reader process opens it. */
export interface ReadableFile {
  readonly format: Format;
  /** Bytes at its start in which types are looked for, unless the account wants all. */
  readonly sampleBytes: number;
  readonly place: FilePlace;
}

/** A file of the host's disk, of one version; or one whose bytes the host supplies. */
export type FilePlace =
  | { readonly kind: "local"; readonly path: string; readonly version: string }
  | { readonly kind: "remote"; readonly sizeBytes: number };

/** A call of a file reader. */
export type FileRequest =
  | { readonly kind: "describe"; readonly file: ReadableFile; readonly settings: Settings }
  | {
      readonly kind: "read";
      readonly file: ReadableFile;
      readonly settings: Settings;
      /** The sheet of a workbook. */
      readonly sheet?: string;
      /** The columns that the caller knows. */
      readonly known: readonly Column[];
      readonly query: Query;
      readonly dataset?: KnownDataset;
      /** Maximum size of the answer, in bytes. */
      readonly sizeBytes: number;
    };

/** The tables of a described file, in one item; or rows of a read one, in several. */
export type FileItem =
  | { readonly kind: "tables"; readonly tables: readonly DescribedSheet[] }
  | { readonly kind: "rows"; readonly rows: Batch };

/** A table of a file; `sheet` is set in workbooks. */
export interface DescribedSheet extends DescribedTable {
  readonly sheet?: string;
}

/** Bytes of a file that the host holds: a part of it, or the next part of a stream. */
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

/** `bytes` is absent at the end of a stream. */
export interface FileSupply {
  readonly bytes?: Uint8Array;
}
