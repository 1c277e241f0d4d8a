import { readSegment, segmentRecordDoubles, type Segment } from "../../column/segment/segment.ts";
import type { BoundColumn } from "../../plan/boundPlan.ts";
import type { Arena } from "../task/arena.ts";

/** Returns the segment of a column of a plan in a row group. */
export function boundSegment(
  columns: readonly BoundColumn[],
  column: number,
  rowGroup: number,
  arenas: readonly Arena[],
): Segment {
  const { directory, sealedCount, tail } = columns[column];
  if (directory && rowGroup < sealedCount) {
    const at = directory.offset / 8 + rowGroup * segmentRecordDoubles;
    return readSegment(arenas[directory.arena].f64, at);
  }
  if (!tail) throw new RangeError(`column ${column} has no row group ${rowGroup}`);
  return tail;
}
