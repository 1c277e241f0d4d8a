/** The bytes of a file, on a disk or behind an address. */
export interface ByteSource {
  readonly sizeBytes: number;
  /** Reads from the start, part by part. */
  stream(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Reads the bytes from `from` up to, not including, `to`. */
  read(from: number, to: number, signal: AbortSignal): Promise<Uint8Array>;
  /** @throws {PluginError} PLUGIN_SOURCE_FAILED when the file is another than the one that was opened */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** A file that an account reaches. */
export interface FoundData {
  /** The folder below the account's one, `main` for itself; and the name. */
  readonly schema: string;
  readonly name: string;
  /** Differs when the file was replaced or written. */
  readonly version: string;
  open(signal: AbortSignal): Promise<ByteSource>;
}
