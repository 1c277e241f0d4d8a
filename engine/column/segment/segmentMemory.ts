import type { Block } from "../../memory/memory.ts";

/** The memory that contains segments: the arenas, or a thread's scratch. */
export interface SegmentMemory {
  /** Allocates at least `sizeBytes` bytes, aligned to 64 bytes. Their content is undefined. */
  allocate(
    sizeBytes: number,
    near: number | undefined,
    isBudgeted: boolean,
  ): Pick<Block, "arena" | "offset">;
  /** Returns the current buffer of an arena. */
  buffer(arena: number): ArrayBufferLike;
}
