import { ApiError } from "../../base/index.ts";

/** Hours for which a replaced secret stays valid by default. */
const usualHours = 24;
const hourMs = 3_600_000;

interface Replacement {
  /** The new secret; undefined to keep the current secret. */
  readonly secret: string | undefined;
  readonly hours: number | undefined;
  /**
   * Decrypts the current secret.
   * @throws {ApiError} SECRET_LOST
   */
  before(): string | undefined;
  readonly nowMs: number;
}

/**
 * Returns the members of a plugin that change with its secret. For some hours, the host and the plugin also accept the
 * previous secret, so that nobody has to change both at the same instant. A call with 0 hours and no secret ends that
 * period. A previous secret that the host cannot decrypt is not kept.
 * @throws {ApiError} MEMBER_INVALID for hours other than 0 without a secret
 */
export function replaceSecret({ secret, hours, before, nowMs }: Replacement): {
  readonly secret?: string;
  readonly previous_secret?: string | null;
  readonly previous_secret_until?: Date | null;
} {
  const until = new Date(nowMs + (hours ?? usualHours) * hourMs);
  const ended = { previous_secret: null, previous_secret_until: null };
  if (secret === undefined) {
    if (hours === undefined) return {};
    if (hours === 0) return ended;
    const problem =
      "it must be sent with new_secret; without new_secret only 0 is allowed, which invalidates the former secret";
    throw new ApiError("MEMBER_INVALID", ["properties.keep_secret_hours", problem]);
  }
  const former = unlessLost(before);
  if (former === undefined || former === secret || hours === 0) return { secret, ...ended };
  return { secret, previous_secret: former, previous_secret_until: until };
}

/** Returns a stored secret, or undefined if the host can no longer decrypt it. */
export function unlessLost(before: () => string | undefined): string | undefined {
  try {
    return before();
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "SECRET_LOST") return undefined;
    throw failure;
  }
}
