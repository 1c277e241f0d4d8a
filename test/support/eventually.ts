import { setTimeout as wait } from "node:timers/promises";

/**
 * Milliseconds after which a test stops waiting. The limit is many times longer than a test needs on a busy machine.
 */
const usualLimitMs = 60_000;
/** Milliseconds between two attempts. */
const pauseMs = 10;

type Nothing = undefined | null | false | "" | 0;

/**
 * Waits until `find` returns a value, and returns this value. Use it for state that changes some time after a call. The
 * time limit only serves to stop tests that would otherwise wait forever.
 * @throws {Error} that names `what` once the limit has passed
 */
export async function eventually<Found>(
  find: () => Found | Promise<Found>,
  what: string,
  limitMs = usualLimitMs,
): Promise<Exclude<Found, Nothing>> {
  for (const endMs = performance.now() + limitMs; ;) {
    const found = await find();
    if (found) return found as Exclude<Found, Nothing>;
    if (performance.now() > endMs) throw new Error(`${what}: not within ${limitMs} ms`);
    await wait(pauseMs);
  }
}
