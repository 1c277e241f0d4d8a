import type { Column } from "../../column/column.ts";
import { decodeNumbers } from "../../column/segment/decodeSegment.ts";
import { splitExtents } from "../../column/loadSegments.ts";
import { sealNumbers } from "../../column/seal/sealSegment.ts";
import type { Segment } from "../../column/segment/segment.ts";
import { storedBytes } from "../../column/segment/storedBytes.ts";
import { emptySummary, summarize } from "../../column/segment/summary.ts";
import { addNumbers, emptyZoneMap } from "../../column/seal/zoneMap.ts";
import type { Files } from "../../files/files.ts";
import { releasePieces } from "../../files/releasePieces.ts";
import { SegmentWriter, type TextRange } from "../../files/segmentWriter.ts";
import type { Memory } from "../../memory/memory.ts";

export interface SegmentsRequest {
  readonly files: Files;
  readonly path: string;
  readonly memory: Memory;
  /**
   * The columns to write. Columns that are closed before they are written are skipped. The dictionaries of text columns
   * must be in memory.
   */
  readonly columns: readonly Column[];
  readonly rowGroupCount: number;
  /** Called before every column. Throws to abort. */
  readonly check: () => void;
}

/**
 * Writes the first row groups of columns to a new segment file and syncs it. Removes the file on failure. Values that
 * are in an earlier file are copied from that file, so columns do not have to be in memory. Returns the columns that
 * were written.
 * @throws {DamagedFile}
 */
export async function writeSegments(request: SegmentsRequest): Promise<readonly Column[]> {
  const { files, path, columns, rowGroupCount, check } = request;
  let writer: SegmentWriter | undefined;
  try {
    writer = await SegmentWriter.create(files, path, rowGroupCount);
    const written: Column[] = [];
    for (const column of columns) {
      check();
      if (column.isClosed) continue;
      await writeColumn(writer, column, request);
      written.push(column);
    }
    await writer.end();
    await writer.close();
    return written;
  } catch (error) {
    await writer?.close().catch(() => undefined);
    await files.remove(path).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a column. Values that are only in memory are protected by a lease until they are written, even if the column
 * is dropped.
 */
async function writeColumn(
  writer: SegmentWriter,
  column: Column,
  { memory, rowGroupCount }: SegmentsRequest,
): Promise<void> {
  const lease = memory.lease();
  try {
    const { definition, saved, dictionary } = column;
    const texts: TextRange = dictionary
      ? {
          length: dictionary.size,
          slice: (from, until) => dictionary.slice(from, until),
          packed: (from, until) => dictionary.packed(from, until),
        }
      : [];
    const fresh: Segment[] = [];
    for (let rowGroup = column.savedCount; rowGroup < rowGroupCount; rowGroup++)
      fresh.push(column.sealed(rowGroup));
    writer.startColumn();
    if (saved)
      for (const extent of splitExtents(await saved.readSegments())) {
        const bytes = new Uint8Array(
          extent.reduce((sum, { segment }) => sum + storedBytes(segment), 0),
        );
        if (bytes.length > 0) await saved.readValues(extent, bytes);
        let position = 0;
        for (const { segment } of extent) {
          const end = position + storedBytes(segment);
          await writer.addSegment(segment, bytes.subarray(position, end));
          position = end;
        }
        releasePieces([bytes]);
      }
    const { decimals } = fresh.reduce(summarize, saved?.summary ?? emptySummary);
    for (const segment of fresh) {
      if (definition.type === "number" && segment.form === "whole" && segment.decimals < decimals)
        await writeAgain(writer, segment, decimals, memory);
      else await writer.addSegment(segment, bytesOf(memory, segment));
    }
    await writer.endColumn(definition, texts);
  } finally {
    lease.end();
  }
}

/**
 * Writes a segment with the number of decimals of its column, so that all segments can be read in the same way. Keeps
 * the segment's own number if its values would become wider.
 */
async function writeAgain(
  writer: SegmentWriter,
  segment: Segment,
  decimals: number,
  memory: Memory,
): Promise<void> {
  const values = decodeNumbers(memory, segment);
  const zone = addNumbers(emptyZoneMap, values);
  const again = sealNumbers(values, zone, "number", {
    memory,
    near: segment.values?.arena,
    decimals,
  });
  try {
    await writer.addSegment(again, bytesOf(memory, again));
  } finally {
    if (again.values) memory.freeAtOnce(again.values);
  }
}

function bytesOf(memory: Memory, segment: Segment): Uint8Array {
  if (!segment.values) return new Uint8Array(0);
  const { arena, offset } = segment.values;
  return memory.bytes({ arena, offset, sizeBytes: storedBytes(segment) });
}
