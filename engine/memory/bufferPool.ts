/** How many free buffers are kept, and their bytes together. */
const keptCount = 32;
const keptBytes = 2 ** 26;
/** The least share of a buffer that a request must fill to get it, so that large buffers stay for large requests. */
const leastShare = 1 / 8;

/**
 * Reuses shared memory for data that goes to the threads and comes back. V8 does not count shared memory as garbage, so
 * dropped buffers may stay long, and buffers that are created again and again make it collect too often.
 */
export class BufferPool {
  readonly #free: SharedArrayBuffer[] = [];
  #freeBytes = 0;

  /** Takes the smallest free buffer that fits; undefined when there is none. */
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

  /** Takes a free buffer that fits, or creates one. Its content is arbitrary. */
  take(sizeBytes: number): SharedArrayBuffer {
    return this.find(sizeBytes) ?? new SharedArrayBuffer(Math.ceil((sizeBytes * 1.25) / 64) * 64);
  }

  /**
   * Takes back a buffer that nobody uses any more. Past the limits, the buffers that were free longest are released.
   */
  give(buffer: SharedArrayBuffer): void {
    this.#free.push(buffer);
    this.#freeBytes += buffer.byteLength;
    while (this.#free.length > keptCount || this.#freeBytes > keptBytes)
      this.#freeBytes -= this.#free.shift()?.byteLength ?? 0;
  }
}
