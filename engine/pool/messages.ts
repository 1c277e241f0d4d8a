import type { EngineErrorCode } from "../errors.ts";
import type { LaneResults } from "../operators/finish.ts";
import type { LaneResult } from "../operators/scan.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";

/** Everything that crosses between the main thread and a worker. */

/** Places in the shared `control` of a query: `nextLane` is taken with an atomic add. */
export const controlCancelled = 0;
export const controlNextLane = 1;

/** Asks a worker to run lanes until none is left. */
export interface ScanTask {
  readonly kind: "scan";
  readonly plan: BoundPlan;
  readonly control: Int32Array;
}

/** Asks a worker to merge, sort and cut what the lanes found. */
export interface FinishTask {
  readonly kind: "finish";
  readonly plan: BoundPlan;
  readonly lanes: LaneResults;
}

export type WorkerTask = ScanTask | FinishTask;

/** A worker returns failures: an error that is thrown across the thread loses its class and code. */
export interface Failure {
  readonly ok: false;
  readonly code: EngineErrorCode;
  readonly details: readonly (string | number)[];
}

export interface ScanAnswer {
  readonly ok: true;
  readonly lanes: readonly { readonly lane: number; readonly result: LaneResult }[];
}

export interface FinishAnswer {
  readonly ok: true;
  readonly columns: readonly Float64Array[];
}
