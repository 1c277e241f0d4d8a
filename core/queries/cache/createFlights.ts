/** A run that one or more callers wait for. */
export interface Flight<Result> {
  /** When the run started, in milliseconds of the clock passed to `createFlights`. */
  readonly startedAt: number;
  /**
   * Waits for the result until the caller's `signal` aborts. The run continues for the other callers; when the last one
   * leaves, it is aborted.
   */
  board(signal: AbortSignal): Promise<Result>;
}

/** Runs that are under way, by key. Equal requests at the same time share one run (single flight). */
export interface Flights<Result> {
  underWay(key: string): Flight<Result> | undefined;
  /** Starts a run. It is under way until it settles or all callers have left. */
  start(key: string, run: (signal: AbortSignal) => Promise<Result>): Flight<Result>;
}

/** Creates an empty set of runs. `now` is a monotonic clock. */
export function createFlights<Result>(now: () => number): Flights<Result> {
  const flights = new Map<string, Flight<Result>>();
  return {
    underWay: (key) => flights.get(key),
    start(key, run) {
      const controller = new AbortController();
      const land = () => {
        if (flights.get(key) === flight) flights.delete(key);
      };
      const result = run(controller.signal).finally(land);
      let waiterCount = 0;
      const flight: Flight<Result> = {
        startedAt: now(),
        async board(signal) {
          const { promise: left, reject } = Promise.withResolvers<never>();
          let isAboard = true;
          waiterCount++;
          const leave = () => {
            isAboard = false;
            waiterCount--;
            if (waiterCount > 0) return reject(signal.reason);
            // The run now settles once the source reacts to the abort. Nobody may join it any more.
            land();
            controller.abort(signal.reason);
          };
          if (signal.aborted) leave();
          else signal.addEventListener("abort", leave, { once: true });
          try {
            return await Promise.race([result, left]);
          } finally {
            signal.removeEventListener("abort", leave);
            if (isAboard) waiterCount--;
          }
        },
      };
      flights.set(key, flight);
      return flight;
    },
  };
}
