import { finishHash, orderedByKeys, type FinishedColumns } from "../operators/output/finishHash.ts";
import type { Heap } from "../operators/task/heap.ts";
import { joinInTurns } from "./joinInTurns.ts";
import type { LaneGroups } from "../operators/groups/laneGroups.ts";
import type { LaneResult } from "../operators/scan.ts";
import type { BoundGrouping, BoundPlan } from "../plan/boundPlan.ts";
import { inlineValues } from "./inlineValues.ts";
import type { QueryTasks } from "./queryTasks.ts";
import { sortAndCut, withoutColumns } from "./sortAndCut.ts";

/**
 * Merges hashed groups into sorted and limited rows. Few groups are merged on this thread; otherwise each part is
 * merged in a thread of the pool.
 */
export async function mergeGroups(
  plan: BoundPlan,
  grouping: BoundGrouping,
  lanes: readonly LaneResult[],
  partCount: number,
  heap: Heap,
  tasks: QueryTasks,
): Promise<FinishedColumns> {
  const found = lanes.flatMap(({ groups }) => (groups ? [groups] : []));
  const whole = found.flat();
  const valueCount = whole.reduce((sum, groups) => sum + countValues(groups), 0);
  if (valueCount <= inlineValues) return finishHash(plan, grouping, whole, heap);
  const parts = await tasks.sendAll(
    Array.from({ length: partCount }, (_, part) => ({
      kind: "finishHash" as const,
      control: tasks.control,
      plan: withoutColumns(plan),
      partCount,
      lanes: found.map((groups) => groups[part]),
    })),
  );
  const [{ columns, texts = [] }] = parts;
  if (partCount === 1) return { columns, texts };
  const joined = await joinInTurns(parts.map((part) => part.columns));
  return { columns: await sortAndCut(orderedByKeys(plan, grouping), joined, tasks), texts };
}

/** Returns the number of values to merge, as a measure of the work. */
function countValues({ groupCount, keys, slots, digests, ...groups }: LaneGroups): number {
  const pairs = [...groups.distincts, ...groups.lists, ...groups.sketches, ...digests];
  return (
    groupCount * (keys.length + slots.length) +
    pairs.reduce((sum, { values }) => sum + values.length, 0) +
    digests.reduce((sum, list) => sum + list.digests.length, 0)
  );
}
