import type { SegmentMemory } from "../../column/segment/segmentMemory.ts";

/** Minimum size of the memory. It is enough for most batches, and unused pages cost nothing. */
const leastBytes = 2 ** 23;
/** Buffers larger than this are not kept for the next batch. */
const keptBytes = 2 ** 26;

/** Memory for the consecutive segments of one batch. Each thread reuses this memory for its next batch. */
export class SealScratch implements SegmentMemory {
  #buffer = new ArrayBuffer(0);
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  allocate(sizeBytes: number): { readonly arena: 0; readonly offset: number } {
    const offset = this.#sizeBytes;
    this.#sizeBytes += Math.ceil(sizeBytes / 64) * 64;
    if (this.#sizeBytes > this.#buffer.byteLength) {
      const grown = new Uint8Array(Math.max(leastBytes, this.#sizeBytes * 2));
      grown.set(new Uint8Array(this.#buffer, 0, offset));
      this.#buffer = grown.buffer;
    }
    // The gap between the values of two segments is written to a file too, so the gap must be cleared.
    new Uint8Array(this.#buffer, this.#sizeBytes - 64, 64).fill(0);
    return { arena: 0, offset };
  }

  buffer(): ArrayBuffer {
    return this.#buffer;
  }

  /** Returns a view of the written bytes, valid until the next allocation. */
  bytes(from: number, until: number): Uint8Array {
    return new Uint8Array(this.#buffer, from, until - from);
  }

  clear(): void {
    this.#sizeBytes = 0;
    if (this.#buffer.byteLength > keptBytes) this.#buffer = new ArrayBuffer(0);
  }
}
