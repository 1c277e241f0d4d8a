import { segmentRecordDoubles } from "../column/segment/segment.ts";
import type { Arena } from "../operators/task/arena.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";

/**
 * Returns the indices of the arenas that contain a plan's columns, ascending; at least one. Takes O(columns * row
 * groups) if there are several arenas.
 */
export function arenasOf({ columns }: BoundPlan, arenas: readonly Arena[]): readonly number[] {
  if (arenas.length === 1) return [0];
  const used = new Set<number>();
  for (const { directory, sealedCount, tail } of columns) {
    if (tail?.values) used.add(tail.values.arena);
    if (!directory) continue;
    const { f64 } = arenas[directory.arena];
    for (let group = 0; group < sealedCount; group++) {
      const arena = f64[directory.offset / 8 + group * segmentRecordDoubles + 2];
      if (arena >= 0) used.add(arena);
    }
  }
  if (used.size === 0) used.add(0);
  return [...used].sort((left, right) => left - right);
}
