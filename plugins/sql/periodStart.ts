import { periodLengths, type Level } from "../protocol/index.ts";
import { sql, trusted, type Fragment } from "./fragment.ts";

/** Levels whose periods differ in length. */
export type CalendarLevel = "year" | "quarter" | "month";

const dayMs = 86_400_000;
/** 1970-01-05 was the first Monday after 1970-01-01. */
const mondayMs = 4 * dayMs;

/**
 * Writes the start, in UTC, of the period that contains an instant. Instants are doubles with whole milliseconds since
 * 1970-01-01T00:00:00Z. `calendarStart` writes the levels that need a calendar.
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
      return floored(instant, 7 * dayMs, mondayMs);
    case "day":
      return floored(instant, dayMs);
    case "hour":
    case "minute":
    case "second":
      return floored(instant, periodLengths[level].ms);
    default:
      return level satisfies never;
  }
}

function floored(instant: Fragment, lengthMs: number, originMs = 0): Fragment {
  const origin = trusted(String(originMs));
  // SQL reads a number with an exponent as a double.
  const width = trusted(`${lengthMs}e0`);
  return sql`(floor((${instant} - ${origin}) / ${width}) * ${width} + ${origin})`;
}
