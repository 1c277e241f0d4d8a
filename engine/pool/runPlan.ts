import { rowGroupSize } from "../column/segment/segment.ts";
import type { Heap } from "../operators/task/heap.ts";
import type { ComputedTexts } from "../operators/rows/computedTexts.ts";
import type { CollectRequest } from "../operators/percentiles/percentiles.ts";
import { laneBytes } from "../plan/orderedStates.ts";
import { compileScan, type LaneResult } from "../operators/scan.ts";
import { canSplit } from "../operators/groups/splitGroups.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import type { Tenant } from "../fair/index.ts";
import { arenasOf } from "./arenasOf.ts";
import { gatherPairs } from "./gatherPairs.ts";
import { gatherPercentiles } from "./gatherPercentiles.ts";
import { hashSparseGroups } from "./hashSparseGroups.ts";
import type { MainArenas } from "./mainArenas.ts";
import { mergeGroups } from "./mergeGroups.ts";
import { mergeRows } from "./mergeRows.ts";
import { mergeStates } from "./mergeStates.ts";
import type { ScanAnswer, ScanTask } from "./messages.ts";
import { isDeepPage, narrowToPage } from "./narrowToPage.ts";
import type { PartitionRequest } from "./reservePartitions.ts";
import { runPartitioned } from "./runPartitioned.ts";
import type { QueryScratch } from "./queryScratch.ts";
import type { QueryTasks } from "./queryTasks.ts";
import type { SharedScans } from "./sharedScans.ts";

/** The threads and the memory that are needed to run a plan. */
interface RunRequest {
  /** Maximum number of tasks that scan concurrently. */
  readonly scanCount: number;
  /** The scans that can share a task. Absent if this scan consists of several tasks. */
  readonly sharedScans?: SharedScans;
  readonly tenant?: Tenant;
  readonly tasks: QueryTasks;
  readonly scratch: QueryScratch;
  readonly arenas: MainArenas;
  /** Heap of the main thread, for merging results on that thread. */
  readonly heap: Heap;
  readonly tellPartitioning?: PartitionRequest["tell"];
}

export interface PoolAnswer {
  readonly columns: readonly Float64Array[];
  /** For each output whose strings were computed, the strings for its codes. */
  readonly texts?: readonly ComputedTexts[];
  readonly scannedRowCount: number;
}

/**
 * Runs a bound plan in phases: a count of rows if the plan has a deep page, a sample of its groups if they may be very
 * many, a scan, a second scan for some percentiles, and merging the results. When the promise settles, all tasks have
 * ended.
 * @throws {EngineError} STORE_BUSY, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
 */
export async function runPlan(whole: BoundPlan, request: RunRequest): Promise<PoolAnswer> {
  const narrowed = isDeepPage(whole)
    ? await narrowToPage(whole, (each) => countRows(each, request))
    : whole;
  const { tasks, scratch, arenas, heap } = request;
  const place = { tasks, scratch, arenas, heap, used: arenasOf(narrowed, arenas.view()) };
  const { plan, sample } = await hashSparseGroups(narrowed, place);
  const { grouping } = plan;
  if (grouping?.mode === "hash") {
    const taskCount = taskCountOf(plan, request);
    const tell = request.tellPartitioning;
    const answer = await runPartitioned({ ...place, plan, grouping, sample, taskCount, tell });
    if (answer) return answer;
  }
  const scanned = await scan(plan, request);
  const { layout, scans, answers, used, homeArena, compile } = scanned;
  const scannedRowCount = answers.reduce((sum, answer) => sum + answer.scannedRowCount, 0);
  const results = resultsOf(answers);
  if (plan.wantedKeys) return { columns: concatenate(results), scannedRowCount };
  if (!grouping) return { ...(await mergeRows(plan, results, tasks)), scannedRowCount };
  if (!layout) {
    const merged = await mergeGroups(plan, grouping, results, scanned.partCount, heap, tasks);
    return { ...merged, scannedRowCount };
  }
  const [arena] = arenas.view().slice(homeArena);
  const pairs = await gatherPairs(grouping, plan.rowCount, answers, tasks);
  const percentiles = await gatherPercentiles({
    grouping,
    layout,
    tasks: scans,
    answers,
    pairs,
    arena,
    homeArena,
    compile,
    workspace: (bytes) => scratch.workspace(bytes, used),
    memories: () => arenas.memories(),
    scan: (seconds) => tasks.sendAll(seconds),
  });
  const states = {
    bases: scans.map(({ bases }) => bases[homeArena]),
    lanes: scanned.laneStates,
    laneBytes: scanned.laneSize,
  };
  const merging = {
    layout,
    states,
    percentiles,
    pairCounts: pairs.distincts,
    arena,
    homeArena,
    memories: arenas.memories(),
  };
  return { columns: await mergeStates(plan, grouping, merging, tasks), scannedRowCount };
}

/** Counts the rows of a plan by bucket. */
async function countRows(plan: BoundPlan, request: RunRequest): Promise<Float64Array> {
  const { answers } = await scan(plan, request);
  const counts = new Float64Array(plan.counted?.bucketCount ?? 0);
  for (const { rows = [] } of resultsOf(answers))
    rows[0].forEach((count, bucket) => (counts[bucket] += count));
  request.scratch.free();
  return counts;
}

/** Concatenates the rows of all lanes. */
function concatenate(results: readonly LaneResult[]): readonly Float64Array[] {
  const [first] = results;
  return (first?.rows ?? []).map((_, column) => {
    const parts = results.map(({ rows = [] }) => rows[column]);
    const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  });
}

function resultsOf(answers: readonly ScanAnswer[]): readonly LaneResult[] {
  return answers.flatMap((answer) => answer.results).sort((left, right) => left.lane - right.lane);
}

/** Returns the number of tasks that scan a plan concurrently. */
function taskCountOf({ laneCount, rowCount }: BoundPlan, { scanCount }: RunRequest): number {
  return Math.max(1, Math.min(laneCount, Math.ceil(rowCount / rowGroupSize), scanCount));
}

/** Scans all lanes of a plan in the threads. */
async function scan(plan: BoundPlan, request: RunRequest) {
  const { sharedScans, tenant, tasks, scratch, arenas, heap } = request;
  const views = arenas.view();
  const used = arenasOf(plan, views);
  const [homeArena] = used;
  const compile = (requests?: readonly CollectRequest[]) => {
    const bases = views.map((_, index) => (used.includes(index) ? 0 : -1));
    return compileScan(plan, { arenas: views, bases, heap }, requests);
  };
  const { layout, sizeBytes } = compile();
  const taskCount = taskCountOf(plan, request);
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
  tasks.beginLanes();
  const answers = sharedScans
    ? [await sharedScans.run(scans[0], tenant)]
    : await tasks.sendAll(scans);
  return { layout, scans, answers, used, homeArena, compile, partCount, laneStates, laneSize };
}
