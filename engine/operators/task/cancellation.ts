import { EngineError } from "../../errors.ts";

/** The flag of the query that this thread works for. */
let cancelled: Int32Array | undefined;
/** Runs what waits for this thread. */
let runWaiting: (() => void) | undefined;

/**
 * Tells for which query the thread works from now on, and returns for which it did: element 0 of its flag is 1 once it
 * is cancelled.
 */
export function workFor(flag: Int32Array | undefined): Int32Array | undefined {
  const before = cancelled;
  cancelled = flag;
  return before;
}

/** Has this thread run at every pause, inside the task that it works on, what `run` finds to do. */
export function runAtPauses(run: () => void): void {
  runWaiting = run;
}

/**
 * The end of a slice: what takes long comes here every few milliseconds, so that tasks of others wait for one slice at
 * most.
 */
export function pause(): void {
  runWaiting?.();
}

/**
 * Ends the work of a cancelled query, and pauses. What takes long asks it every few milliseconds; between row groups
 * the scan looks by itself.
 * @throws {EngineError} QUERY_CANCELLED
 */
export function endIfCancelled(): void {
  pause();
  if (cancelled && Atomics.load(cancelled, 0) === 1) throw new EngineError("QUERY_CANCELLED");
}
