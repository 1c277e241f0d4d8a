import { periodLengths, type Level } from "../../plugins/protocol/index.ts";
import { sql, trusted, type Fragment } from "../../plugins/sql/index.ts";

const dayMs = 86_400_000;
/** The first Monday after 1970-01-01, in milliseconds. */
const mondayMs = 4 * dayMs;

/**
 * Truncates milliseconds since 1970 to a period of the Gregorian calendar in UTC. Uses integer arithmetic, because
 * ClickHouse's own functions cover only a limited range of years, which depends on the type: some start at 1970, others
 * stop at 2149 or 2299.
 */
export function truncated(instant: Fragment, level: Level): Fragment {
  switch (level) {
    case "week":
      return sql`(${instant} - positiveModulo(${instant} - ${number(mondayMs)}, ${number(7 * dayMs)}))`;
    case "year":
    case "quarter":
    case "month":
      return sql`(${startOfCalendar(instant, level)} * ${number(dayMs)})`;
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

function floored(instant: Fragment, length: number): Fragment {
  return sql`(${instant} - positiveModulo(${instant}, ${number(length)}))`;
}

/**
 * Returns the first day of the month, quarter or year of an instant, as days since 1970. In the computation, years
 * start in March, so that a leap day is the last day of its year. Years are grouped into eras of 400 years (Howard
 * Hinnant, "chrono-Compatible Low-Level Date Algorithms", public domain). Each step below is a lambda, because
 * only lambdas can name a value in an expression.
 */
function startOfCalendar(instant: Fragment, level: keyof typeof starts): Fragment {
  const steps = [
    // Parameter: the day.
    `x -> intDiv(x - positiveModulo(x, ${dayMs}), ${dayMs})`,
    // Parameters: the day and the day of the era.
    "d -> (d, positiveModulo(d + 719468, 146097))",
    // Parameters: the day, the day of the era and the year of the era.
    "t -> (t.1, t.2, intDiv(t.2 - intDiv(t.2, 1460) + intDiv(t.2, 36524) - intDiv(t.2, 146096), 365))",
    // Parameters: the day, the year of the era and the day of the year.
    "t -> (t.1, t.3, t.2 - (365 * t.3 + intDiv(t.3, 4) - intDiv(t.3, 100)))",
    // Parameters: the day, the year of the era, the day of the year and the month, counted from March.
    "t -> (t.1, t.2, t.3, intDiv(5 * t.3 + 2, 153))",
    starts[level],
  ];
  let list = sql`[${instant}]`;
  for (const step of steps) list = sql`arrayMap(${trusted(step)}, ${list})`;
  return sql`${list}[1]`;
}

/** Returns SQL for the number of days from 1 March to the start of a month. */
const monthStart = (month: string) => `intDiv(153 * (${month}) + 2, 5)`;
/**
 * SQL for the day on which a year starts. January begins 306 days after 1 March of the previous year. 1 March is 59 or
 * 60 days after 1 January.
 */
const startOfYear =
  "t.1 - if(t.4 > 9, t.3 - 306, t.3 + 59 + (t.2 % 4 = 0 and (t.2 % 100 != 0 or t.2 = 0)))";
const starts = {
  month: `t -> t.1 - (t.3 - ${monthStart("t.4")})`,
  // If a year starts in March, the calendar's first quarter consists of its first month and its last two months.
  quarter: `t -> if(t.4 between 1 and 9, t.1 - (t.3 - ${monthStart("t.4 - (t.4 + 2) % 3")}), ${startOfYear})`,
  year: `t -> ${startOfYear}`,
};

function number(value: number): Fragment {
  return trusted(String(value));
}
