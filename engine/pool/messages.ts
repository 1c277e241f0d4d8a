import type { MessagePort } from "node:worker_threads";
import type { Failure } from "../failureOf.ts";
import type { DecodeTask, SealColumnsTask } from "../ingest/messages.ts";
import type { DirectStates, PairCounts, Percentiles } from "../operators/output/finishDirect.ts";
import type { DistinctParts, QuantileParts } from "../operators/output/finishPairs.ts";
import type { LaneRows } from "../operators/output/finishRows.ts";
import type { Partitions } from "../operators/groups/partitions.ts";
import type { SampledGroups } from "../operators/groups/sampleGroups.ts";
import type { LaneGroups } from "../operators/groups/laneGroups.ts";
import type { ComputedTexts } from "../operators/rows/computedTexts.ts";
import type { CollectRequest } from "../operators/percentiles/percentiles.ts";
import type { LaneResult } from "../operators/scan.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";

/* The messages between the main thread and a worker. */

/**
 * Indices in the shared `control` array of a query: of the cancellation flag, and of the number of the next lane. A
 * task takes a lane by an atomic addition to this number.
 */
export const controlCancelled = 0;
export const controlNextLane = 1;

/** Index, in the shared `startup` of a pool, of the number of ready threads. */
export const startupReady = 0;

/**
 * Indices in the shared `counts` of a thread: the number of tasks posted to its yield points, and the number of posted
 * tasks that it has started.
 */
export const countsPosted = 0;
export const countsTaken = 1;

/** The message of a thread that has loaded, with the port for tasks to run at yield points. */
export interface ThreadLoaded {
  readonly kind: "loaded";
  readonly port: MessagePort;
  readonly counts: Int32Array;
}

/** A task to run at a yield point of the running task. */
export interface PostedTask {
  readonly number: number;
  readonly task: QueryTask | ScanTogetherTask;
}

/** The response to a posted task. `thrown` is the message of an error that is not a `Failure`. */
export interface PostedAnswer {
  readonly number: number;
  readonly answer?: unknown;
  readonly thrown?: string;
}

/** Tells a worker to run its posted tasks now, because the running task ended before its next yield point. */
export interface ServeTask {
  readonly kind: "serve";
}

/**
 * The memories that a task reads. Passing a memory takes most of a millisecond, so a task only contains sizes and
 * versions. A worker that lacks the memories answers `needsMemories` and receives the task again, with the memories. A
 * worker may have a later version of a memory that the task does not read.
 */
export interface Memories {
  /** Size of each memory in bytes. */
  readonly sizes: readonly number[];
  /** Version of each memory: the number of earlier memories at its index that have been released. */
  readonly versions: readonly number[];
  readonly passed?: readonly WebAssembly.Memory[];
}

/** Tells a worker to replace its memories with the memories in the message, and to collect its garbage. */
export interface ReleaseMemoryTask {
  readonly kind: "releaseMemory";
  readonly memories: Memories;
}

/** Tells a worker to warm the kernels. The threads of a process share the compiled code. */
export interface WarmKernelsTask {
  readonly kind: "warmKernels";
}

/** Tells a worker to warm the sealing of rows. */
export interface WarmSealingTask {
  readonly kind: "warmSealing";
}

/** Tells a worker to run lanes until none are left, or to run the listed lanes. */
export interface ScanTask {
  readonly kind: "scan";
  readonly memories: Memories;
  readonly plan: BoundPlan;
  readonly control: Int32Array;
  /** Address of the task's workspace in each arena; -1 for arenas without a workspace. */
  readonly bases: readonly number[];
  /** The arena from which the answer is read. */
  readonly homeArena: number;
  /** Number of parts in which hashed groups are merged. */
  readonly partCount: number;
  /** Address of the ordered states in the home arena, lane by lane, and the bytes per lane. */
  readonly laneStates: number;
  readonly laneBytes: number;
  /** Where rows are partitioned by their keys, instead of being folded. */
  readonly partitions?: Partitions;
  /** The requests of the second scan of percentiles, and the lanes to repeat. */
  readonly second?: {
    readonly requests: readonly CollectRequest[];
    readonly lanes: readonly number[];
  };
}

