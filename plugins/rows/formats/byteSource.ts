import type { Format } from "./formats.ts";

/** The bytes of a file, on disk or at an address. */
export interface ByteSource {
  /** Infinity if the server does not state it. Formats that need random access always have it. */
  readonly sizeBytes: number;
  /** Reads the bytes from `from` to before `to` in chunks; by default the whole file. */
  stream(signal: AbortSignal, from?: number, to?: number): AsyncIterable<Uint8Array>;
  /** Reads the bytes from `from` to before `to`. */
  read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Checks that the file is still the one that was opened.
   * @throws {PluginError} PLUGIN_SOURCE_FAILED if it was replaced or changed
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Where a dataset is: the folder below the account's folder (`main` for that folder itself), and the name. */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A file that an account can reach. */
export interface FoundData extends TableName {
  readonly format: Format;
  /** Bytes at the start of the file from which types are detected, unless the account wants the whole file. */
  readonly sampleBytes: number;
  /** Changes when the file is replaced or written. Undefined if there is no way to know. */
  readonly version: string | undefined;
  readonly place: FoundPlace;
}

/** A file on the host's disk, by a path without symbolic links, or a file whose bytes the host fetches. */
export type FoundPlace =
  | { readonly kind: "local"; readonly path: string; readonly version: string }
  | { readonly kind: "remote"; open(signal: AbortSignal): Promise<ByteSource> };
