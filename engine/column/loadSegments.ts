import type { Block, Memory } from "../memory/memory.ts";
import type { SavedColumn, SavedSegment } from "./savedColumn.ts";
import type { FloatWidth, Segment, StoredValues, StoredWidth } from "./segment/segment.ts";
import { storedBytes } from "./segment/storedBytes.ts";

/** Number of bytes per read. Each read fills one block of memory. */
const extentBytes = 2 ** 22;

/** Maximum number of concurrent reads of a column. While one extent is verified, the next extents arrive. */
const readsAtOnce = 3;

/** The saved segments of a column after loading. */
export interface LoadedSegments {
  readonly segments: readonly Segment[];
  readonly blocks: readonly Block[];
}

/**
 * Loads the saved segments of a column with several concurrent reads. If loading fails, no memory remains allocated,
 * and no read is still running. `nearOf` returns the arena of a row group's other columns.
 * @throws {DamagedFile}
 * @throws {EngineError} STORE_OUT_OF_MEMORY
 */
export async function loadSegments(
  memory: Memory,
  saved: SavedColumn,
  nearOf: (rowGroup: number) => number | undefined,
): Promise<LoadedSegments> {
  const records = await saved.readSegments();
  const segments = records.map(({ segment }) => segment);
  const blocks: Block[] = [];
  const extents = splitExtents(records);
  let rowGroupCount = 0;
  const readOn = async () => {
    for (let extent = extents.shift(); extent; extent = extents.shift()) {
      let rowGroup = rowGroupCount;
      rowGroupCount += extent.length;
      const size = extent.reduce((sum, { segment }) => sum + storedBytes(segment), 0);
      if (size === 0) continue;
      const block = memory.allocate(size, nearOf(rowGroup));
      blocks.push(block);
      await saved.readValues(extent, memory.bytes(block, size));
      let offset = block.offset;
      for (const { segment } of extent) {
        segments[rowGroup++] = placeSegment(segment, block.arena, offset);
        offset += storedBytes(segment);
      }
    }
  };
  const giveUp = (error: unknown) => {
    extents.length = 0;
    throw error;
  };
  const reads = Array.from({ length: readsAtOnce }, () => readOn().catch(giveUp));
  const failed = (await Promise.allSettled(reads)).find((each) => each.status === "rejected");
  if (!failed) return { segments, blocks };
  for (const block of blocks) memory.freeAtOnce(block);
  throw failed.reason;
}

/** Divides segments into extents. Each extent is loaded by one read. */
export function splitExtents(records: readonly SavedSegment[]): SavedSegment[][] {
  const extents: SavedSegment[][] = [];
  let size = Infinity;
  for (const record of records) {
    const added = storedBytes(record.segment);
    if (size + added > extentBytes) {
      extents.push([]);
      size = 0;
    }
    extents.at(-1)?.push(record);
    size += added;
  }
  return extents;
}

/**
 * Returns the segment with its values at byte `offset` of an arena. If it has times, they follow the values, as in the
 * file.
 */
export function placeSegment(segment: Segment, arena: number, offset: number): Segment {
  if (segment.form === "null") return segment;
  const by = offset - segment.values.offset;
  const place = <Width extends StoredWidth | FloatWidth>(part: StoredValues<Width>) => ({
    ...part,
    arena,
    offset: part.offset + by,
  });
  if (segment.form === "float") return { ...segment, values: place(segment.values) };
  const placed = { ...segment, values: place(segment.values) };
  return placed.form === "dayTime" && placed.times
    ? { ...placed, times: place(placed.times) }
    : placed;
}
