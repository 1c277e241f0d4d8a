import { createDialect, periodStart, sql, trusted } from "@manifold-analytics/plugin/sql";
import type { CalendarLevel, Fragment, SqlColumn } from "@manifold-analytics/plugin/sql";

const epoch = trusted("timestamp '1970-01-01'");
const dayMs = trusted("86400000e0");

/** The dialect of Firebird 3. Text is compared as the bytes of UTF-8, and datetimes are milliseconds since 1970. */
export const dialect = createDialect({
  name: "Firebird",
  holdsNul: false,
  nativeTypes: { numeric: "number", hierarchy: "varchar(100)" },
  // Firebird 3 accepts 1,500 members of a list, and the driver fewer if there are several lists.
  claims: { filters: { listLength: 500 } },
  // Firebird 3 has no percentiles, and counts "a" and "a " as one value. The host computes both.
  aggregates: { percentile: undefined, distinctcount: undefined },
  placeholder(_, { type, ...bound }) {
    const value = bound.kind === "cell" ? bound.value : null;
    if (type !== "hierarchy")
      return `cast(? as double precision)${isLarge(value) ? " * power(2e0, 1000e0)" : ""}`;
    return `cast(? as varchar(${Buffer.byteLength(String(value)) || 1}) character set octets)`;
  },
  driverValue(bound) {
    if (bound.kind === "list") return bound.values;
    return isLarge(bound.value) ? Number(bound.value) * 2 ** -1000 : bound.value;
  },
  read,
  truncate: (instant, level) => periodStart(instant, level, (period) => startOf(instant, period)),
  cellOf(value, type) {
    if (type === "hierarchy" && value !== null) return `${value}`;
    return typeof value === "number" || typeof value === "string" ? value : null;
  },
  limit: (by, offset) =>
    trusted(`offset ${BigInt(offset)} rows fetch next ${BigInt(by)} rows only`),
});

/** Returns whether the driver would send a number as an integer that may have more than 64 bits. */
function isLarge(value: string | number | null): boolean {
  return typeof value === "number" && Math.abs(value) >= 2 ** 53;
}

/** Returns the SQL that reads a column whose native type is one of those that `listTables` returns. */
function read({ nativeType }: SqlColumn, quoted: Fragment): Fragment {
  const [type = "", length = ""] = nativeType.split(/[()]/);
  const size = Math.min(Number(length), 8191);
  const octets = trusted(`varchar(${size * 4}) character set octets`);
  const utf8 = trusted(`varchar(${size}) character set utf8`);
  const double = sql`cast(${quoted} as double precision)`;
  const forms: Readonly<Record<string, Fragment>> = {
    // Infinities and NaN become null, and -0 becomes 0.
    number: sql`(case when abs(${quoted}) <= 1.7976931348623157e308 then ${double} + 0e0 end)`,
    char: sql`cast(cast(trim(trailing from ${quoted}) as ${utf8}) as ${octets})`,
    varchar: sql`cast(cast(${quoted} as ${utf8}) as ${octets})`,
    boolean: sql`cast(lower(cast(${quoted} as varchar(5))) as varchar(5) character set octets)`,
    date: daysToMs(sql`${quoted} - date '1970-01-01'`),
    timestamp: wholeMs(quoted),
    zoned: wholeMs(sql`cast(${quoted} at time zone 'UTC' as timestamp)`),
  };
  return forms[type] ?? quoted;
}

function daysToMs(days: Fragment): Fragment {
  return sql`(cast(${days} as double precision) * ${dayMs})`;
}

/** Returns the SQL that converts a timestamp, which has tenths of milliseconds, to whole milliseconds. */
function wholeMs(timestamp: Fragment): Fragment {
  return sql`floor(round(${daysToMs(sql`${timestamp} - ${epoch}`)} * 10e0) / 10e0)`;
}

/** Returns the SQL that computes the first instant of a calendar period, in UTC. */
function startOf(instant: Fragment, period: CalendarLevel): Fragment {
  const day = sql`cast(dateadd(day, cast(floor(${instant} / ${dayMs}) as integer), ${epoch}) as date)`;
  const month = sql`dateadd(day, 1 - extract(day from ${day}), ${day})`;
  const length = trusted({ year: "12", quarter: "3", month: "1" }[period]);
  const first = sql`dateadd(month, -mod(extract(month from ${day}) - 1, ${length}), ${month})`;
  return daysToMs(sql`${first} - date '1970-01-01'`);
}
