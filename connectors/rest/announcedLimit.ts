import type { WebAnswer } from "../../plugins/rows/index.ts";

/** The limit that a server announces: how many requests it still accepts in the current window. */
export interface AnnouncedLimit {
  readonly remaining: number;
  /** Start of the next window, in milliseconds since 1970. */
  readonly resetAtMs: number;
  /** Requests per window. Absent if the server does not announce the number. */
  readonly limit?: number;
}

/** Prefixes of the three headers: the IETF drafts, and two older conventions. */
const families = ["ratelimit", "x-ratelimit", "x-rate-limit"] as const;

/**
 * Returns the limit that a response announces. If it announces several limits, returns the limit with the fewest
 * remaining requests. Undefined if the response does not announce a limit, or does not say when the next window starts.
 * @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/
 */
export function announcedLimit(
  headers: WebAnswer["headers"],
  nowMs: number,
): AnnouncedLimit | undefined {
  const text = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  };
  const found = families.flatMap((family) => {
    const resetAfter = text(`${family}-reset-after`);
    const resetMs =
      resetAfter === undefined
        ? resetIn(text(`${family}-reset`), nowMs)
        : resetIn(resetAfter, nowMs);
    return limitOf(text(`${family}-remaining`), resetMs, text(`${family}-limit`), nowMs) ?? [];
  });
  found.push(...combinedLimits(text("ratelimit"), nowMs));
  return found.toSorted((one, other) => one.remaining - other.remaining)[0];
}

/** Parses `limit=10, remaining=4, reset=50`, and the newer form `"name";r=4;t=50`, which may list several limits. */
function combinedLimits(text: string | undefined, nowMs: number): readonly AnnouncedLimit[] {
  if (text === undefined) return [];
  const member = (part: string, name: string) =>
    new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)`, "i").exec(part)?.[1];
  const whole = limitOf(
    member(text, "remaining"),
    resetIn(member(text, "reset"), nowMs),
    member(text, "limit"),
    nowMs,
  );
  if (whole) return [whole];
  return text
    .split(",")
    .flatMap(
      (part) =>
        limitOf(member(part, "r"), resetIn(member(part, "t"), nowMs), undefined, nowMs) ?? [],
    );
}

function limitOf(
  remaining: string | undefined,
  resetMs: number | undefined,
  limit: string | undefined,
  nowMs: number,
): AnnouncedLimit | undefined {
  const count = wholeNumber(remaining);
  if (count === undefined || resetMs === undefined) return undefined;
  const most = wholeNumber(limit);
  return {
    remaining: count,
    resetAtMs: nowMs + resetMs,
    ...(most !== undefined && { limit: most }),
  };
}

/** Parses the number of requests of a limit. Ignores a window after the number, as in `100;w=60`. */
function wholeNumber(text: string | undefined): number | undefined {
  const digits = /^\s*(\d{1,15})(?:\.\d+)?\s*(?:$|[;,])/.exec(text ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Numbers below this bound are seconds from now. Larger numbers would mean a wait of over 31 years, so they are read as
 * seconds since 1970. Numbers above a thousand times this bound are read as milliseconds since 1970.
 */
const firstInstantS = 1e9;

/** Converts a number of seconds, a time, a date or a duration such as `1m30s` to milliseconds from now. */
function resetIn(text: string | undefined, nowMs: number): number | undefined {
  const given = text?.trim() ?? "";
  if (given === "") return undefined;
  if (/^\d+(?:\.\d+)?$/.test(given)) {
    const number = Number(given);
    if (number >= firstInstantS * 1000) return Math.max(0, number - nowMs);
    return Math.max(0, number >= firstInstantS ? number * 1000 - nowMs : number * 1000);
  }
  const [duration, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] =
    /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/.exec(given) ?? [];
  if (duration !== undefined)
    return (
      (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Number(milliseconds)
    );
  const date = Date.parse(given) - nowMs;
  return Number.isFinite(date) ? Math.max(0, date) : undefined;
}
