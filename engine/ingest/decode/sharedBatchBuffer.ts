import type { ColumnBuffers } from "./columnBuffers.ts";

/** Shared memory for all arrays of one batch. Once nobody reads the batch, a buffer pool can reuse the memory. */
export class SharedBatchBuffer implements ColumnBuffers {
  #buffer: SharedArrayBuffer;
  #sizeBytes = 0;

  /** Allocates from the start of `buffer`, or from a larger buffer if `buffer` is too small. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(0)) {
    this.#buffer = buffer;
  }

  /** The memory that contains the batch. */
  get buffer(): SharedArrayBuffer {
    return this.#buffer;
  }

  /** Reserves memory for `count` arrays of `sizeBytes` bytes in total. Call it before the first allocation. */
  reserve(sizeBytes: number, count: number): void {
    const wanted = sizeBytes + count * 8;
    if (wanted > this.#buffer.byteLength)
      this.#buffer = new SharedArrayBuffer(Math.ceil((wanted * 1.25) / 64) * 64);
  }

  doubles(count: number): Float64Array<SharedArrayBuffer> {
    return new Float64Array(this.#buffer, this.#take(count * 8), count);
  }

  words(count: number): Int32Array<SharedArrayBuffer> {
    return new Int32Array(this.#buffer, this.#take(count * 4), count);
  }

  bytes(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
    return new Uint8Array(this.#buffer, this.#take(sizeBytes), sizeBytes);
  }

  #take(sizeBytes: number): number {
    const from = this.#sizeBytes;
    this.#sizeBytes += Math.ceil(sizeBytes / 8) * 8;
    return from;
  }
}
