import type { ColumnBuffers } from "./columnBuffers.ts";

/** Minimum size of a buffer. It is enough for most row groups, and pages that are never written cost nothing. */
const leastBytes = 2 ** 24;
/** Buffers larger than this are not kept for the next batch. */
const keptBytes = 2 ** 26;

/**
 * Buffers that a thread reuses for every batch that stays on the thread, because V8 collects garbage too often if large
 * arrays are created and dropped repeatedly.
 */
export class ReusedBuffers implements ColumnBuffers {
  /** The buffers. New arrays are allocated from the last buffer. */
  #buffers: ArrayBuffer[] = [];
  #sizeBytes = 0;

  doubles(count: number): Float64Array<ArrayBuffer> {
    const { buffer, from } = this.#take(count * 8);
    return new Float64Array(buffer, from, count);
  }

  words(count: number): Int32Array<ArrayBuffer> {
    const { buffer, from } = this.#take(count * 4);
    return new Int32Array(buffer, from, count);
  }

  bytes(sizeBytes: number): Uint8Array<ArrayBuffer> {
    const { buffer, from } = this.#take(sizeBytes);
    return new Uint8Array(buffer, from, sizeBytes);
  }

  /** Frees all arrays together. Call it only when none of them is used any more. */
  clear(): void {
    const heldBytes = this.#buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (heldBytes > keptBytes) this.#buffers = [];
    else if (this.#buffers.length > 1) this.#buffers = [new ArrayBuffer(heldBytes)];
    this.#sizeBytes = 0;
  }

  #take(sizeBytes: number): { readonly buffer: ArrayBuffer; readonly from: number } {
    let buffer = this.#buffers.at(-1);
    if (!buffer || this.#sizeBytes + sizeBytes > buffer.byteLength) {
      buffer = new ArrayBuffer(Math.max(leastBytes, sizeBytes));
      this.#buffers.push(buffer);
      this.#sizeBytes = 0;
    }
    const from = this.#sizeBytes;
    this.#sizeBytes += Math.ceil(sizeBytes / 8) * 8;
    return { buffer, from };
  }
}
