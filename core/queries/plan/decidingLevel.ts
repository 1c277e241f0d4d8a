import type { GroupedLevel } from "../queryPlan.ts";
import { levels, type ColumnFilter, type Level } from "../../../plugins/protocol/index.ts";

const groupedLevels = levels.filter((level): level is GroupedLevel => level !== "week");

/** Returns the level whose periods compose those of `level`: days for weeks. */
export function groupedLevel(level: Level): GroupedLevel {
  return level === "week" ? "day" : level;
}

/** Returns the finer of two levels. */
export function finerLevel(one: GroupedLevel, other: GroupedLevel): GroupedLevel {
  return groupedLevels.indexOf(one) > groupedLevels.indexOf(other) ? one : other;
}

/**
 * Finds the coarsest level whose periods pass or fail a test as a whole, so that the test can use
 * the start of the period.
 * Undefined when only the instant itself decides.
 */
export function decidingLevel({ expression, value = [] }: ColumnFilter): GroupedLevel | undefined {
  const [bound] = value;
  const at = typeof bound === "string" ? Date.parse(bound) : Number.NaN;
  switch (expression) {
    case "is null":
    case "is not null":
      return "year";
    case "<":
    case ">=":
      return coarsestStart(at);
    // At or before 23:59:59.999 means before midnight.
    case "<=":
    case ">":
      return coarsestStart(at + 1);
    default:
      return undefined;
  }
}

function coarsestStart(at: number): GroupedLevel | undefined {
  return groupedLevels.find((level) => isPeriodStart(at, level));
}

/** Returns whether a UTC period starts at an instant. */
export function isPeriodStart(at: number, level: GroupedLevel): boolean {
  const length = lengths[level];
  if (length !== undefined) return at % length === 0;
  const date = new Date(at);
  if (at % 86_400_000 !== 0 || date.getUTCDate() !== 1) return false;
  const month = date.getUTCMonth();
  return level === "month" || (level === "quarter" ? month % 3 === 0 : month === 0);
}

const lengths: Readonly<Partial<Record<GroupedLevel, number>>> = {
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};
