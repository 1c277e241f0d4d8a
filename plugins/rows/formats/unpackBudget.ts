import { PluginError } from "../../protocol/index.ts";

/** Counts the decompressed bytes of a file during one call, over all of its parts, pages and sheets. */
export interface UnpackBudget {
  /**
   * Counts bytes. Call it before allocating memory for these bytes, or for values of the same size.
   * @throws {PluginError} PLUGIN_UNREADABLE once the file exceeds its limit
   */
  take(sizeBytes: number): void;
  /** Number of bytes counted so far. */
  readonly takenBytes: number;
  /** Whether the file exceeds its limit. Nothing more of it can then be read. */
  readonly isExceeded: boolean;
}

/** Decompressed size in bytes that every file may have, whatever its compressed size. */
const freeBytes = 2 ** 26;
/**
 * Maximum compression ratio of files that exceed that size. Ordinary tables reach a ratio of 50; gzip can reach 1,032.
 */
const mostRatio = 200;

/**
 * Creates the budget of one call. `packedBytes` returns how many compressed bytes of the file are known so far.
 */
export function createUnpackBudget(packedBytes: () => number): UnpackBudget {
  let takenBytes = 0;
  return {
    get takenBytes() {
      return takenBytes;
    },
    get isExceeded() {
      return takenBytes > freeBytes && takenBytes > freeBytes + mostRatio * packedBytes();
    },
    take(sizeBytes) {
      if (!(sizeBytes >= 0)) throw unreadable("it declares a length that is not a number");
      takenBytes += sizeBytes;
      if (takenBytes <= freeBytes) return;
      const packed = packedBytes();
      if (takenBytes <= freeBytes + mostRatio * packed) return;
      throw unreadable(
        `it unpacks from ${packed.toLocaleString("en")} bytes to more than ` +
          `${Math.ceil((freeBytes + mostRatio * packed) / 2 ** 20).toLocaleString("en")} MiB, like a decompression bomb`,
      );
    },
  };
}

function unreadable(detail: string): PluginError {
  return new PluginError("PLUGIN_UNREADABLE", [detail]);
}
