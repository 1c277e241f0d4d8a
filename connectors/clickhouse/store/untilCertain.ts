import { detailsOf, isLost } from "../failure.ts";

export interface CertaintyOptions {
  readonly signal: AbortSignal;
  /**
   * Whether the server has already responded to this write. If the server can no longer be reached after that, it is
   * probably restarting.
   */
  readonly hasAnswered?: boolean;
  /** Waits between attempts. Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const firstWaitMs = 50;
const longestWaitMs = 1000;
const away = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EAI_AGAIN"]);

/**
 * Repeats an attempt while its outcome is unknown because the connection broke before the server responded. If the
 * server cannot be reached at first, the call fails at once. If it becomes unreachable later, it may be restarting, and
 * the call tries again.
 * @throws the error of the attempt, or the signal's reason
 */
export async function untilCertain<Result>(
  attempt: (isRepeated: boolean) => Promise<Result>,
  { signal, wait, hasAnswered = false }: CertaintyOptions,
): Promise<Result> {
  let isRepeated = false;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs))
    try {
      return await attempt(isRepeated);
    } catch (failure) {
      signal.throwIfAborted();
      const isAway = (isRepeated || hasAnswered) && away.has(detailsOf(failure).code ?? "");
      if (!isAway && !isLost(failure)) throw failure;
      isRepeated = true;
      await wait(waitMs, signal);
    }
}
