import type { Format } from "./formats.ts";
import type { GivenSettings } from "./settings.ts";

/** The bytes of a file, on disk or at an address. */
export interface ByteSource {
  /**
   * Size of the file. Infinity if the server does not state the size. Formats that need random access always have a
   * size.
   */
  readonly sizeBytes: number;
  /** Reads the bytes from `from` up to but excluding `to`, in chunks. If both are absent, reads the whole file. */
  stream(signal: AbortSignal, from?: number, to?: number): AsyncIterable<Uint8Array>;
  /** Reads the bytes from `from` up to but excluding `to`. */
  read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Checks that the file has not changed since it was opened.
   * @throws {PluginError} PLUGIN_SOURCE_FAILED if the file was replaced or changed
   */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * The location of a dataset: its folder, relative to the account's folder (`main` for that folder itself), and its
 * name.
 */
export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A file that an account can reach. */
export interface FoundData extends TableName {
  /** The settings for reading the file. Absent: those in the properties of the account. */
  readonly settings?: GivenSettings;
  readonly format: Format;
  /**
   * Number of bytes at the start of the file from which types are detected. Ignored if the account's settings require
   * the whole file.
   */
  readonly sampleBytes: number;
  /** A key that changes when the file is replaced or written. Undefined if changes cannot be detected. */
  readonly version: string | undefined;
  readonly place: FoundPlace;
}

/**
 * The location of a file: a path on the host's disk, without symbolic links, or a source of the bytes of a remote file.
 */
export type FoundPlace =
  | { readonly kind: "local"; readonly path: string; readonly version: string }
  | { readonly kind: "remote"; open(signal: AbortSignal): Promise<ByteSource> };
