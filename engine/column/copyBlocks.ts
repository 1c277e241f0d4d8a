import type { Block, Memory } from "../memory/memory.ts";
import { placeSegment } from "./loadSegments.ts";
import type { Segment } from "./segment/segment.ts";

/** Copies of a column's blocks in other arenas. */
export interface CopiedBlocks {
  /** The copied blocks, keyed by the offset of the original block. */
  readonly blocks: ReadonlyMap<number, Block>;
  /** The copied segments with their new locations, keyed by the index of the segment. */
  readonly segments: ReadonlyMap<number, Segment>;
  /** Whether all blocks were copied. */
  readonly isWhole: boolean;
}

/**
 * Copies blocks of an arena until `sizeBytes` bytes are copied. Frees all copies if copying fails. A block contains the
 * values of one segment or of several consecutive segments.
 * @throws {EngineError} STORE_OUT_OF_MEMORY if the system has no memory left
 */
export function copyBlocks(
  memory: Memory,
  arena: number,
  offsets: readonly number[],
  segments: readonly (Segment | undefined)[],
  sizeBytes: number,
): CopiedBlocks {
  const blocks = new Map<number, Block>();
  let copiedBytes = 0;
  try {
    for (const offset of offsets) {
      if (copiedBytes >= sizeBytes) break;
      const block = memory.copy({ arena, offset });
      blocks.set(offset, block);
      copiedBytes += block.sizeBytes;
    }
  } catch (error) {
    for (const block of blocks.values()) memory.freeAtOnce(block);
    throw error;
  }
  const copied = new Map<number, Segment>();
  let start = -1;
  segments.forEach((segment, index) => {
    const { values } = segment ?? {};
    if (!segment || values?.arena !== arena) return;
    if (blocks.has(values.offset)) start = values.offset;
    const block = blocks.get(start);
    const inBlock = values.offset - start;
    if (block && inBlock >= 0 && inBlock < block.sizeBytes)
      copied.set(index, placeSegment(segment, block.arena, block.offset + inBlock));
  });
  return { blocks, segments: copied, isWhole: blocks.size === offsets.length };
}
