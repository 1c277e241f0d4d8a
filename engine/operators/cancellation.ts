import { EngineError } from "../errors.ts";

/** The flag of the query that this thread works for. A thread has one task at a time. */
let cancelled: Int32Array | undefined;

/** Tells for which query the thread works from now on: element 0 of its flag is 1 once it is cancelled. */
export function workFor(flag: Int32Array): void {
  cancelled = flag;
}

/**
 * Ends the work of a cancelled query. What takes long asks it every few milliseconds; between row groups the scan looks by itself.
 * @throws {EngineError} QUERY_CANCELLED
 */
export function endIfCancelled(): void {
  if (cancelled && Atomics.load(cancelled, 0) === 1) throw new EngineError("QUERY_CANCELLED");
}
