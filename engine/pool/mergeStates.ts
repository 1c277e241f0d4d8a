import type { Arena } from "../operators/task/arena.ts";
import { cutAnswer } from "../operators/output/cutAnswer.ts";
import {
  finishDirect,
  type DirectStates,
  type PairCounts,
  type Percentiles,
} from "../operators/output/finishDirect.ts";
import { joinInTurns } from "./joinInTurns.ts";
import type { StateLayout } from "../plan/stateLayout.ts";
import type { BoundGrouping, BoundPlan } from "../plan/boundPlan.ts";
import { sortAndCut, withoutColumns } from "./sortAndCut.ts";
import { inlineValues } from "./inlineValues.ts";
import type { Memories } from "./messages.ts";
import type { QueryTasks } from "./queryTasks.ts";

/** The cost of merging a digest, as the number of other values that can be merged in the same time. */
const valuesPerDigest = 50;

/** The states of directly numbered groups after the scans. */
export interface ScannedStates {
  readonly layout: StateLayout;
  readonly states: DirectStates;
  readonly percentiles: Percentiles;
  readonly pairCounts: PairCounts;
  /** The arena of the states, and the memories that a thread needs to read them. */
  readonly arena: Arena;
  readonly homeArena: number;
  readonly memories: Memories;
}

/**
 * Merges the states of directly numbered groups into sorted and limited rows. Few groups are merged on this thread;
 * otherwise each range of groups is merged in a thread of the pool.
 */
export async function mergeStates(
  plan: BoundPlan,
  grouping: BoundGrouping,
  { layout, states, percentiles, pairCounts, arena, homeArena, memories }: ScannedStates,
  tasks: QueryTasks,
): Promise<readonly Float64Array[]> {
  const { capacity } = grouping;
  const { distincts, sketches, digests } = layout;
  const bytes = [...distincts, ...sketches].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const merges = capacity * digests.length * plan.laneCount * valuesPerDigest;
  const work = capacity * grouping.slots.length + bytes / 128 + merges;
  if (work <= inlineValues) {
    const scanned = { layout, states, percentiles, pairCounts, arena };
    const columns = finishDirect(plan, grouping, scanned, 0, capacity);
    return cutAnswer(plan, columns);
  }
  const partCount = Math.min(tasks.threadCount, capacity);
  const parts = await tasks.sendAll(
    Array.from({ length: partCount }, (_, part) => ({
      kind: "finishDirect" as const,
      control: tasks.control,
      memories,
      plan: withoutColumns(plan),
      homeArena,
      states,
      percentiles,
      pairCounts,
      from: Math.floor((capacity * part) / partCount),
      to: Math.floor((capacity * (part + 1)) / partCount),
    })),
  );
  return sortAndCut(plan, await joinInTurns(parts.map(({ columns }) => columns)), tasks);
}
