import { ApiError } from "../../base/index.ts";

/** The hours for which a replaced secret stays good, unless the caller says how many. */
const usualHours = 24;
const hourMs = 3_600_000;

interface Replacement {
  /** The secret that comes; undefined where it stays. */
  readonly secret: string | undefined;
  readonly hours: number | undefined;
  /** Opens the secret that goes. @throws {ApiError} SECRET_LOST */
  before(): string | undefined;
  readonly nowMs: number;
}

/**
 * Returns the members of a plugin that change with its secret: for some hours the host and the plugin take the one
 * before too, so that neither has to change at the same instant as the other. 0 hours alone end that time. A secret
 * that the host cannot open is not kept.
 * @throws {ApiError} MEMBER_INVALID for other hours without a secret
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
    const problem = "it comes with new_secret; alone it may be 0, which ends the former secret";
    throw new ApiError("MEMBER_INVALID", ["properties.keep_secret_hours", problem]);
  }
  const former = opened(before);
  if (former === undefined || former === secret || hours === 0) return { secret, ...ended };
  return { secret, previous_secret: former, previous_secret_until: until };
}

function opened(before: () => string | undefined): string | undefined {
  try {
    return before();
  } catch (failure) {
    if (failure instanceof ApiError && failure.code === "SECRET_LOST") return undefined;
    throw failure;
  }
}
