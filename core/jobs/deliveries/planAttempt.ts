/** Seconds to wait after each failed attempt; about a day in total. */
const waitsS = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];
/** The maximum share by which a wait is extended, so that messages of the same minute are not all retried at once. */
const jitterShare = 0.25;
/**
 * The longest wait that a server may request, in seconds. If the server requests a longer wait, no further attempt is
 * made.
 */
const mostRetryAfterS = 86_400;

/**
 * Returns the seconds to wait after a failed attempt. Undefined after the last attempt, or if the server requests a
 * wait of more than a day. `attempts` counts the attempts made, starting at 1. The wait is never shorter than the
 * server requested.
 */
export function planAttempt(
  attempts: number,
  retryAfterS = 0,
  random: () => number = Math.random,
): number | undefined {
  const waitS = waitsS[attempts - 1];
  if (waitS === undefined || retryAfterS > mostRetryAfterS) return undefined;
  return Math.max(waitS, retryAfterS) * (1 + random() * jitterShare);
}
