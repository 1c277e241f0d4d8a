import { setImmediate } from "node:timers/promises";
import { MessageChannel, parentPort, receiveMessageOnPort } from "node:worker_threads";
import { workerData } from "piscina";
import { failureOf, type Failure } from "../failureOf.ts";
import type { DecodeAnswer, SealAnswer } from "../ingest/messages.ts";
import { runDecode } from "../ingest/runDecode.ts";
import { runSealColumns } from "../ingest/runSealColumns.ts";
import { warmSealing } from "../ingest/warmSealing.ts";
import { warmKernels, warmSizeBytes } from "../kernels/warmKernels.ts";
import { collectGarbage } from "../memory/collectGarbage.ts";
import { Arena } from "../operators/task/arena.ts";
import { runAtYieldPoints, workFor } from "../operators/task/cancellation.ts";
import { Heap } from "../operators/task/heap.ts";
import { buffersOf } from "./buffersOf.ts";
import {
  controlCancelled,
  countsPosted,
  countsTaken,
  startupReady,
  type ColumnsAnswer,
  type ReleaseMemoryTask,
  type Memories,
  type NeedsMemories,
  type PostedAnswer,
  type PostedTask,
  type QueryTask,
  type SampleAnswer,
  type ScanAnswer,
  type ScansAnswer,
  type ScanTogetherTask,
  type ThreadLoaded,
  type WorkerTask,
} from "./messages.ts";
import { moving } from "./moving.ts";
import { runScan } from "./runScan.ts";
import { runTask } from "./runTask.ts";
import { scanTogether } from "./scanTogether.ts";

const arenas: Arena[] = [];
/** Versions of the arenas' memories. */
const versions: number[] = [];
/** A heap for each running task. Each task after the first runs at a yield point of the previous task. */
const heaps = [new Heap()];
let depth = 0;
/** Maximum bytes of a posted task's heap that are kept. */
const keptHeapBytes = 2 ** 24;
const { port1: port, port2: otherPort } = new MessageChannel();
const counts = new Int32Array(new SharedArrayBuffer(8));
let takenCount = 0;
runAtYieldPoints(serve);
parentPort?.postMessage({ kind: "loaded", port: otherPort, counts } satisfies ThreadLoaded, [
  otherPort,
]);
const startup: Int32Array = workerData;
// Counts the thread as ready only after this module has loaded, because a thread must not be stopped before; see
// `Threads.close`.
queueMicrotask(() => {
  Atomics.add(startup, startupReady, 1);
  Atomics.notify(startup, startupReady);
});

/** Runs a task. This function is the entry point of a pool's thread. */
export default function work(task: WorkerTask): unknown {
  if (task.kind === "decode") return runDecode(task).then(transferred);
  if (task.kind === "sealColumns") return transferred(runSealColumns(task));
  if (task.kind === "releaseMemory") return releaseMemory(task);
  if (task.kind === "warmSealing") return warmSealing();
  if (task.kind === "serve") return serve();
  if (task.kind === "warmKernels")
    return warmKernels(heaps[0].arena.memory, heaps[0].reserve(warmSizeBytes));
  return transferred(answer(task));
}

type TaskAnswer = ScanAnswer | SampleAnswer | ScansAnswer | ColumnsAnswer | NeedsMemories | Failure;

function answer(task: QueryTask | ScanTogetherTask): TaskAnswer {
  try {
    if ("memories" in task && !bindArenas(task.memories)) return { ok: "needsMemories" };
    const heap = heaps[depth];
    if (task.kind === "scanTogether") {
      heap.clear();
      return {
        ok: true,
        scans: scanTogether(task.scans, (scan) => runScan(scan, { arenas, heap })),
      };
    }
    workFor(task.control.subarray(controlCancelled, controlCancelled + 1));
    return runTask(task, { arenas, heap });
  } catch (error) {
    return failureOf(error);
  }
}

/** Runs the posted tasks, each with a separate heap. */
function serve(): void {
  while (Atomics.load(counts, countsPosted) !== takenCount) {
    const received = receiveMessageOnPort(port);
    if (!received) return;
    Atomics.store(counts, countsTaken, ++takenCount);
    const flag = workFor(undefined);
    depth++;
    heaps[depth] ??= new Heap();
    const { number, task }: PostedTask = received.message;
    let posted: PostedAnswer;
    let buffers: ArrayBuffer[] = [];
    try {
      const done = answer(task);
      buffers = [...buffersOf(done)];
      posted = { number, answer: done };
    } catch (error) {
      posted = { number, thrown: error instanceof Error ? error.message : String(error) };
    }
    heaps[depth--].clear(keptHeapBytes);
    workFor(flag);
    port.postMessage(posted, buffers);
  }
}

/** Binds the memories that were sent with a task. Returns whether all memories that the task reads are now bound. */
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

async function releaseMemory({ memories }: ReleaseMemoryTask): Promise<void> {
  bindArenas(memories);
  heaps.splice(1);
  heaps[0].clear();
  // Before this turn ends, the previous task and its references to memories are still on the stack.
  await setImmediate();
  collectGarbage();
}

/** Transfers the arrays of a response to the main thread instead of copying them. */
function transferred(answer: TaskAnswer | DecodeAnswer | SealAnswer): unknown {
  return moving(answer, [...buffersOf(answer)]);
}
