import { detailsOf, isLost } from "../failure.ts";

export interface CertaintyOptions {
  readonly signal: AbortSignal;
  /** The server has answered this write before, so one that cannot be reached is starting again. */
  readonly hasAnswered?: boolean;
  /** Waits between attempts; rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

const firstWaitMs = 50;
const longestWaitMs = 1000;
const away = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "EAI_AGAIN"]);

/**
 * Makes an attempt again for as long as nobody knows what became of it: the connection broke before the server
 * answered. A server that cannot be reached at first is a failure at once; after that it may be starting again.
 * @throws what the attempt throws; the reason of the signal
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
