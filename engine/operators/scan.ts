import { rowGroupSize } from "../column/segment.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import { filter, prune } from "./filter.ts";
import { select } from "./finish.ts";
import { GroupFold, type LaneGroups } from "./group.ts";
import { RowCollector } from "./collectRows.ts";
import { RowGroupReader } from "./rowGroupReader.ts";

/** Most lanes of a query. Lanes are spans of row groups, summed apart and merged in order, so an answer has the same bits whatever the number of workers. */
const maximumLanes = 16;

/** Returns the number of lanes of a table of `rowCount` rows. */
export function laneCount(rowCount: number): number {
  return Math.max(1, Math.min(maximumLanes, Math.ceil(rowCount / rowGroupSize)));
}

export interface LaneResult {
  readonly scannedRowCount: number;
  readonly groups?: LaneGroups;
  readonly rows?: readonly Float64Array[];
}

/** Runs one lane of a plan; `isCancelled` is asked before every row group, and a cancelled lane is undefined. */
export function scanLane(
  plan: BoundPlan,
  reader: RowGroupReader,
  lane: number,
  isCancelled: () => boolean,
): LaneResult | undefined {
  const groupCount = Math.ceil(plan.rowCount / rowGroupSize);
  const lanes = laneCount(plan.rowCount);
  const start = Math.floor((groupCount * lane) / lanes);
  const end = Math.floor((groupCount * (lane + 1)) / lanes);
  const fold = plan.grouping ? new GroupFold(plan.grouping) : undefined;
  const collector = plan.cells ? new RowCollector(plan, plan.cells) : undefined;
  let scannedRowCount = 0;
  for (let group = start; group < end; group++) {
    if (collector?.isFull) break;
    if (isCancelled()) return undefined;
    const rowCount = Math.min(rowGroupSize, plan.rowCount - group * rowGroupSize);
    reader.open(group, rowCount);
    const pruned = plan.filter ? prune(plan.filter, (column) => reader.segment(column)) : "all";
    if (pruned === "none") continue;
    scannedRowCount += rowCount;
    const selection =
      plan.filter && pruned === "some" ? select(filter(plan.filter, reader)) : undefined;
    if (selection?.length === 0) continue;
    const narrowed = selection?.length === rowCount ? undefined : selection;
    fold?.fold(reader, narrowed);
    collector?.add(reader, narrowed);
  }
  return {
    scannedRowCount,
    ...(fold && { groups: fold.finish() }),
    ...(collector && { rows: collector.finish() }),
  };
}
