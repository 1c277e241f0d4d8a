import { performance } from "node:perf_hooks";

interface BackgroundGate {
  /** Counts a person's question as one that is waited for, until the returned function is called. */
  attend(): () => void;
  /**
   * Resolves when a question in the background may begin. The question lasts until the function is called that it
   * resolves to.
   * @throws the signal's reason
   */
  begin(signal: AbortSignal): Promise<() => void>;
}

interface BackgroundGateOptions {
  /** Share of the main thread's time, above which no question in the background begins beside people. */
  readonly mostUtilization?: number;
  /** For tests. Milliseconds on a clock that only rises. */
  readonly now?: () => number;
  /** Milliseconds of the main thread's work so far. */
  readonly activeMs?: () => number;
  /** Calls a function later, and returns what cancels that. */
  readonly later?: (run: () => void, ms: number) => () => void;
}

/** After so long a question waits for its source rather than for this host, and counts no more. */
const countedMs = 100;
/** Questions in the background that are under way beside people. */
const mostBeside = 8;
/** People count as present for so long after their last question. */
const presentMs = 1_000;
/** One question in the background begins in so long beside people's questions, and one on a busy main thread. */
const besideMs = 8;
const busyMs = 50;
/** Work of the main thread, in milliseconds, that is forgiven, and that is kept. */
const mostCreditMs = 10;
const mostDebtMs = 100;

function startTimer(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/**
 * Creates the gate through which questions in the background begin: beside people in moments without a question of
 * theirs, a few at a time, and while the main thread is less busy than `mostUtilization`; at once where nobody asks. It
 * keeps a timer only while a question in the background waits.
 */
export function createBackgroundGate({
  mostUtilization = 0.6,
  now = () => performance.now(),
  activeMs = () => performance.eventLoopUtilization().active,
  later = startTimer,
}: BackgroundGateOptions = {}): BackgroundGate {
  /** Questions of people, and in the background, oldest first, and when each counts no more. */
  const attended = new Map<symbol, number>();
  const underWay = new Map<symbol, number>();
  const waiting = new Set<() => void>();
  let begunAt = -Infinity;
  let attendedAt = -Infinity;
  let cancel: (() => void) | undefined;
  let [debtMs, measuredAt, measuredMs] = [0, now(), activeMs()];

  /** Forgets questions that count no more; returns when the oldest of the others will. */
  const countsUntil = (questions: Map<symbol, number>): number => {
    for (const [question, untilMs] of questions) {
      if (untilMs > now()) return untilMs;
      questions.delete(question);
    }
    return -Infinity;
  };
  /** Adds the work of the main thread above its share since the last call to the debt. */
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
    // The main thread looks at what came from outside between two beginnings.
    if (waiting.size > 0) cancel = later(serve, Math.max(0, Math.ceil(ms)));
  };
  return {
    attend() {
      const question = Symbol("question");
      attendedAt = now();
      attended.set(question, attendedAt + countedMs);
      return () => {
        attended.delete(question);
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
          const question = Symbol("question");
          underWay.set(question, now() + countedMs);
          resolve(() => {
            underWay.delete(question);
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
