import type { Format } from "./formats.ts";

/** The bytes of a file, on a disk or behind an address. */
export interface ByteSource {
  /** Infinity where a server does not say it; formats that are read from any place always have it. */
  readonly sizeBytes: number;
  /** Reads the bytes from `from` up to, not including, `to`, part by part; the whole file without them. */
  stream(signal: AbortSignal, from?: number, to?: number): AsyncIterable<Uint8Array>;
  /** Reads the bytes from `from` up to, not including, `to`. */
  read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array>;
  /** @throws {PluginError} PLUGIN_SOURCE_FAILED when the file is another than the one that was opened */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Where a dataset is: the folder below the account's one, `main` for itself; and the name. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A file that an account reaches. */
export interface FoundData extends TableName {
  readonly format: Format;
  /** Bytes at its start in which types are looked for, unless the account wants all. */
  readonly sampleBytes: number;
  /** Differs when the file was replaced or written; undefined where nothing says so. */
  readonly version: string | undefined;
  readonly place: FoundPlace;
}

/** A file of the host's disk, by a path without symbolic links; or one whose bytes the host gets. */
export type FoundPlace =
  | { readonly kind: "local"; readonly path: string; readonly version: string }
  | { readonly kind: "remote"; open(signal: AbortSignal): Promise<ByteSource> };
