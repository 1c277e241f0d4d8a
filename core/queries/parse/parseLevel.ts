import { levelNumber, levelOfNumber, levels, type Level } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";

/**
 * Parses the number of a level, starting at 1 (year). Returns undefined for null, for an absent member, and for 0,
 * which columns without levels report.
 */
export function parseLevel(value: unknown, path: string): Level | undefined {
  if (value === undefined || value === null || value === 0) return undefined;
  const level = levelOfNumber(value);
  if (!level)
    throw new ApiError("MEMBER_INVALID", [
      path,
      `it must be one of ${levels.map((word) => `${levelNumber(word)} (${word})`).join(", ")}`,
    ]);
  return level;
}
