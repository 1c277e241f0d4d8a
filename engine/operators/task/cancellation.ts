import { EngineError } from "../../errors.ts";

/** The flag of the query that this thread works for. */
let cancelled: Int32Array | undefined;
/** Runs what waits for this thread. */
let runWaiting: (() => void) | undefined;

/**
 * Sets the query for which the thread works, by its flag. Returns the flag of the query before. Element 0 of a flag is
 * 1 once the query is cancelled.
 */
export function workFor(flag: Int32Array | undefined): Int32Array | undefined {
  const before = cancelled;
  cancelled = flag;
  return before;
}

/** Has this thread call `run` at every yield point, inside its current task. */
export function runAtYieldPoints(run: () => void): void {
  runWaiting = run;
}

/** Runs waiting tasks. Long work calls it every few milliseconds, so that others wait for one time slice at most. */
export function yieldPoint(): void {
  runWaiting?.();
}

/**
 * Ends the work of a cancelled query; else runs waiting tasks. Long work calls it every few milliseconds; the scan
 * calls it between row groups.
 * @throws {EngineError} QUERY_CANCELLED
 */
export function endIfCancelled(): void {
  yieldPoint();
  if (cancelled && Atomics.load(cancelled, 0) === 1) throw new EngineError("QUERY_CANCELLED");
}