/** Tells a worker to sample the groups of a plan. */
export interface SampleTask {
  readonly kind: "sample";
  readonly memories: Memories;
  readonly plan: BoundPlan;
  readonly control: Int32Array;
  readonly bases: readonly number[];
}

/** A scan that can run in the same task as other scans. */
export type SharedScan = Omit<ScanTask, "kind" | "memories" | "second">;

/** Tells a worker to run scans of one table together, row group by row group. Each scan runs all its lanes. */
export interface ScanTogetherTask {
  readonly kind: "scanTogether";
  readonly memories: Memories;
  readonly scans: readonly SharedScan[];
}

/** Tells a worker to count and select from parts of the recorded pairs. It writes the results to shared memory. */
export interface FinishPairsTask {
  readonly kind: "finishPairs";
  readonly control: Int32Array;
  readonly distincts: readonly DistinctParts[];
  readonly quantiles: readonly QuantileParts[];
}

/** Tells a worker to return the rows of a range of directly numbered groups. */
export interface FinishDirectTask {
  readonly kind: "finishDirect";
  readonly control: Int32Array;
  readonly memories: Memories;
  readonly plan: BoundPlan;
  readonly homeArena: number;
  readonly states: DirectStates;
  readonly percentiles: Percentiles;
  readonly pairCounts: PairCounts;
  readonly from: number;
  readonly to: number;
}

/** Tells a worker to fold and finish parts of partitioned rows until none are left. */
export interface FinishPartsTask {
  readonly kind: "finishParts";
  readonly control: Int32Array;
  readonly memories: Memories;
  readonly plan: BoundPlan;
  readonly partitions: Partitions;
}

/** Tells a worker to merge one part of the hashed groups. */
export interface FinishHashTask {
  readonly kind: "finishHash";
  readonly control: Int32Array;
  readonly plan: BoundPlan;
  readonly partCount: number;
  readonly lanes: readonly LaneGroups[];
}

/** Tells a worker to sort and limit rows. */
export interface CutTask {
  readonly kind: "cut";
  readonly control: Int32Array;
  readonly plan: BoundPlan;
  readonly columns: readonly Float64Array[];
}

/** Tells a worker to concatenate, sort and limit the rows of lanes. */
export interface FinishRowsTask {
  readonly kind: "finishRows";
  readonly control: Int32Array;
  readonly plan: BoundPlan;
  readonly lanes: readonly LaneRows[];
}

export type QueryTask =
  | SampleTask
  | ScanTask
  | FinishPairsTask
  | FinishDirectTask
  | FinishHashTask
  | FinishPartsTask
  | FinishRowsTask
  | CutTask;
export type WorkerTask =
  | QueryTask
  | ScanTogetherTask
  | DecodeTask
  | SealColumnsTask
  | ReleaseMemoryTask
  | ServeTask
  | WarmKernelsTask
  | WarmSealingTask;

export interface NeedsMemories {
  readonly ok: "needsMemories";
}

export interface ScanAnswer {
  readonly ok: true;
  /** The lanes that the task ran. */
  readonly lanes: readonly number[];
  readonly results: readonly LaneResult[];
  readonly scannedRowCount: number;
}

export interface SampleAnswer extends SampledGroups {
  readonly ok: true;
}

/** One response or failure per scan, in the order of the scans. */
export interface ScansAnswer {
  readonly ok: true;
  readonly scans: readonly (ScanAnswer | Failure)[];
}

export interface ColumnsAnswer {
  readonly ok: true;
  readonly columns: readonly Float64Array[];
  /** For each output whose strings were computed, the strings for its codes. */
  readonly texts?: readonly ComputedTexts[];
}
