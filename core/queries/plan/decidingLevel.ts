import type { GroupedLevel } from "../queryPlan.ts";
import {
  makesTest,
  levels,
  periodLengths,
  type ColumnFilter,
  type Level,
} from "../../../plugins/protocol/index.ts";

const dayMs = 86_400_000;
const groupedLevels = levels.filter((level): level is GroupedLevel => level !== "week");

/** Returns the level by which to group for the periods of `level`: days for weeks, otherwise the same level. */
export function groupedLevel(level: Level): GroupedLevel {
  return level === "week" ? "day" : level;
}

/** Returns the finer of two levels. */
export function finerLevel(one: GroupedLevel, other: GroupedLevel): GroupedLevel {
  return groupedLevels.indexOf(one) > groupedLevels.indexOf(other) ? one : other;
}

/**
 * Finds the coarsest level whose periods pass or fail a test as a whole, so that the test can use the start of each
 * period. Returns undefined if the test depends on the exact instant.
 */
export function decidingLevel({ expression, value = [] }: ColumnFilter): GroupedLevel | undefined {
  if (makesTest(expression, "equality") || makesTest(expression, "part")) return undefined;
  const [bound] = value;
  const at = typeof bound === "string" ? Date.parse(bound) : Number.NaN;
  switch (expression) {
    case "is null":
    case "is not null":
      return "year";
    case "<":
    case ">=":
      return coarsestStart(at);
    // "At or before 23:59:59.999" means the same as "before midnight".
    case "<=":
    case ">":
      return coarsestStart(at + 1);
  }
}

function coarsestStart(at: number): GroupedLevel | undefined {
  return groupedLevels.find((level) => isPeriodStart(at, level));
}

/** Returns whether a UTC period starts at an instant. */
export function isPeriodStart(at: number, level: GroupedLevel): boolean {
  const length = periodLengths[level];
  if ("ms" in length) return at % length.ms === 0;
  if (at % dayMs !== 0) return false;
  // Groups are never weeks, so the level is the day.
  if ("days" in length) return true;
  const date = new Date(at);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return date.getUTCDate() === 1 && month % length.months === 0;
}
