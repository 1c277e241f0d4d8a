import { setTimeout as sleep } from "node:timers/promises";

/** Asks once: after people's questions, or beside them. */
type Run<Result> = (isBackground: boolean, signal: AbortSignal) => Promise<Result>;

interface StarvationGuardOptions {
  /** How long no evaluation may end before one is asked beside people's questions. */
  readonly patienceMs: number;
  /** For tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  readonly now?: () => number;
}

/**
 * Creates the guard that lets evaluations end while people keep the host busy. When none has ended for `patienceMs`,
 * it asks one waiting evaluation again, beside people's questions. It asks one at a time, so people wait for at most
 * one such question in `patienceMs`. A slow source may get a question twice in that time.
 */
export function createStarvationGuard(
  options: StarvationGuardOptions,
): <Result>(run: Run<Result>, signal: AbortSignal) => Promise<Result> {
  const { patienceMs, now = () => performance.now() } = options;
  const { wait = (ms, signal) => sleep(ms, undefined, { signal, ref: false }) } = options;
  let [endedAt, isTaken] = [-Infinity, false];

  /** Takes the place beside people's questions for an evaluation that began at `startedAt`, once it is due. */
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
      late.abort(new Error("the evaluation is asked again, beside people's questions"));
      return await run(false, signal);
    } finally {
      settled.abort();
      endedAt = now();
      // The place may have been taken when the answer came.
      void due.then(
        () => (isTaken = false),
        () => undefined,
      );
    }
  };
}
