import { periodLengths, type Level } from "../../plugins/protocol/index.ts";
import { cell, sql, trusted, type Fragment } from "../../plugins/sql/index.ts";

const dayMs = 86_400_000;
/** The result of `to_days` for 1970-01-01. */
const epochDays = 719_528;
/** Number of days in 400 years. This number is a multiple of seven, so weekdays repeat after 400 years. */
const cycleDays = 146_097;
/** Milliseconds from 0001-01-01, which was a Monday, to 1970-01-01. */
const firstMs = 719_162 * dayMs;
/**
 * Milliseconds from a Monday before all dates of the database to 1970-01-01. Instants are counted from that Monday, so
 * that all counts are positive. `div` rounds toward zero, and therefore rounds positive counts down.
 */
const originMs = firstMs + cycleDays * dayMs;

/**
 * Reads a date or datetime as whole milliseconds since 1970, rounded down. Zero dates and dates with a zero month or
 * day are null. Dates in the year 0 are also null, because the database miscounts the days of that year.
 */
export function readInstant(quoted: Fragment): Fragment {
  return sql`(case when ${quoted} >= '0001-01-01' and month(${quoted}) > 0 and dayofmonth(${quoted}) > 0
    then timestampdiff(microsecond, '0001-01-01', ${quoted}) div 1000 - ${trusted(String(firstMs))} end)`;
}

/** Truncates an instant to the start of its period in UTC. */
export function truncateInstant(instant: Fragment, level: Level): Fragment {
  switch (level) {
    case "year":
    case "quarter":
    case "month":
      return startOfCalendar(instant, level);
    case "week":
      return floored(instant, 7 * dayMs);
    case "day":
      return floored(instant, dayMs);
    case "hour":
    case "minute":
    case "second":
      return floored(instant, periodLengths[level].ms);
    case "millisecond":
      return instant;
  }
}

function floored(instant: Fragment, lengthMs: number): Fragment {
  const [by, origin] = [trusted(String(lengthMs)), trusted(String(originMs))];
  return sql`(((${instant} + ${origin}) div ${by}) * ${by} - ${origin})`;
}

function startOfCalendar(instant: Fragment, level: "year" | "quarter" | "month"): Fragment {
  const days = sql`((${instant} + ${trusted(String(originMs))}) div ${trusted(String(dayMs))})`;
  // If the database cannot represent the date itself, this is the same day 400 years earlier or later, in a year with
  // the same
  // calendar.
  const shifted = originMs / dayMs - epochDays;
  const date = sql`from_days(${days} - ${trusted(String(shifted))} + case
    when ${days} < ${trusted(String(shifted + 2 * 366))} then ${trusted(String(cycleDays))}
    when ${days} > ${trusted(String(shifted + 3_652_000))} then ${trusted(String(-cycleDays))} else 0 end)`;
  const past = {
    month: sql`(dayofmonth(${date}) - 1)`,
    year: sql`(dayofyear(${date}) - 1)`,
    quarter: sql`datediff(${date}, makedate(year(${date}), 1) + interval quarter(${date}) * 3 - 3 month)`,
  };
  return sql`((${days} - ${past[level]}) * ${trusted(String(dayMs))} - ${trusted(String(originMs))})`;
}

/** First and last instant that the database can represent as a date. */
const range = [-firstMs, 253_402_300_799_999] as const;

/** Binds an instant as a date of the database; undefined if it is out of range. */
export function bindInstant(atMs: number, isDate: boolean): Fragment | undefined {
  if (atMs < range[0] || atMs > range[1]) return undefined;
  const text = new Date(atMs).toISOString();
  if (isDate) return sql`cast(${cell("hierarchy", text.slice(0, 10))} as date)`;
  return sql`cast(${cell("hierarchy", text.slice(0, -1).replace("T", " "))} as datetime(3))`;
}
