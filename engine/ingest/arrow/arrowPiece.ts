import type { Data } from "apache-arrow";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { unreadableArrow } from "./unreadableArrow.ts";

/** Number of rows to decode together: few enough to stay in the processor's cache. */
export const arrowBlockRows = 32_768;

/** Consecutive rows of a column. */
export interface ArrowPiece {
  readonly data: Data;
  readonly start: number;
  readonly count: number;
}

/** Copies the validity of rows to the memory as levels and returns their address; 0 if there are no nulls. */
export function placeLevels(
  memory: DecodeMemory,
  data: Data,
  start: number,
  count: number,
): number {
  const { nullBitmap: bits } = data;
  if (!bits || bits.length === 0 || data.nullCount === 0) return 0;
  const first = data.offset + start;
  if (bits.length * 8 < first + count) throw unreadableArrow("a validity bitmap is too short");
  const levels = memory.take(count);
  const stored = memory.place(bits.subarray(first >> 3, (first + count + 7) >> 3));
  memory.decoders.expandBits(stored, first & 7, count, levels);
  return memory.decoders.countLevels(levels, count) === count ? 0 : levels;
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
