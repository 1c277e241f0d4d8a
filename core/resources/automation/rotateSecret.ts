import { isObject } from "../../base/index.ts";

/** How long the secret before a change signs too, unless the caller says until when. */
const overlapMs = 24 * 3_600_000;

/**
 * Keeps the secret of a webhook that is replaced as `previous_secret`, for a day: receivers accept either meanwhile. A
 * caller who sets `previous_secret` decides for itself; an empty one ends the overlap at once.
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
