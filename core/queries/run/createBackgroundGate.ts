import { performance } from "node:perf_hooks";

interface BackgroundGate {
  /** Counts a person's query as waiting until the returned function is called. */
  attend(): () => void;
  /**
   * Resolves when a background query may start. The query must call the returned function when it is complete.
   * @throws the signal's reason
   */
  begin(signal: AbortSignal): Promise<() => void>;
}

interface BackgroundGateOptions {
  /**
   * Maximum busy share of the main thread's time, from 0 to 1. Above it, no background query starts while people send
   * queries.
   */
  readonly mostUtilization?: number;
  /** A monotonic clock in milliseconds, for tests. */
  readonly now?: () => number;
  /** Returns how many milliseconds the main thread has worked so far. */
  readonly activeMs?: () => number;
  /** Schedules a function after `ms` milliseconds, and returns a function that cancels it. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/**
 * Milliseconds for which a query counts as work of this host. A query that takes longer is waiting for its source
 * rather than for this host.
 */
const countedMs = 100;
/** Maximum number of background queries that may run while people send queries. */
const mostBeside = 8;
/** Milliseconds for which people count as present after their last query. */
const presentMs = 1_000;
/**
 * Milliseconds between the starts of two background queries: `besideMs` while people's queries run, and `busyMs` while
 * the main thread is busy.
 */
const besideMs = 8;
const busyMs = 50;
/**
 * Limits of the debt in milliseconds of the main thread's work: it falls to `-mostCreditMs` at the lowest, and rises to
 * `mostDebtMs` at the highest.
 */
const mostCreditMs = 10;
const mostDebtMs = 100;

function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * Creates the gate that delays background queries. While people are present, background queries start a few at a time,
 * and only if no person's query is waiting and the main thread is less busy than `mostUtilization`. Otherwise they
 * start at once. The gate keeps a timer only while a background query is waiting.
 */
export function createBackgroundGate({
  mostUtilization = 0.6,
  now = () => performance.now(),
  activeMs = () => performance.eventLoopUtilization().active,
  later = startTimer,
}: BackgroundGateOptions = {}): BackgroundGate {
  /** People's queries and background queries, oldest first, each with the time until which it counts. */
  const attended = new Map<symbol, number>();
  const underWay = new Map<symbol, number>();
  const waiting = new Set<() => void>();
  let begunAt = -Infinity;
  let attendedAt = -Infinity;
  let cancel: (() => void) | undefined;
  let [debtMs, measuredAt, measuredMs] = [0, now(), activeMs()];

  /** Removes queries that no longer count. Returns the time until which the oldest remaining query counts. */
  const countsUntil = (queries: Map<symbol, number>): number => {
    for (const [query, untilMs] of queries) {
      if (untilMs > now()) return untilMs;
      queries.delete(query);
    }
    return -Infinity;
  };
  /** Adds to the debt the work that the main thread has done beyond its share since the last measurement. */
  const measure = (at: number): void => {
    const active = activeMs();
    const addedMs = active - measuredMs - (at - measuredAt) * mostUtilization;
    debtMs = Math.min(mostDebtMs, Math.max(-mostCreditMs, debtMs + addedMs));
    [measuredAt, measuredMs] = [at, active];
  };
  const waitMs = (): number => {
    const at = now();
    measure(at);
    if (at - attendedAt > presentMs) return 0;
    const ownUntil = countsUntil(underWay);
    return Math.max(
      underWay.size < mostBeside ? 0 : ownUntil - at,
      Math.min(countsUntil(attended), begunAt + besideMs) - at,
      Math.min(debtMs / mostUtilization, begunAt + busyMs - at),
    );
  };
  const serve = (): void => {
    cancel?.();
    cancel = undefined;
    const [first] = waiting;
    if (!first) return;
    const ms = waitMs();
    if (ms <= 0) {
      waiting.delete(first);
      begunAt = now();
      first();
    }
    // Waits between two starts, so that the main thread can handle incoming events.
    if (waiting.size > 0) cancel = later(serve, Math.max(0, Math.ceil(ms)));
  };
  return {
    attend() {
      const query = Symbol("query");
      attendedAt = now();
      attended.set(query, attendedAt + countedMs);
      return () => {
        attended.delete(query);
        if (attended.size === 0) serve();
      };
    },
    begin(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        const abort = () => {
          waiting.delete(begin);
          reject(signal.reason as Error);
        };
        const begin = () => {
          signal.removeEventListener("abort", abort);
          const query = Symbol("query");
          underWay.set(query, now() + countedMs);
          resolve(() => {
            underWay.delete(query);
            serve();
          });
        };
        signal.addEventListener("abort", abort, { once: true });
        waiting.add(begin);
        if (!cancel) serve();
      });
    },
  };
}
