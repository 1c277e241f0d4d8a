/** The waits after each attempt that may help later, in seconds: about a day in all. */
const waitsS = [10, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800];
/** The part of a wait by which it may be longer, so that messages of one minute do not come back as one. */
const jitterShare = 0.25;
/** A server that asks for more has to do without the message. */
const mostRetryAfterS = 86_400;

/**
 * Returns the seconds to wait after an attempt that failed; undefined after the last one. `attempts` counts those
 * made, from 1. A wait is not shorter than the server asked.
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
