import { appendRows, type RowTarget } from "./appendRows.ts";
import { placeSegment } from "./loadSegments.ts";
import type { Memory } from "../memory/memory.ts";
import type { SealedBatchColumn } from "./sealedBatchColumn.ts";
import { trimSealMemory } from "./seal/sealMemory.ts";
import { sealWords } from "./seal/sealSegment.ts";
import { rowGroupSize, type Segment } from "./segment/segment.ts";
import { storedBytes } from "./segment/storedBytes.ts";
import { unsealCodes, unsealNumbers } from "./seal/unsealSegment.ts";
import { zoneOf, zoneOfCodes } from "./seal/zoneMap.ts";

/**
 * Adds sealed rows. A segment that fills exactly one row group is added unchanged; other segments are merged with
 * neighbouring rows. `codes` maps the batch's codes to codes of the dictionary. Yields after every segment.
 */
export function* appendSealed(
  target: RowTarget,
  memory: Memory,
  { type, segments, stored }: SealedBatchColumn,
  codes: Int32Array | undefined,
): Generator<void, void> {
  for (const segment of segments) {
    const { form, rowCount } = segment;
    const isRowGroup = rowCount === rowGroupSize && target.open.rowCount === 0;
    // Sealing uses the memory that contains these rows, so rows beyond the open row group must be copied first.
    const isWhole = target.open.rowCount + rowCount <= rowGroupSize;
    const near = target.near();
    if (form === "null") appendRows(target, undefined, rowCount);
    else if (type === "text") {
      const words = unsealCodes(stored, segment, codes!);
      const zone = zoneOfCodes(rowCount);
      if (isRowGroup) target.push(sealWords(rowCount, zone, { memory, near }));
      else appendRows(target, isWhole ? words : words.slice(), rowCount, zone);
    } else if (isRowGroup) target.push(copy(memory, near, segment, stored));
    else {
      const values = unsealNumbers(stored, segment);
      const zone = zoneOf(segment, type);
      appendRows(target, isWhole ? values : values.slice(), rowCount, zone);
    }
    yield;
  }
  trimSealMemory();
}

function copy(
  memory: Memory,
  near: number | undefined,
  segment: Segment,
  stored: Uint8Array,
): Segment {
  const sizeBytes = storedBytes(segment);
  const { offset } = segment.values!;
  const block = memory.allocate(sizeBytes, near, false);
  memory.bytes(block, sizeBytes).set(stored.subarray(offset, offset + sizeBytes));
  return placeSegment(segment, block.arena, block.offset);
}
