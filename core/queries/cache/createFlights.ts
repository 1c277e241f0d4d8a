/** A run that several callers wait for. */
export interface Flight<Result> {
  /** Milliseconds of the clock of the flights. */
  readonly startedAt: number;
  /**
   * Waits for the result until the caller's `signal` aborts. The run goes on for the others; with the last caller it is
   * aborted.
   */
  board(signal: AbortSignal): Promise<Result>;
}

/** Runs under way by key, so that equal ones at the same time are one (single flight). */
export interface Flights<Result> {
  underWay(key: string): Flight<Result> | undefined;
  /** Starts a run, which is under way until it ends or all callers have left. */
  start(key: string, run: (signal: AbortSignal) => Promise<Result>): Flight<Result>;
}

/** Makes flights; `now` is a clock that never goes back. */
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
            // The run now ends with the source's reaction to the abort; nobody may join it any more.
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
