import { createStopwatch, type Stopwatch } from "../run/createStopwatch.ts";
import type { TracedRun } from "../run/traceRun.ts";
import type { QueryPerformance } from "./answeredQuery.ts";
import { milliseconds } from "./milliseconds.ts";

/** The timings of one query, from the moment it leaves the queue. */
export interface Phases {
  /** Measures the time in subqueries before the query is bound. This time counts as querying, not as validating. */
  readonly subqueries: Stopwatch;
  /**
   * Measures the time spent waiting for the answer: from the query's own run, from another caller's run, or from the
   * cache.
   */
  readonly waiting: Stopwatch;
  /** Ends the phase of validating: the query is bound and secured. */
  endValidating(): void;
  /** Returns the timings. If `isOwnRun`, this call ran the query, so the timings include the run. */
  performance(run: TracedRun, isOwnRun: boolean): QueryPerformance;
}

/** Presents an answer, and adds the time that presenting takes to the answer's processing phase. */
export function timePresenting<Presented>(
  taken: QueryPerformance,
  present: () => Presented,
): { readonly presented: Presented; readonly performance: QueryPerformance } {
  const startedAt = performance.now();
  const presented = present();
  const processing = milliseconds(taken.processing + performance.now() - startedAt);
  return { presented, performance: { ...taken, processing } };
}

/** Starts the timings of a query that was queued at `enqueuedAt`, by `performance.now`. */
export function createPhases(enqueuedAt: number): Phases {
  const startedAt = performance.now();
  const subqueries = createStopwatch();
  const waiting = createStopwatch();
  let validatingMs = 0;
  return {
    subqueries,
    waiting,
    endValidating() {
      validatingMs = performance.now() - startedAt - subqueries.elapsedMs;
    },
    performance({ batch, preparingMs, queryingMs, processingMs }, isOwnRun) {
      return {
        validating: milliseconds(validatingMs),
        preparing: milliseconds(isOwnRun ? preparingMs : 0),
        queuing: milliseconds(startedAt - enqueuedAt),
        querying: milliseconds(subqueries.elapsedMs + (isOwnRun ? queryingMs : waiting.elapsedMs)),
        processing: milliseconds(isOwnRun ? processingMs : 0),
        rows: batch.rowCount,
      };
    },
  };
}
