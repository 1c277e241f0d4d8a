/** Alignment of every block in bytes. It is the size of a cache line. All sizes of blocks are multiples of it. */
export const blockAlignment = 64;

/** Number of size classes per power of two. */
const stepsPerPower = 8;
const classCount = 208;
/**
 * Number of ranges to try in the size class of a request. If none of them is large enough, a range of the next class is
 * used: every range of that class is large enough.
 */
const triedBlocks = 8;

/**
 * The free ranges of one arena, listed by size: two-level segregated fit (Masmano, Ripoll, Crespo, Real 2004). Offsets
 * and sizes are multiples of 64 bytes. Every operation takes O(1), apart from a scan of at most 208 empty lists.
 */
export class FreeList {
  readonly #starts: readonly Set<number>[] = Array.from({ length: classCount }, () => new Set());
  readonly #sizes = new Map<number, number>();
  readonly #startsByEnd = new Map<number, number>();

  /** Allocates a range of `sizeBytes` and returns its offset; undefined if no free range is large enough. */
  take(sizeBytes: number): number | undefined {
    const start = this.#find(sizeBytes);
    if (start === undefined) return undefined;
    const size = this.#sizes.get(start) ?? 0;
    this.#remove(start, size);
    if (size > sizeBytes) this.#insert(start + sizeBytes, size - sizeBytes);
    return start;
  }

  /** Returns a range to the list and merges it with adjacent free ranges. */
  give(offset: number, sizeBytes: number): void {
    let start = offset;
    let size = sizeBytes;
    const before = this.#startsByEnd.get(start);
    if (before !== undefined) {
      const beforeSize = start - before;
      this.#remove(before, beforeSize);
      start = before;
      size += beforeSize;
    }
    const behind = this.#sizes.get(start + size);
    if (behind !== undefined) {
      this.#remove(start + size, behind);
      size += behind;
    }
    this.#insert(start, size);
  }

  /** Returns the number of free bytes directly before `end`. */
  freeBefore(end: number): number {
    const start = this.#startsByEnd.get(end);
    return start === undefined ? 0 : end - start;
  }

  #find(sizeBytes: number): number | undefined {
    const units = sizeBytes / blockAlignment;
    const own = classOf(units);
    let tried = 0;
    for (const start of this.#starts[own]) {
      if ((this.#sizes.get(start) ?? 0) >= sizeBytes) return start;
      if (++tried === triedBlocks) break;
    }
    for (let index = own + 1; index < classCount; index++)
      for (const start of this.#starts[index]) return start;
    return undefined;
  }

  #insert(start: number, sizeBytes: number): void {
    this.#starts[classOf(sizeBytes / blockAlignment)].add(start);
    this.#sizes.set(start, sizeBytes);
    this.#startsByEnd.set(start + sizeBytes, start);
  }

  #remove(start: number, sizeBytes: number): void {
    this.#starts[classOf(sizeBytes / blockAlignment)].delete(start);
    this.#sizes.delete(start);
    this.#startsByEnd.delete(start + sizeBytes);
  }
}

/** Returns the class of a size. Every size in a class is larger than all sizes in earlier classes. */
function classOf(units: number): number {
  if (units < stepsPerPower) return units;
  const power = 31 - Math.clz32(units);
  return (power - 2) * stepsPerPower + ((units >>> (power - 3)) & (stepsPerPower - 1));
}
