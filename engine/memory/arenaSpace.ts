import { blockAlignment, FreeList } from "./freeList.ts";

const pageBytes = 65_536;
const largestPages = 65_536;
/** Maximum size of an arena. */
export const largestArenaBytes = largestPages * pageBytes;
/**
 * Offset of the first block. The first page of an arena is reserved for constants of the kernels. The last bytes of an
 * arena are not allocated, because bytes after every block must be readable.
 */
export const startBytes = pageBytes;
export const readableBytes = 64;
const leastGrowthBytes = 2 ** 20;
const largestGrowthBytes = 2 ** 26;

/**
 * The space of one arena: a shared memory that grows as needed, and its free ranges. All sizes are multiples of 64
 * bytes.
 */
export class ArenaSpace {
  readonly memory = new WebAssembly.Memory({ initial: 1, maximum: largestPages, shared: true });
  /** True while no new data may be placed in this arena, so that it can become empty. */
  isDraining = false;
  readonly #free = new FreeList();
  /** End of the range that the free list manages. */
  #endBytes = startBytes;
  #usedBytes = 0;
  #peakBytes = 0;

  /** Size of the whole memory in bytes, including unused parts. */
  get sizeBytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Bytes in use. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Maximum number of bytes in use since the last `resetPeak`. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  resetPeak(): void {
    this.#peakBytes = this.#usedBytes;
  }

  /** Allocates a range of the free list and returns its offset; undefined if no free range is large enough. */
  take(sizeBytes: number): number | undefined {
    const offset = this.#free.take(sizeBytes);
    if (offset === undefined) return undefined;
    this.#usedBytes += sizeBytes;
    this.#peakBytes = Math.max(this.#peakBytes, this.#usedBytes);
    return offset;
  }

  /**
   * Grows the memory and allocates a range. Returns undefined if the memory would exceed `limitBytes` or the system has
   * no more memory.
   */
  grow(sizeBytes: number, limitBytes: number): number | undefined {
    const end = this.#endBytes;
    const least = Math.max(blockAlignment, sizeBytes - this.#free.freeBefore(end));
    const step = Math.min(largestGrowthBytes, Math.max(leastGrowthBytes, end / 8));
    for (const wanted of [Math.max(least, step), least]) {
      const pages = Math.ceil((end + wanted + readableBytes) / pageBytes);
      const present = this.sizeBytes / pageBytes;
      if (pages > largestPages || pages * pageBytes > limitBytes) continue;
      try {
        if (pages > present) this.memory.grow(pages - present);
      } catch (error) {
        if (error instanceof RangeError) continue;
        throw error;
      }
      this.#endBytes = this.sizeBytes - readableBytes;
      this.#free.give(end, this.#endBytes - end);
      return this.take(sizeBytes);
    }
    return undefined;
  }

  give(offset: number, sizeBytes: number): void {
    this.#free.give(offset, sizeBytes);
    this.#usedBytes -= sizeBytes;
  }
}
