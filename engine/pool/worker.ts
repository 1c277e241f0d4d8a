import { setImmediate } from "node:timers/promises";
import { move, transferableSymbol, valueSymbol, workerData } from "piscina";
import { failureOf, type Failure } from "../failureOf.ts";
import { runIngest } from "../ingest/runIngest.ts";
import { warmIngest } from "../ingest/warmIngest.ts";
import { warmKernels, warmSizeBytes } from "../kernels/warmKernels.ts";
import type { IngestAnswer, SealAnswer } from "../ingest/messages.ts";
import { collectGarbage } from "../memory/collectGarbage.ts";
import { Arena } from "../operators/arena.ts";
import { workFor } from "../operators/cancellation.ts";
import { cutAnswer } from "../operators/cutAnswer.ts";
import { finishDirect } from "../operators/finishDirect.ts";
import { finishHash, finishHashPart } from "../operators/finishHash.ts";
import { finishRows } from "../operators/finishRows.ts";
import { Heap } from "../operators/heap.ts";
import { layoutStates } from "../operators/stateLayout.ts";
import { Workspace } from "../operators/workspace.ts";
import {
  controlCancelled,
  startupReady,
  type ColumnsAnswer,
  type CutTask,
  type FinishDirectTask,
  type FinishHashTask,
  type LetGoTask,
  type Memories,
  type NeedsMemories,
  type QueryTask,
  type ScanAnswer,
  type ScansAnswer,
  type ScanTask,
  type WorkerTask,
} from "./messages.ts";
import { runScan } from "./runScan.ts";
import { scanTogether } from "./scanTogether.ts";

const arenas: Arena[] = [];
/** Versions of the arenas' memories. */
const versions: number[] = [];
const heap = new Heap();
const startup = workerData as Int32Array;
// After this module is loaded: until then the thread must not be ended, see `Pool.close`.
queueMicrotask(() => {
  Atomics.add(startup, startupReady, 1);
  Atomics.notify(startup, startupReady);
});

/** The entry of a pool's thread. */
export default function work(task: WorkerTask): unknown {
  if (task.kind === "ingest") return runIngest(task).then(transferred);
  if (task.kind === "seal") return runIngest(task).then(transferred);
  if (task.kind === "letGo") return letGo(task);
  if (task.kind === "warmIngest") return warmIngest();
  if (task.kind === "warmKernels")
    return warmKernels(heap.arena.kernels, heap.reserve(warmSizeBytes));
  try {
    if ("memories" in task && !bindArenas(task.memories))
      return { ok: "needsMemories" } satisfies NeedsMemories;
    if (task.kind === "scanTogether") {
      heap.clear();
      const scans = scanTogether(task.scans, (scan) => runScan(scan, { arenas, heap }));
      return transferred({ ok: true, scans });
    }
    workFor(task.control.subarray(controlCancelled, controlCancelled + 1));
    return transferred(run(task));
  } catch (error) {
    return failureOf(error);
  }
}

function run(task: QueryTask): ScanAnswer | ColumnsAnswer | Failure {
  switch (task.kind) {
    case "scan":
      return scan(task);
    case "finishDirect":
      return finishGroups(task);
    case "finishHash":
      return mergeGroups(task);
    case "finishRows":
      return { ok: true, ...finishRows(task.plan, task.plan.cells ?? [], task.lanes) };
    case "cut":
      return cut(task);
  }
}

/** Binds the memories that came with a task, and says whether all that it reads are bound. */
function bindArenas(memories: Memories): boolean {
  const { sizes, passed = [] } = memories;
  passed.forEach((memory, index) => {
    if (versions[index] >= memories.versions[index]) return;
    arenas[index] = new Arena(memory);
    versions[index] = memories.versions[index];
  });
  if (memories.versions.some((version, index) => !(versions[index] >= version))) return false;
  sizes.forEach((sizeBytes, index) => {
    if (versions[index] === memories.versions[index]) arenas[index].reach(sizeBytes);
  });
  return true;
}

async function letGo({ memories }: LetGoTask): Promise<void> {
  bindArenas(memories);
  heap.clear();
  // Until then the task before this one, and the memories that it knew, are on the stack.
  await setImmediate();
  collectGarbage();
}

function scan(task: ScanTask): ScanAnswer | Failure {
  heap.clear();
  const steps = runScan(task, { arenas, heap });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function finishGroups(task: FinishDirectTask): ColumnsAnswer {
  const { plan, homeArena, states, percentiles, from, to } = task;
  const arena = arenas[homeArena];
  const { grouping } = plan;
  if (!grouping) return { ok: true, columns: [] };
  const layout = layoutStates(grouping, new Workspace());
  const columns = finishDirect(plan, grouping, layout, states, percentiles, arena, from, to);
  return { ok: true, columns };
}

function mergeGroups({ plan, partCount, lanes }: FinishHashTask): ColumnsAnswer {
  const { grouping } = plan;
  if (!grouping) return { ok: true, columns: [] };
  const finish = partCount === 1 ? finishHash : finishHashPart;
  return { ok: true, ...finish(plan, grouping, lanes, heap) };
}

function cut({ plan, columns }: CutTask): ColumnsAnswer {
  return { ok: true, columns: cutAnswer(plan, [...columns]) };
}

/** Moves the answer's arrays to the main thread instead of copying them. */
function transferred(
  answer: ScanAnswer | ScansAnswer | ColumnsAnswer | IngestAnswer | SealAnswer | Failure,
): unknown {
  const buffers = new Set<ArrayBuffer>();
  const collect = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (Array.isArray(value)) {
      // Numbers and texts come in arrays of their own, and may be many.
      if (typeof value[0] !== "number" && typeof value[0] !== "string") value.forEach(collect);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(answer);
  if (buffers.size === 0) return answer;
  return move({ [transferableSymbol]: [...buffers], [valueSymbol]: answer });
}
