import { zstdDecompressSync } from "node:zlib";
import {
  compressionRegistry,
  CompressionType,
  type Data,
  type Field,
  type RecordBatch,
  RecordBatchReader,
  type Schema,
} from "apache-arrow";
import type { ArrowMessage } from "./checkArrow.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { decodeLz4Frame } from "../decode/lz4.ts";
import { unreadableArrow } from "./unreadableArrow.ts";

/** Maximum total bytes of one batch's buffers after decompression. */
const bodyLimit = 2 ** 30;

/** A record batch whose buffers can be read. */
export interface ArrowBatch {
  readonly fields: readonly Field[];
  readonly length: number;
  readonly children: readonly Data[];
}

/** Opens a batch, or only the schema, from its messages. Compressed buffers are decompressed into the memory. */
export function openStreamBatch(
  memory: DecodeMemory,
  bytes: Uint8Array,
  messages: readonly ArrowMessage[],
): ArrowBatch {
  const parts = messages.map(({ start, end }) => bytes.subarray(start, end));
  return decompressingTo(memory, () => {
    const reader = RecordBatchReader.from(parts);
    reader.open({ autoDestroy: false });
    // For a schema without batches, the library returns a batch without rows.
    return opened(reader.schema, reader.next().value);
  });
}

/** Like `openStreamBatch`, for a file, in which all batches share their dictionaries. */
export function openFileBatch(memory: DecodeMemory, bytes: Uint8Array, index: number): ArrowBatch {
  return decompressingTo(memory, () => {
    const reader = RecordBatchReader.from(bytes);
    reader.open({ autoDestroy: false });
    const batch = reader.isFile() && reader.isSync() ? reader.readRecordBatch(index) : undefined;
    return opened(reader.schema, batch);
  });
}

function opened(schema: Schema | undefined, batch: RecordBatch | null | undefined): ArrowBatch {
  if (!schema) throw unreadableArrow("it has no schema");
  return {
    fields: schema.fields,
    length: batch?.numRows ?? 0,
    children: batch?.data.children ?? [],
  };
}

/**
 * Clears the memory, and runs `read` while the library has decompressors that write to it. The buffers of one batch may
 * decompress to at most `bodyLimit` bytes.
 */
function decompressingTo(memory: DecodeMemory, read: () => ArrowBatch): ArrowBatch {
  memory.clear();
  let leftBytes = bodyLimit;
  const spend = (bytes: Uint8Array): Uint8Array => {
    leftBytes -= bytes.length;
    memory.keep();
    return bytes;
  };
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: (bytes) =>
      spend(zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, leftBytes) })),
  });
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (bytes) => spend(decodeLz4Frame(memory, bytes, leftBytes)),
  });
  try {
    return read();
  } finally {
    // The library's registry exists as long as the thread, so decompressors left in it would keep the memory alive.
    compressionRegistry.set(CompressionType.ZSTD, {});
    compressionRegistry.set(CompressionType.LZ4_FRAME, {});
  }
}
