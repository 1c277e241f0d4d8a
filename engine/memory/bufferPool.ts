/** Maximum number of free buffers to keep, and the maximum of their total bytes. */
const keptCount = 32;
const keptBytes = 2 ** 26;
/**
 * A request gets a buffer only if it uses at least this share of the buffer, so that large buffers remain available for
 * large requests.
 */
const leastShare = 1 / 8;

/**
 * Reuses shared memory for data that is passed between threads. V8 does not count shared memory and may therefore keep
 * unused buffers for a long time. If buffers were created repeatedly, V8 would collect garbage too often.
 */
export class BufferPool {
  readonly #free: SharedArrayBuffer[] = [];
  #freeBytes = 0;

  /** Removes and returns the smallest free buffer that is large enough; undefined if there is none. */
  find(sizeBytes: number): SharedArrayBuffer | undefined {
    let best = -1;
    this.#free.forEach(({ byteLength }, index) => {
      if (byteLength < sizeBytes || byteLength * leastShare > Math.max(sizeBytes, 2 ** 16)) return;
      if (best < 0 || byteLength < this.#free[best].byteLength) best = index;
    });
    if (best < 0) return undefined;
    const [buffer] = this.#free.splice(best, 1);
    this.#freeBytes -= buffer.byteLength;
    return buffer;
  }

  /** Returns a free buffer that is large enough, or creates one. Its content is undefined. */
  take(sizeBytes: number): SharedArrayBuffer {
    return this.find(sizeBytes) ?? new SharedArrayBuffer(Math.ceil((sizeBytes * 1.25) / 64) * 64);
  }

  /**
   * Adds a buffer that is no longer used. If the limits are exceeded, the buffers that have been free longest are
   * released.
   */
  give(buffer: SharedArrayBuffer): void {
    this.#free.push(buffer);
    this.#freeBytes += buffer.byteLength;
    while (this.#free.length > keptCount || this.#freeBytes > keptBytes)
      this.#freeBytes -= this.#free.shift()?.byteLength ?? 0;
  }
}
