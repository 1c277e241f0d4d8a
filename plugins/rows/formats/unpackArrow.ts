import { AsyncLocalStorage } from "node:async_hooks";
import { zstdDecompressSync } from "node:zlib";
import { compressionRegistry, CompressionType } from "apache-arrow";
import type { UnpackBudget } from "./unpackBudget.ts";
import { unpackLz4Frame } from "./unpackLz4.ts";

/** Bytes before each compressed buffer: its unpacked size. */
const headBytes = 8;

const budgets = new AsyncLocalStorage<UnpackBudget>();

/**
 * Runs a function that reads record batches, whose buffers may be compressed with LZ4 or Zstandard. `budget` counts the
 * declared size of each buffer before the buffer is unpacked. apache-arrow has no codecs of its own, and it looks them
 * up globally, without the file.
 * @throws {Error} for a buffer that does not unpack to its declared size
 */
export function unpackArrow<Result>(
  budget: UnpackBudget,
  run: () => Promise<Result>,
): Promise<Result> {
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decoderOf(unpackLz4Frame) });
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: decoderOf((packed, sizeBytes) =>
      zstdDecompressSync(packed, { maxOutputLength: Math.max(1, sizeBytes) }),
    ),
  });
  return budgets.run(budget, run);
}

type Unpack = (packed: Uint8Array, sizeBytes: number) => Uint8Array;

/** apache-arrow passes the bytes after the declared size, which the same memory contains. */
function decoderOf(unpack: Unpack): (packed: Uint8Array) => Uint8Array {
  return (packed) => {
    const view = new DataView(packed.buffer, packed.byteOffset - headBytes, headBytes);
    const sizeBytes = Number(view.getBigInt64(0, true));
    budgets.getStore()?.take(sizeBytes);
    const unpacked = unpack(packed, sizeBytes);
    if (unpacked.length !== sizeBytes)
      throw new Error(`a buffer declares ${sizeBytes} bytes but has ${unpacked.length}`);
    // Memory of its own begins at a multiple of 8, as apache-arrow requires for numbers.
    return new Uint8Array(unpacked);
  };
}
