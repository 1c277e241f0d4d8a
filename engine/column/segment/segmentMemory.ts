import type { Block } from "../../memory/memory.ts";

/** Buffers that segments are written to and read from: the arenas, or a thread's own. */
export interface SegmentMemory {
  /** Allocates at least `sizeBytes` bytes, 64-byte aligned. Their content is undefined. */
  allocate(
    sizeBytes: number,
    near: number | undefined,
    isBudgeted: boolean,
  ): Pick<Block, "arena" | "offset">;
  /** Returns the current buffer of an arena. */
  buffer(arena: number): ArrayBufferLike;
}
