import type { MessagePort } from "node:worker_threads";
import type { Failure } from "../failureOf.ts";
import type { IngestTask, SealTask } from "../ingest/messages.ts";
import type { DirectStates, Percentiles } from "../operators/output/finishDirect.ts";
import type { LaneRows } from "../operators/output/finishRows.ts";
import type { LaneGroups } from "../operators/groups/laneGroups.ts";
import type { ComputedTexts } from "../operators/rows/computedTexts.ts";
import type { CollectRequest } from "../operators/percentiles/percentiles.ts";
import type { LaneResult } from "../operators/scan.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";

/** Everything that crosses between the main thread and a worker. */

/** Places in the shared `control` of a query: `nextLane` is taken with an atomic add. */
export const controlCancelled = 0;
export const controlNextLane = 1;

/** Place in the `startup` of a pool: how many threads are ready. */
export const startupReady = 0;

/**
 * Places in the shared `counts` of a thread: tasks that were posted to be run at a pause, and those that it took of
 * them.
 */
export const countsPosted = 0;
export const countsTaken = 1;

/** What a thread says when it is loaded: where it gets tasks that it runs at a pause of another one. */
export interface ThreadLoaded {
  readonly kind: "loaded";
  readonly port: MessagePort;
  readonly counts: Int32Array;
}

/** A task that is run at a pause of another one. */
export interface PostedTask {
  readonly number: number;
  readonly task: QueryTask | ScanTogetherTask;
}

/** What a thread answers for a task that it ran at a pause; `thrown` is the message of what is no failure. */
export interface PostedAnswer {
  readonly number: number;
  readonly answer?: unknown;
  readonly thrown?: string;
}

/** Asks a worker to run what was posted to be run at a pause, when the task ended before it. */
export interface ServeTask {
  readonly kind: "serve";
}

/**
 * The memories that a task reads. Passing one takes most of a millisecond, so a task says only how large they are; a
 * worker that does not know them yet answers `needsMemories`, and gets the task again with them. A worker may know a
 * later version of a memory that the task does not read.
 */
export interface Memories {
  /** Bytes of each memory. */
  readonly sizes: readonly number[];
  /** How many memories were given up in the place of each. */
  readonly versions: readonly number[];
  readonly passed?: readonly WebAssembly.Memory[];
}

/** Asks a worker to know the memories that are passed, to let go of those before them, and to collect its garbage. */
export interface ReleaseMemoryTask {
  readonly kind: "releaseMemory";
  readonly memories: Memories;
}

/** Asks a worker to warm the kernels, whose compiled code the threads of a process share. */
export interface WarmKernelsTask {
  readonly kind: "warmKernels";
}

/** Asks a worker to load what encodes files. */
export interface WarmIngestTask {
  readonly kind: "warmIngest";
}

/** Asks a worker to run lanes until none is left, or those that are listed. */
export interface ScanTask {
  readonly kind: "scan";
  readonly memories: Memories;
  readonly plan: BoundPlan;
  readonly control: Int32Array;
  /** Address of the task's workspace in each arena, -1 where it has none. */
  readonly bases: readonly number[];
  /** The arena in which the answer is read. */
  readonly homeArena: number;
  /** Parts in which groups that are found by hashing are merged. */
  readonly partCount: number;
  /** Address, in the home arena, of the ordered states, lane by lane; bytes of one lane. */
  readonly laneStates: number;
  readonly laneBytes: number;
  /** The second scan of percentiles. */
  readonly second?: {
    readonly requests: readonly CollectRequest[];
    readonly lanes: readonly number[];
  };
}

/** A scan that runs beside others in one task. */
export type SharedScan = Omit<ScanTask, "kind" | "memories" | "second">;

/** Asks a worker to run scans of one table side by side, row group by row group, each with all its lanes. */
export interface ScanTogetherTask {
  readonly kind: "scanTogether";
  readonly memories: Memories;
  readonly scans: readonly SharedScan[];
}

/** Asks a worker to make the rows of a range of directly numbered groups. */
export interface FinishDirectTask {
  readonly kind: "finishDirect";
  readonly control: Int32Array;
  readonly memories: Memories;
  readonly plan: BoundPlan;
  readonly homeArena: number;
  readonly states: DirectStates;
  readonly percentiles: Percentiles;
  readonly from: number;
  readonly to: number;
}

/** Asks a worker to merge a part of the groups that were found by hashing; all of them when there is one part. */
export interface FinishHashTask {
  readonly kind: "finishHash";
  readonly control: Int32Array;
  readonly plan: BoundPlan;
  readonly partCount: number;
  readonly lanes: readonly LaneGroups[];
}

/** Asks a worker to sort and cut rows. */
export interface CutTask {
  readonly kind: "cut";
  readonly control: Int32Array;
  readonly plan: BoundPlan;
  readonly columns: readonly Float64Array[];
}

/** Asks a worker to join, sort and cut the rows of lanes. */
export interface FinishRowsTask {
  readonly kind: "finishRows";
  readonly control: Int32Array;
  readonly plan: BoundPlan;
  readonly lanes: readonly LaneRows[];
}

export type QueryTask = ScanTask | FinishDirectTask | FinishHashTask | FinishRowsTask | CutTask;
export type WorkerTask =
  | QueryTask
  | ScanTogetherTask
  | IngestTask
  | SealTask
  | ReleaseMemoryTask
  | ServeTask
  | WarmKernelsTask
  | WarmIngestTask;

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

/** An answer or failure for each scan, in their order. */
export interface ScansAnswer {
  readonly ok: true;
  readonly scans: readonly (ScanAnswer | Failure)[];
}

export interface ColumnsAnswer {
  readonly ok: true;
  readonly columns: readonly Float64Array[];
  /** What the codes of computed texts stand for, by output. */
  readonly texts?: readonly ComputedTexts[];
}
