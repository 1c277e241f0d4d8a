import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds after which a state counts as never reached: many times what a busy machine takes. */
const usualLimitMs = 60_000;
/** Milliseconds between two looks. */
const pauseMs = 10;

type Nothing = undefined | null | false | "" | 0;

/**
 * Waits until `find` returns something, and returns that: a state that is reached later than its cause returns. The
 * limit only ends a test that would wait for ever.
 * @throws {Error} that names `what` when the limit has passed
 */
export async function eventually<Found>(
  find: () => Found | Promise<Found>,
  what: string,
  limitMs = usualLimitMs,
): Promise<Exclude<Found, Nothing>> {
  for (const endMs = performance.now() + limitMs; ;) {
    const found = await find();
    if (found) return found as Exclude<Found, Nothing>;
    if (performance.now() > endMs) throw new Error(`not within ${limitMs} ms: ${what}`);
    await wait(pauseMs);
  }
}
