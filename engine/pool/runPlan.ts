import { rowGroupSize } from "../column/segment/segment.ts";
import type { Heap } from "../operators/task/heap.ts";
import type { ComputedTexts } from "../operators/rows/computedTexts.ts";
import type { CollectRequest } from "../operators/percentiles/percentiles.ts";
import { laneBytes } from "../plan/orderedStates.ts";
import { compileScan } from "../operators/scan.ts";
import { canSplit } from "../operators/groups/splitGroups.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import type { Tenant } from "../fair/index.ts";
import { arenasOf } from "./arenasOf.ts";
import { gatherPercentiles } from "./gatherPercentiles.ts";
import type { MainArenas } from "./mainArenas.ts";
import { mergeGroups } from "./mergeGroups.ts";
import { mergeRows } from "./mergeRows.ts";
import { mergeStates } from "./mergeStates.ts";
import type { ScanTask } from "./messages.ts";
import type { QueryScratch } from "./queryScratch.ts";
import type { QueryTasks } from "./queryTasks.ts";
import type { SharedScans } from "./sharedScans.ts";

/** The threads and the memory for running a plan. */
interface RunRequest {
  /** Maximum number of tasks that scan concurrently. */
  readonly scanCount: number;
  /** The scans that can share a task. Absent if this scan consists of several tasks. */
  readonly sharedScans?: SharedScans;
  readonly tenant?: Tenant;
  readonly tasks: QueryTasks;
  readonly scratch: QueryScratch;
  readonly arenas: MainArenas;
  /** Heap of the main thread, for merging there. */
  readonly heap: Heap;
}

export interface PoolAnswer {
  readonly columns: readonly Float64Array[];
  /** The computed strings for the codes of each output, if its strings were computed. */
  readonly texts?: readonly ComputedTexts[];
  readonly scannedRowCount: number;
}

/**
 * Runs a bound plan in phases: a scan, a second scan for some percentiles, and merging the results. When the promise
 * settles, all tasks have ended.
 * @throws {EngineError} STORE_BUSY, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
 */
export async function runPlan(
  plan: BoundPlan,
  { scanCount, sharedScans, tenant, tasks, scratch, arenas, heap }: RunRequest,
): Promise<PoolAnswer> {
  const views = arenas.view();
  const used = arenasOf(plan, views);
  const [homeArena] = used;
  const compile = (requests?: readonly CollectRequest[]) => {
    const bases = views.map((_, index) => (used.includes(index) ? 0 : -1));
    return compileScan(plan, { arenas: views, bases, heap }, requests);
  };
  const { layout, sizeBytes } = compile();
  const groupCount = Math.ceil(plan.rowCount / rowGroupSize);
  const taskCount = Math.max(1, Math.min(plan.laneCount, groupCount, scanCount));
  const { grouping } = plan;
  const partCount = grouping?.mode === "hash" && canSplit(grouping) ? taskCount : 1;
  const laneSize = laneBytes(plan);
  const laneStates = laneSize > 0 ? scratch.reserve(laneSize * plan.laneCount, homeArena) : 0;
  const bases = Array.from({ length: taskCount }, () => scratch.workspace(sizeBytes, used));
  const memories = arenas.memories();
  const scans = bases.map((base): ScanTask => ({
    kind: "scan",
    memories,
    plan,
    control: tasks.control,
    bases: base,
    homeArena,
    partCount,
    laneStates,
    laneBytes: laneSize,
  }));
  const answers = sharedScans
    ? [await sharedScans.run(scans[0], tenant)]
    : await tasks.sendAll(scans);
  const scannedRowCount = answers.reduce((sum, answer) => sum + answer.scannedRowCount, 0);
  const results = answers
    .flatMap((answer) => answer.results)
    .sort((left, right) => left.lane - right.lane);
  if (!grouping) return { ...(await mergeRows(plan, results, tasks)), scannedRowCount };
  if (!layout) {
    const merged = await mergeGroups(plan, grouping, results, partCount, heap, tasks);
    return { ...merged, scannedRowCount };
  }
  const [arena] = arenas.view().slice(homeArena);
  const percentiles = await gatherPercentiles({
    grouping,
    layout,
    tasks: scans,
    answers,
    arena,
    homeArena,
    compile,
    workspace: (bytes) => scratch.workspace(bytes, used),
    memories: () => arenas.memories(),
    scan: (seconds) => tasks.sendAll(seconds),
  });
  const states = {
    bases: bases.map((base) => base[homeArena]),
    lanes: laneStates,
    laneBytes: laneSize,
  };
  const scanned = { layout, states, percentiles, arena, homeArena, memories: arenas.memories() };
  return { columns: await mergeStates(plan, grouping, scanned, tasks), scannedRowCount };
}
