import type { BufferPool } from "../../memory/bufferPool.ts";

/** Returns the bytes in shared memory, so that several threads can read them without copies. */
export function shareBytes(
  bytes: Uint8Array,
  bufferPool: BufferPool,
): Uint8Array<SharedArrayBuffer> {
  if (isShared(bytes)) return bytes;
  const copy = new Uint8Array(bufferPool.take(bytes.length), 0, bytes.length);
  copy.set(bytes);
  return copy;
}

function isShared(bytes: Uint8Array): bytes is Uint8Array<SharedArrayBuffer> {
  return bytes.buffer instanceof SharedArrayBuffer;
}
