/** The deadline of a call to a driver. */
export interface CallDeadline {
  /** Aborts with the caller's signal, or at the deadline with a `TimeoutError`. */
  readonly signal: AbortSignal;
  /** Removes the deadline, for a scan. The host itself stops a scan that stays silent. */
  lift(): void;
  close(): void;
}

/** Starts the deadline of a call. Close it when the call has ended. */
export function openCallDeadline(callerSignal: AbortSignal, timeoutMs: number): CallDeadline {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException("the deadline of the call has passed", "TimeoutError")),
    timeoutMs,
  );
  const lift = () => clearTimeout(timer);
  return { signal: AbortSignal.any([callerSignal, late.signal]), lift, close: lift };
}
