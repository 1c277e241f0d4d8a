import type { ColumnRoom } from "./columnBuffers.ts";

/** As much as a row group of a file mostly takes; what is not used of it costs nothing. */
const leastBytes = 2 ** 24;
/** Bytes that are kept for the next batch. */
const keptBytes = 2 ** 26;

/** Room of a thread for batches that do not leave it: V8 collects its garbage ever anew for large arrays that come and go. */
export class ReusedRoom implements ColumnRoom {
  /** The last one fills. */
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

  /** Makes all of it free: arrays of before are not used any more. */
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
