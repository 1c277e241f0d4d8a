import { setTimeout as sleep } from "node:timers/promises";

/** Runs an evaluation once: in the background, or with the priority of people's queries. */
type Run<Result> = (isBackground: boolean, signal: AbortSignal) => Promise<Result>;

interface StarvationGuardOptions {
  /**
   * Milliseconds without a completed evaluation after which a waiting evaluation runs with the priority of people's
   * queries.
   */
  readonly patienceMs: number;
  /** Waits for the given number of milliseconds; replaced in tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly now?: () => number;
}

/**
 * Creates the guard that lets evaluations proceed while people keep the host busy. If no evaluation has completed for
 * `patienceMs`, the guard runs one waiting evaluation again, with the priority of people's queries. Only one evaluation
 * at a time gets this priority, so people wait for at most one such query per `patienceMs`. A slow source may receive a
 * query twice in that time.
 */
export function createStarvationGuard(
  options: StarvationGuardOptions,
): <Result>(run: Run<Result>, signal: AbortSignal) => Promise<Result> {
  const { patienceMs, now = () => performance.now() } = options;
  const { wait = (ms, signal) => sleep(ms, undefined, { signal, ref: false }) } = options;
  let [endedAt, isTaken] = [-Infinity, false];

  /** Waits until an evaluation that started at `startedAt` may run with the priority of people's queries. */
  const untilDue = async (startedAt: number, signal: AbortSignal): Promise<"due"> => {
    for (;;) {
      const leftMs = Math.max(startedAt, endedAt) + patienceMs - now();
      if (leftMs <= 0 && !isTaken) {
        isTaken = true;
        return "due";
      }
      await wait(leftMs > 0 ? leftMs : patienceMs, signal);
    }
  };
  return async (run, signal) => {
    const [settled, late] = [new AbortController(), new AbortController()];
    const running = run(true, AbortSignal.any([signal, late.signal]));
    const due = untilDue(now(), settled.signal);
    try {
      const first = await Promise.race([running.then((answer) => ({ answer })), due]);
      if (first !== "due") return first.answer;
      running.catch(() => undefined);
      late.abort(new Error("the evaluation runs again, with the priority of people's queries"));
      return await run(false, signal);
    } finally {
      settled.abort();
      endedAt = now();
      // The evaluation may have become due at the moment when its answer arrived.
      void due.then(
        () => (isTaken = false),
        () => undefined,
      );
    }
  };
}
