import { ApiError } from "../errors.ts";
import { kindOf } from "./members.ts";

/**
 * Reads an IANA time zone name in any case into its canonical form; UTC in all its names is undefined.
 * @throws {ApiError} MEMBER_INVALID, also for offsets such as +01:00
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

function canonicalTimezone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch (refused) {
    if (refused instanceof RangeError) return undefined;
    throw refused;
  }
}
