import { compileSample, type SampledGroups } from "../operators/groups/sampleGroups.ts";
import type { Heap } from "../operators/task/heap.ts";
import type { BoundGrouping, BoundPlan } from "../plan/boundPlan.ts";
import type { MainArenas } from "./mainArenas.ts";
import type { QueryScratch } from "./queryScratch.ts";
import type { QueryTasks } from "./queryTasks.ts";

/** A grouped plan, and the threads and the memory to sample it. */
export interface SampleRequest {
  readonly plan: BoundPlan;
  readonly grouping: BoundGrouping;
  /** The arenas of the plan's columns. */
  readonly used: readonly number[];
  readonly tasks: QueryTasks;
  readonly scratch: QueryScratch;
  readonly arenas: MainArenas;
  readonly heap: Heap;
}

/**
 * Samples the groups of a plan in a thread, which takes about a millisecond.
 * @throws {EngineError} QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
 */
export async function samplePlan({
  plan,
  grouping,
  used,
  tasks,
  scratch,
  arenas,
  heap,
}: SampleRequest): Promise<SampledGroups> {
  const views = arenas.view();
  const none = views.map((_, index) => (used.includes(index) ? 0 : -1));
  const { sizeBytes } = compileSample(plan, grouping, { arenas: views, bases: none, heap });
  const bases = scratch.workspace(sizeBytes, used);
  const memories = arenas.memories();
  const { control } = tasks;
  const sample = await tasks.send({ kind: "sample", memories, plan, control, bases });
  scratch.release(bases);
  return sample;
}

/** Returns the share of the rows in open row groups that pass the filter, between 0 and 1. */
export function passingShare({ rowCount, passingCount }: SampledGroups): number {
  return passingCount / Math.max(1, rowCount);
}
