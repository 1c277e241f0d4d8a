import { ApiError, kindOf } from "../../base/index.ts";

/**
 * Converts an IANA time zone name, in upper or lower case, to its canonical form. All names of UTC become undefined.
 * @throws {ApiError} MEMBER_INVALID, including for offsets such as +01:00
 */
export function parseTimezone(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string")
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be an IANA name such as Europe/Brussels, not ${kindOf(value)}`,
    ]);
  const canonical =
    /^[A-Za-z]/.test(value) && value.length <= 64 ? canonicalTimezone(value) : undefined;
  if (canonical === undefined)
    throw new ApiError("MEMBER_INVALID", [path, "it must be an IANA name such as Europe/Brussels"]);
  return canonical === "UTC" ? undefined : canonical;
}

/**
 * Canonical names by requested name. Looking a name up with ECMAScript takes longer than parsing the rest of a query.
 */
const canonicalNames = new Map<string, string>();

function canonicalTimezone(name: string): string | undefined {
  const known = canonicalNames.get(name);
  if (known !== undefined) return known;
  try {
    const canonical = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
    if (canonicalNames.size < mostNames) canonicalNames.set(name, canonical);
    return canonical;
  } catch (refused) {
    if (refused instanceof RangeError) return undefined;
    throw refused;
  }
}

/** Maximum number of cached names. There are fewer zones than this, but more spellings. */
const mostNames = 1000;
