import type { Block } from "../../memory/memory.ts";

/** Buffers that segments are written to and read from: the arenas, or a thread's own. */
export interface SegmentMemory {
  /** Gives at least `sizeBytes` bytes, 64-byte aligned; their content is undefined. */
  allocate(
    sizeBytes: number,
    near: number | undefined,
    isBudgeted: boolean,
  ): Pick<Block, "arena" | "offset">;
  /** The present buffer of an arena. */
  buffer(arena: number): ArrayBufferLike;
}
