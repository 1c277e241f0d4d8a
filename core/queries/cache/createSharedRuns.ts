/** A run that one or more callers wait for. */
export interface SharedRun<Result> {
  /** When the run started, in milliseconds of the clock passed to `createSharedRuns`. */
  readonly startedAt: number;
  /**
   * Waits for the result until the caller's `signal` aborts. The run continues for the other callers, and is aborted
   * when the last caller leaves.
   */
  wait(signal: AbortSignal): Promise<Result>;
}

/** Runs in progress, by key. Equal concurrent requests share one run (single flight). */
export interface SharedRuns<Result> {
  underWay(key: string): SharedRun<Result> | undefined;
  /** Starts a run. It is in progress until it settles or all callers have left. */
  start(key: string, run: (signal: AbortSignal) => Promise<Result>): SharedRun<Result>;
}

/** Creates an empty set of runs. `now` is a monotonic clock in milliseconds. */
export function createSharedRuns<Result>(now: () => number): SharedRuns<Result> {
  const runs = new Map<string, SharedRun<Result>>();
  return {
    underWay: (key) => runs.get(key),
    start(key, run) {
      const controller = new AbortController();
      const remove = () => {
        if (runs.get(key) === sharedRun) runs.delete(key);
      };
      const result = run(controller.signal).finally(remove);
      let waiterCount = 0;
      const sharedRun: SharedRun<Result> = {
        startedAt: now(),
        async wait(signal) {
          const { promise: left, reject } = Promise.withResolvers<never>();
          let isWaiting = true;
          waiterCount++;
          const leave = () => {
            isWaiting = false;
            waiterCount--;
            if (waiterCount > 0) return reject(signal.reason);
            // The run settles only when the source reacts to the abort. Until then, no new caller may join it.
            remove();
            controller.abort(signal.reason);
          };
          if (signal.aborted) leave();
          else signal.addEventListener("abort", leave, { once: true });
          try {
            return await Promise.race([result, left]);
          } finally {
            signal.removeEventListener("abort", leave);
            if (isWaiting) waiterCount--;
          }
        },
      };
      runs.set(key, sharedRun);
      return sharedRun;
    },
  };
}
