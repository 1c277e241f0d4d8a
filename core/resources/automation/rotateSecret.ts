import { isObject } from "../../base/index.ts";

/** Milliseconds for which the previous secret remains valid after a change, unless the caller sets a time. */
const overlapMs = 24 * 3_600_000;

/**
 * Keeps the replaced secret of a webhook as `previous_secret` for a day, during which receivers accept either secret.
 * Callers can also set `previous_secret` themselves. An empty string invalidates the previous secret at once.
 */
export function rotateSecret(before: unknown, after: unknown, nowMs: number): unknown {
  if (!isObject(before) || !isObject<"secret" | "previous_secret">(after)) return after;
  const { secret, previous_secret } = before;
  const isReplaced =
    typeof secret === "string" && secret !== "" && after.secret !== secret && after.secret;
  if (!isReplaced || (after.previous_secret ?? previous_secret) !== previous_secret) return after;
  return {
    ...after,
    previous_secret: secret,
    previous_secret_until: new Date(nowMs + overlapMs).toISOString(),
  };
}
