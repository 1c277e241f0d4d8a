import { periodLengths, type Level } from "../../plugins/protocol/index.ts";
import { sql, trusted, type Fragment } from "../../plugins/sql/index.ts";

const dayMs = 86_400_000;
/** The first Monday after the start of 1970. */
const mondayMs = 4 * dayMs;

/**
 * Truncates milliseconds since 1970 to a period of the Gregorian calendar in UTC. ClickHouse's own functions end at the
 * years 1970, 2149 or 2299, according to the type; whole numbers do not.
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
 * The first day of the month, quarter or year of an instant, as days since 1970. Years begin in March here, so that the
 * day of the leap year is the last one; eras have 400 years (Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", public domain). Each step of the list is a lambda, the only way to name a value inside an expression.
 */
function startOfCalendar(instant: Fragment, level: keyof typeof starts): Fragment {
  const steps = [
    // day
    `x -> intDiv(x - positiveModulo(x, ${dayMs}), ${dayMs})`,
    // day, day of the era
    "d -> (d, positiveModulo(d + 719468, 146097))",
    // day, day of the era, year of the era
    "t -> (t.1, t.2, intDiv(t.2 - intDiv(t.2, 1460) + intDiv(t.2, 36524) - intDiv(t.2, 146096), 365))",
    // day, year of the era, day of the year
    "t -> (t.1, t.3, t.2 - (365 * t.3 + intDiv(t.3, 4) - intDiv(t.3, 100)))",
    // day, year of the era, day of the year, month from March
    "t -> (t.1, t.2, t.3, intDiv(5 * t.3 + 2, 153))",
    starts[level],
  ];
  let list = sql`[${instant}]`;
  for (const step of steps) list = sql`arrayMap(${trusted(step)}, ${list})`;
  return sql`${list}[1]`;
}

/** Days from the start of the year in March to the start of a month. */
const monthStart = (month: string) => `intDiv(153 * (${month}) + 2, 5)`;
/** January and February are the 306 days after March of the year before; until March a year has 59 days, or 60. */
const startOfYear =
  "t.1 - if(t.4 > 9, t.3 - 306, t.3 + 59 + (t.2 % 4 = 0 and (t.2 % 100 != 0 or t.2 = 0)))";
const starts = {
  month: `t -> t.1 - (t.3 - ${monthStart("t.4")})`,
  // The first quarter has months at both ends of such a year.
  quarter: `t -> if(t.4 between 1 and 9, t.1 - (t.3 - ${monthStart("t.4 - (t.4 + 2) % 3")}), ${startOfYear})`,
  year: `t -> ${startOfYear}`,
};

function number(value: number): Fragment {
  return trusted(String(value));
}
