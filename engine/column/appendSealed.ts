import { appendRows, type RowTarget } from "./appendRows.ts";
import { decodeCodes, decodeNumbers } from "./decodeSegment.ts";
import { placeSegment } from "./loadSegments.ts";
import type { Memory } from "../memory/memory.ts";
import type { SealedVector } from "./sealedVector.ts";
import { sealCodes } from "./sealSegment.ts";
import { rowGroupSize, type Segment } from "./segment.ts";
import { storedBytes } from "./storedBytes.ts";
import { emptyZoneMap, zoneOf, type ZoneMap } from "./zoneMap.ts";

/** Where the values of a segment stand before they are added. */
const codesScratch = new Int32Array(rowGroupSize);
const numbersScratch = new Float64Array(rowGroupSize);

/**
 * Adds sealed rows. A segment that is a whole row group where one begins stays as it is; others are joined with their neighbours.
 * `codes` are the dictionary's codes by the vector's. Pauses after every segment.
 */
export function* appendSealed(
  target: RowTarget,
  memory: Memory,
  { type, segments, stored }: SealedVector,
  codes: Int32Array | undefined,
): Generator<void, void> {
  const source = { buffer: () => stored.buffer };
  for (const found of segments) {
    const { form, rowCount } = found;
    const isRowGroup = rowCount === rowGroupSize && target.open.rowCount === 0;
    const near = target.near();
    if (form === "null") appendRows(target, undefined, rowCount);
    else {
      const segment = found.values
        ? placeSegment(found, 0, stored.byteOffset + found.values.offset)
        : found;
      if (type === "text") {
        const values = decodeCodes(source, segment, codesScratch);
        const zone = translate(values, codes!);
        if (isRowGroup) target.push(sealCodes(values, zone, { memory, near }));
        else appendRows(target, values, rowCount, zone);
      } else if (isRowGroup) target.push(copy(memory, near, found, stored));
      else
        appendRows(
          target,
          decodeNumbers(source, segment, numbersScratch),
          rowCount,
          zoneOf(segment, type),
        );
    }
    yield;
  }
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

/** Turns a batch's stored codes into the dictionary's, and says what they are. */
function translate(values: Int32Array, codes: Int32Array): ZoneMap {
  let nullCount = 0;
  let minimum = 2 ** 31 - 1;
  let maximum = 0;
  for (let row = 0; row < values.length; row++) {
    if (values[row] === 0) {
      nullCount++;
      continue;
    }
    const value = codes[values[row] - 1] + 1;
    values[row] = value;
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
  }
  if (maximum === 0) return { ...emptyZoneMap, nullCount };
  return { ...emptyZoneMap, nullCount, minimum, maximum };
}
