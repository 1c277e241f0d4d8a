/** Maximum total bytes of free memory to keep. */
const keptBytes = 2 ** 26;
/** A buffer is reused only if at least this share of it is needed. */
const leastShare = 1 / 4;
const paddingBytes = 64;

/**
 * Reuses the memory of received arrays. V8 starts a full collection after every 64 MiB of new buffers, which would take
 * more time than receiving them.
 */
export class ReusedMemory {
  readonly #free: SharedArrayBuffer[] = [];
  #freeBytes = 0;

  /**
   * Returns a buffer with room for `sizeBytes` and for reading a few words beyond them. Its content is undefined. The
   * memory is shared, so that threads can read it without a copy.
   */
  take(sizeBytes: number): SharedArrayBuffer {
    const index = this.#free.findIndex(
      ({ byteLength }) =>
        byteLength >= sizeBytes + paddingBytes && byteLength * leastShare <= sizeBytes,
    );
    const [found] = index < 0 ? [] : this.#free.splice(index, 1);
    this.#freeBytes -= found?.byteLength ?? 0;
    return found ?? new SharedArrayBuffer(Math.ceil(sizeBytes * 1.25) + paddingBytes);
  }

  /** Adds a buffer that is no longer used. If more than 64 MiB are free, the oldest buffers are dropped. */
  give(buffer: SharedArrayBuffer): void {
    this.#free.push(buffer);
    this.#freeBytes += buffer.byteLength;
    while (this.#freeBytes > keptBytes) this.#freeBytes -= this.#free.shift()?.byteLength ?? 0;
  }
}
