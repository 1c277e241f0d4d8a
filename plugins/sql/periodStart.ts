import type { Level } from "../protocol/index.ts";
import { sql, trusted, type Fragment } from "./fragment.ts";

/** Levels whose periods differ in length. */
export type CalendarLevel = "year" | "quarter" | "month";

const dayMs = 86_400_000;
const lengths: Readonly<Record<Exclude<Level, CalendarLevel>, number>> = {
  week: 7 * dayMs,
  day: dayMs,
  hour: 3_600_000,
  minute: 60_000,
  second: 1000,
  millisecond: 1,
};
/** 1970-01-05 was a Monday. */
const mondayMs = 4 * dayMs;

/**
 * Writes the start of a period on the clock of UTC, of an instant that is whole milliseconds since 1970 as a double.
 * `calendarStart` writes the levels that need a calendar.
 */
export function periodStart(
  instant: Fragment,
  level: Level,
  calendarStart: (level: CalendarLevel) => Fragment,
): Fragment {
  switch (level) {
    case "year":
    case "quarter":
    case "month":
      return calendarStart(level);
    case "millisecond":
      return instant;
    case "week":
    case "day":
    case "hour":
    case "minute":
    case "second": {
      const origin = trusted(level === "week" ? String(mondayMs) : "0");
      // With an exponent a number is a double.
      const width = trusted(`${lengths[level]}e0`);
      return sql`(floor((${instant} - ${origin}) / ${width}) * ${width} + ${origin})`;
    }
    default:
      return level satisfies never;
  }
}
