import type { Block, Memory } from "../../memory/memory.ts";
import { readSegment, segmentRecordDoubles, writeSegment, type Segment } from "./segment.ts";

const recordBytes = segmentRecordDoubles * 8;
const leastRecords = 4;

/**
 * The records of a column's sealed segments, in shared memory. Records are only added. When the directory grows, the
 * records are copied to a new block.
 */
export class Directory {
  readonly #memory: Memory;
  #block: Block | undefined;
  #count: number;

  /** Creates space for `count` records, which must be set before they are read. */
  constructor(memory: Memory, count: number) {
    this.#memory = memory;
    this.#count = count;
  }

  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    return this.#block?.sizeBytes ?? 0;
  }

  /** The location of the first record; undefined if the directory is empty. */
  get place(): { readonly arena: number; readonly offset: number } | undefined {
    return this.#block && { arena: this.#block.arena, offset: this.#block.offset };
  }

  isIn(arena: number): boolean {
    return this.#block?.arena === arena;
  }

  push(segment: Segment): void {
    this.#reserve(this.#count + 1);
    writeSegment(this.#record(this.#count++), segment);
  }

  /** Sets the first records. Call it only while nobody reads them. */
  setFirst(segments: readonly Segment[]): void {
    this.#reserve(this.#count);
    segments.forEach((segment, index) => writeSegment(this.#record(index), segment));
  }

  /** Replaces records. Readers that already have `place` keep the old records. */
  exchange(segments: ReadonlyMap<number, Segment>): void {
    const old = this.#block;
    if (!old) return;
    this.#block = this.#memory.copy(old);
    this.#memory.free(old);
    for (const [index, segment] of segments) writeSegment(this.#record(index), segment);
  }

  at(index: number): Segment {
    return readSegment(this.#record(index));
  }

  clear(): void {
    if (this.#block) this.#memory.free(this.#block);
    this.#block = undefined;
  }

  #reserve(count: number): void {
    const old = this.#block;
    const capacity = (old?.sizeBytes ?? 0) / recordBytes;
    if (count <= capacity) return;
    const wanted = Math.max(leastRecords, count, capacity * 2);
    const block = this.#memory.allocate(wanted * recordBytes, old?.arena, false);
    if (old) {
      this.#memory.bytes(block, old.sizeBytes).set(this.#memory.bytes(old));
      this.#memory.free(old);
    }
    this.#block = block;
  }

  #record(index: number): Float64Array {
    const { arena, offset } = this.#block!;
    return new Float64Array(
      this.#memory.buffer(arena),
      offset + index * recordBytes,
      segmentRecordDoubles,
    );
  }
}
