import { createStopwatch, type Stopwatch } from "../run/createStopwatch.ts";
import type { TracedRun } from "../run/traceRun.ts";
import type { QueryPerformance } from "./answeredQuery.ts";
import { milliseconds } from "./milliseconds.ts";

/** The clock of one query, from the moment it leaves the queue. */
export interface Phases {
  /** Subqueries before the query is bound: part of querying, not of validating. */
  readonly subqueries: Stopwatch;
  /** The wait for the answer: of the query's own run, of another caller's, or for memory. */
  readonly waiting: Stopwatch;
  /** Ends validating: the query is bound and secured. */
  endValidating(): void;
  /** Returns the times. `isOwnRun`: this call ran the query, so they include the run. */
  performance(run: TracedRun, isOwnRun: boolean): QueryPerformance;
}

/** Presents an answer, and adds the time to its phase of processing. */
export function timePresenting<Presented>(
  taken: QueryPerformance,
  present: () => Presented,
): { readonly presented: Presented; readonly performance: QueryPerformance } {
  const startedAt = performance.now();
  const presented = present();
  const processing = milliseconds(taken.processing + performance.now() - startedAt);
  return { presented, performance: { ...taken, processing } };
}

/** Starts the clock of a query that was queued at `enqueuedAt`, a time of `performance.now`. */
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
