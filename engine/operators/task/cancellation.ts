import { EngineError } from "../../errors.ts";

/** The cancellation flag of the query on which this thread works. */
let cancelled: Int32Array | undefined;
/** Runs the tasks that wait for this thread. */
let runWaiting: (() => void) | undefined;

/**
 * Sets the query on which the thread works, identified by its cancellation flag. Returns the flag of the previous
 * query. Element 0 of a flag is 1 once the query is cancelled.
 */
export function workFor(flag: Int32Array | undefined): Int32Array | undefined {
  const before = cancelled;
  cancelled = flag;
  return before;
}

/** Makes this thread call `run` at every yield point, inside its current task. */
export function runAtYieldPoints(run: () => void): void {
  runWaiting = run;
}

/**
 * Runs waiting tasks. Long work calls this every few milliseconds, so that other tasks wait for at most one time slice.
 */
export function yieldPoint(): void {
  runWaiting?.();
}

/**
 * Throws if the query has been cancelled; otherwise runs waiting tasks. Long work calls this every few milliseconds,
 * and the scan calls it between row groups.
 * @throws {EngineError} QUERY_CANCELLED
 */
export function endIfCancelled(): void {
  yieldPoint();
  if (cancelled && Atomics.load(cancelled, 0) === 1) throw new EngineError("QUERY_CANCELLED");
}
