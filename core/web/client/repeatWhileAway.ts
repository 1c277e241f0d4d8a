import { ClientError } from "./clientError.ts";

const leastWaitMs = 200;
const mostWaitMs = 10_000;

/**
 * Returns the milliseconds to wait before repeating a call: the time in `Retry-After`, plus a random part of a delay
 * that doubles with each attempt. Undefined if repeating would fail again.
 */
function waitBefore(failure: unknown, sent: number): number | undefined {
  if (!(failure instanceof ClientError)) return undefined;
  const { code, status, retryAfterS } = failure;
  // If the host itself responds with 502, it names a plugin's error that would occur again. A proxy's 502 has no code.
  const isAway = code === "UNREACHABLE" || status === 503 || (status === 502 && code === "502");
  const askedMs = retryAfterS * 1000;
  if (!isAway || askedMs > mostWaitMs) return undefined;
  return askedMs + Math.random() * Math.min(mostWaitMs, leastWaitMs * 2 ** sent);
}

/**
 * Repeats a call up to `retryCount` times while its connection is lost, the host is busy, or a proxy cannot reach it.
 */
export async function repeatWhileAway<Answer>(
  call: () => Promise<Answer>,
  { retryCount, wait }: { retryCount: number; wait: (ms: number) => Promise<void> },
): Promise<Answer> {
  for (let sent = 1; ; sent++)
    try {
      return await call();
    } catch (failure) {
      const waitMs = waitBefore(failure, sent);
      if (sent > retryCount || waitMs === undefined) throw failure;
      await wait(waitMs);
    }
}
