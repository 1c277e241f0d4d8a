import { placeSegment } from "../../column/loadSegments.ts";
import { sealBatchCodes, sealNumbers } from "../../column/seal/sealSegment.ts";
import { rowGroupSize, type Segment } from "../../column/segment/segment.ts";
import type { SegmentMemory } from "../../column/segment/segmentMemory.ts";
import { EngineError } from "../../errors.ts";
import { joinFrame, largestFrameBytes, joinedFrameBytes, sizeOf } from "../../files/frame.ts";
import { encodeSealed } from "../../files/sealedFrame.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";
import type { SealedFrame } from "../../files/sealedFrame.ts";
import { SealScratch } from "./sealScratch.ts";

const scratch = new SealScratch();

/**
 * Creates the frame of a batch, with all values in their narrowest forms. Writes the frame to `reused` if it is large
 * enough. Segments end where the table's row groups will end, given that its open row group has `openRowCount` rows.
 * @throws {EngineError} BATCH_MALFORMED if the frame exceeds the maximum length
 */
export function sealBatch(
  batch: EncodedBatch,
  openRowCount: number,
  reused?: SharedArrayBuffer,
): SealedFrame {
  const { rowCount, columns } = batch;
  const ends = rowGroupEnds(rowCount, openRowCount);
  scratch.clear();
  const sealed = columns.map(({ column }) => {
    const from = scratch.sizeBytes;
    const segments = ends.map((end, index) => {
      const segment = sealRows(column, ends[index - 1] ?? 0, end, scratch);
      return segment.values ? placeSegment(segment, 0, segment.values.offset - from) : segment;
    });
    return { segments, from, until: scratch.sizeBytes };
  });
  const payload = encodeSealed({
    rowCount,
    columns: columns.map(({ name, column }, index) => {
      const { segments, from, until } = sealed[index];
      const texts = column.type === "text" && { texts: column.texts };
      const stored = scratch.bytes(from, until);
      return { name, column: { type: column.type, segments, stored, ...texts } };
    }),
  });
  if (sizeOf(payload) > largestFrameBytes)
    throw new EngineError("BATCH_MALFORMED", [
      `one of its batches has more than ${largestFrameBytes} bytes; send smaller batches`,
    ]);
  const hashes = columns.flatMap(({ column }) =>
    column.type === "text" ? [column.texts.hashes] : [],
  );
  const frameBytes = alignUp(joinedFrameBytes(payload));
  const wanted = hashes.reduce((sum, { byteLength }) => sum + byteLength, frameBytes);
  const buffer =
    reused && reused.byteLength >= wanted ? reused : new SharedArrayBuffer(alignUp(wanted * 1.25));
  let end = frameBytes;
  const moved = hashes.map((texts) => {
    const copy = new Int32Array(buffer, end, texts.length);
    copy.set(texts);
    end += texts.byteLength;
    return copy;
  });
  return { frame: joinFrame(payload, buffer), hashes: moved };
}

const alignUp = (sizeBytes: number) => Math.ceil(sizeBytes / 64) * 64;

/** Returns the row numbers of a batch at which the table's row groups end, and last the number of rows of the batch. */
function rowGroupEnds(rowCount: number, openRowCount: number): readonly number[] {
  const ends: number[] = [];
  for (let end = rowGroupSize - openRowCount; end < rowCount; end += rowGroupSize) ends.push(end);
  return rowCount > 0 ? [...ends, rowCount] : ends;
}

function sealRows(
  column: EncodedBatchColumn,
  start: number,
  end: number,
  memory: SegmentMemory,
): Segment {
  const target = { memory, near: undefined };
  if (column.type !== "text")
    return sealNumbers(column.values.subarray(start, end), undefined, column.type, target);
  return sealBatchCodes(column.codes.subarray(start, end), target);
}
