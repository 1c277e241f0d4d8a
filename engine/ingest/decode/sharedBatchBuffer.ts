import type { ColumnRoom } from "./columnBuffers.ts";

/** Room for one batch in shared memory, which is used again when nobody reads the batch any more. */
export class SharedRoom implements ColumnRoom {
  #buffer: SharedArrayBuffer;
  #sizeBytes = 0;

  /** Begins at the start of `buffer`; another one takes its place where it is too small. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(0)) {
    this.#buffer = buffer;
  }

  /** What the batch lies in. */
  get buffer(): SharedArrayBuffer {
    return this.#buffer;
  }

  /** Makes room for `count` arrays of `sizeBytes` in all, before the first one is taken. */
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
