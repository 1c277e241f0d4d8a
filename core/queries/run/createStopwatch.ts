/** Measures the time during which at least one task is running. */
export interface Stopwatch {
  /** Milliseconds of completed tasks. Time in which several tasks overlap counts once. */
  readonly elapsedMs: number;
  during<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Creates a stopwatch at zero. */
export function createStopwatch(): Stopwatch {
  let elapsedMs = 0;
  let startedAt = 0;
  let runningCount = 0;
  return {
    get elapsedMs() {
      return elapsedMs;
    },
    async during(work) {
      if (runningCount++ === 0) startedAt = performance.now();
      try {
        return await work();
      } finally {
        if (--runningCount === 0) elapsedMs += performance.now() - startedAt;
      }
    },
  };
}
