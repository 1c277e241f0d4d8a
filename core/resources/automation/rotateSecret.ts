import { isObject } from "../../base/index.ts";

/** How long the previous secret stays valid after a change, in milliseconds, unless the caller sets a time. */
const overlapMs = 24 * 3_600_000;

/**
 * Keeps the replaced secret of a webhook as `previous_secret` for a day, during which receivers accept either secret.
 * Callers can set `previous_secret` themselves; an empty string ends the overlap at once.
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
