import { PluginError } from "../../protocol/index.ts";

/** Counts what a file unpacks to during one call, over all of its parts, pages and sheets. */
export interface UnpackBudget {
  /**
   * Call before memory is allocated for `sizeBytes`, or for values that take that many.
   * @throws {PluginError} PLUGIN_UNREADABLE once the file unpacks to more than it may
   */
  take(sizeBytes: number): void;
  /** Bytes taken so far. */
  readonly takenBytes: number;
}

/** Any file may unpack to this much. */
const freeBytes = 2 ** 26;
/** A larger file may unpack to this many times its size. Tables of people reach 50; gzip can reach 1,032. */
const mostRatio = 200;

/** Creates the budget of one call. `packedBytes` returns how many bytes the file has, as far as that is known. */
export function createUnpackBudget(packedBytes: () => number): UnpackBudget {
  let takenBytes = 0;
  return {
    get takenBytes() {
      return takenBytes;
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
