import type { Failure } from "../failureOf.ts";
import type { Arena } from "../operators/task/arena.ts";
import { yieldPoint } from "../operators/task/cancellation.ts";
import { cutAnswer } from "../operators/output/cutAnswer.ts";
import { finishDirect } from "../operators/output/finishDirect.ts";
import { finishHash, finishHashPart } from "../operators/output/finishHash.ts";
import { finishParts } from "../operators/output/finishParts.ts";
import { countParts, percentilesOfParts } from "../operators/output/finishPairs.ts";
import { finishRows } from "../operators/output/finishRows.ts";
import { compileSample } from "../operators/groups/sampleGroups.ts";
import type { Heap } from "../operators/task/heap.ts";
import { layoutStates } from "../plan/stateLayout.ts";
import { Workspace } from "../operators/task/workspace.ts";
import type {
  ColumnsAnswer,
  FinishDirectTask,
  FinishHashTask,
  FinishPartsTask,
  QueryTask,
  SampleAnswer,
  SampleTask,
  ScanAnswer,
  ScanTask,
} from "./messages.ts";
import { runScan } from "./runScan.ts";

/** The memory of a task: its thread's views of the arenas, and a separate heap. */
export interface TaskMemory {
  readonly arenas: readonly Arena[];
  readonly heap: Heap;
}

/**
 * Runs a task of a query, with a yield point every few milliseconds.
 * @throws {EngineError} QUERY_CANCELLED, QUERY_OUT_OF_MEMORY
 */
export function runTask(
  task: QueryTask,
  room: TaskMemory,
): ScanAnswer | SampleAnswer | ColumnsAnswer | Failure {
  switch (task.kind) {
    case "sample":
      return sample(task, room);
    case "scan":
      return scan(task, room);
    case "finishPairs":
      for (const distinct of task.distincts) countParts(distinct, room.heap);
      for (const quantile of task.quantiles) percentilesOfParts(quantile);
      return { ok: true, columns: [] };
    case "finishDirect":
      return finishGroups(task, room.arenas);
    case "finishHash":
      return mergeGroups(task, room.heap);
    case "finishParts":
      return finishPartitions(task, room);
    case "finishRows":
      return { ok: true, ...finishRows(task.plan, task.plan.cells ?? [], task.lanes) };
    case "cut":
      return { ok: true, columns: cutAnswer(task.plan, [...task.columns]) };
  }
}

function scan(task: ScanTask, { arenas, heap }: TaskMemory): ScanAnswer | Failure {
  heap.clear();
  const steps = runScan(task, { arenas, heap });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    yieldPoint();
  }
}

function sample({ plan, bases }: SampleTask, { arenas, heap }: TaskMemory): SampleAnswer {
  const { grouping } = plan;
  if (!grouping) throw new RangeError("only the groups of grouped plans are sampled");
  return { ok: true, ...compileSample(plan, grouping, { arenas, bases, heap }).run() };
}

function finishGroups(task: FinishDirectTask, arenas: readonly Arena[]): ColumnsAnswer {
  const { plan, homeArena, states, percentiles, pairCounts, from, to } = task;
  const arena = arenas[homeArena];
  const { grouping } = plan;
  if (!grouping) return { ok: true, columns: [] };
  const layout = layoutStates(grouping, new Workspace());
  const scanned = { layout, states, percentiles, pairCounts, arena };
  const columns = finishDirect(plan, grouping, scanned, from, to);
  return { ok: true, columns };
}

function mergeGroups({ plan, partCount, lanes }: FinishHashTask, heap: Heap): ColumnsAnswer {
  const { grouping } = plan;
  if (!grouping) return { ok: true, columns: [] };
  const finish = partCount === 1 ? finishHash : finishHashPart;
  return { ok: true, ...finish(plan, grouping, lanes, heap) };
}

function finishPartitions(
  { plan, partitions }: FinishPartsTask,
  { arenas, heap }: TaskMemory,
): ColumnsAnswer {
  const { grouping } = plan;
  if (!grouping) return { ok: true, columns: [] };
  const arena = arenas[partitions.arena];
  return { ok: true, columns: finishParts(plan, grouping, partitions, arena, heap) };
}
