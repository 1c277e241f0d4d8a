import {
  cell,
  createDialect,
  periodStart,
  sql,
  trusted,
  type CalendarLevel,
  type Fragment,
  type NativeTest,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { instantFunction, zonedInstantFunction } from "./functions.ts";
import { firstInstantMs } from "./monthStart.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { affinityOfColumn, numberKind, numberMeaningOf } from "./types.ts";

/**
 * The dialect of SQLite 3.45 or newer. It uses the functions of `addFunctions`. Datetimes are milliseconds since 1970,
 * as REAL.
 */
export const dialect = createDialect({
  name: "SQLite",
  holdsNul: true,
  claims: { groupLimit: true },
  statements: {
    database: "SQLite",
    isFunction: isReadingFunction,
    nameQuotes: '"`',
    squareBrackets: "name",
    systemSchemas: { temp: [] },
  },
  driverValue: (bound) => (bound.kind === "list" ? JSON.stringify(bound.values) : bound.value),
  read,
  numberKind,
  isUnzoned: ({ subtype }) => subtype !== "date",
  readsZone: true,
  among: (list) => sql`in (select value from json_each(${list}))`,
  native(test) {
    if (!isNative(test)) return undefined;
    const { column, operator, right } = test;
    const compared =
      operator === "in"
        ? sql`in (select value from json_each(${right}))`
        : sql`${trusted(operator)} ${right}`;
    return { test: sql`${quoted(column)} ${compared}` };
  },
  within,
  matches(text, pattern, place) {
    const name = { anywhere: "manifold_holds", start: "manifold_begins", end: "manifold_ends" }[
      place
    ];
    return sql`${trusted(name)}(${text}, ${cell("hierarchy", pattern)})`;
  },
  truncate(instant, level) {
    const start = periodStart(
      instant,
      level,
      (period) => sql`manifold_months(${instant}, ${trusted(months[period])})`,
    );
    return sql`max(${start}, ${trusted(String(firstInstantMs))})`;
  },
  numbers: { finite },
  aggregates: {
    percentile: (value, fraction) =>
      finite(sql`percentile_cont(${value}, ${cell("numeric", fraction)})`),
    stddev: (value) => sql`manifold_stddev(${value})`,
  },
});

const months: Readonly<Record<CalendarLevel, string>> = { year: "12", quarter: "3", month: "1" };
const largest = trusted("1.7976931348623157e308");
/**
 * Above this integer, doubles cannot represent every integer. SQLite compares integers exactly, so it may distinguish
 * numbers that are equal as doubles.
 */
const firstInexact = 2 ** 53;

/**
 * Reads a column as its logical type. A CASE expression has no collation, so strings are compared by bytes, whatever
 * collation the column has.
 */
function read(column: SqlColumn, quoted: Fragment): Fragment {
  switch (column.type) {
    case "numeric":
      return sql`case typeof(${quoted}) when 'integer' then cast(${quoted} as real) when 'real' then ${finite(quoted)} when 'text' then manifold_number(${quoted}) end`;
    case "hierarchy":
      if (numberKind(column))
        return sql`case when typeof(${quoted}) <> 'blob' then cast(${quoted} as text) end`;
      return affinityOfColumn(column) === "text"
        ? sql`case when typeof(${quoted}) = 'text' then ${quoted} end`
        : sql`case when typeof(${quoted}) = 'blob' then hex(${quoted}) else cast(${quoted} as text) end`;
    case "datetime":
      return sql`case typeof(${quoted}) when 'text' then ${instantRead(column, quoted)} ${numbersRead(column, quoted)}end`;
  }
}

/** Parses a string as an instant. A string without a zone is a reading of the clock of `column.clock`. */
function instantRead({ clock }: SqlColumn, quoted: Fragment): Fragment {
  return clock === undefined
    ? sql`${trusted(instantFunction)}(${quoted})`
    : sql`${trusted(zonedInstantFunction)}(${quoted}, ${cell("hierarchy", clock.zone)})`;
}

/** Returns the branches of a CASE expression that read numbers as instants. */
function numbersRead({ nativeType }: SqlColumn, quoted: Fragment): Fragment {
  const branches = (instant: Fragment) =>
    sql`when 'integer' then ${withinTime(instant)} when 'real' then ${withinTime(instant)} `;
  switch (numberMeaningOf(nativeType)) {
    case "none":
      return trusted("");
    case "seconds":
      return branches(sql`round(${quoted} * 1000.0)`);
    case "milliseconds":
      return branches(sql`floor(cast(${quoted} as real))`);
    case "julian":
      return branches(sql`round(${quoted} * 86400000.0 - 210866760000000.0)`);
  }
}

function withinTime(instant: Fragment): Fragment {
  return sql`case when abs(${instant}) <= 8640000000000000 then ${instant} end`;
}

function finite(number: Fragment): Fragment {
  return sql`case when abs(${number}) <= ${largest} then ${number} end`;
}

function quoted({ name }: SqlColumn): Fragment {
  return trusted(dialect.quote(name));
}

/** Returns whether SQLite's own comparison of a column passes every row that the exact test passes. */
function isNative({ column, operator, type, right }: NativeTest): boolean {
  const affinity = affinityOfColumn(column);
  // A column of numbers converts the string to a number before it compares the two.
  const isText = affinity === "text" || (affinity !== "none" && numberKind(column) !== undefined);
  if (type === "hierarchy") return isText && /^(=|in)$/.test(operator);
  if (type !== "numeric" || affinity === "text" || affinity === "none") return false;
  const values = right.kind === "list" ? right.values : [right.value];
  return values.every((value) => typeof value === "number" && Math.abs(value) < firstInexact);
}

const dayMs = 86_400_000;

/**
 * Returns a test of date strings that may pass more rows than match. Strings with four-digit years sort by date, and
 * time zones move an instant by less than a day. Numbers, and strings that begin with a sign, sort before `/`.
 */
function within(
  column: SqlColumn,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): Fragment {
  const from = fromMs === undefined ? undefined : dateText(fromMs - dayMs);
  const before = beforeMs === undefined ? undefined : dateText(beforeMs + 2 * dayMs);
  const name = quoted(column);
  const bounds = [
    from === undefined ? [] : [sql`${name} >= ${cell("hierarchy", from)}`],
    before === undefined ? [] : [sql`${name} < ${cell("hierarchy", before)}`],
  ].flat();
  const [first, second] = bounds;
  if (!first) return trusted("1");
  return sql`(${second ? sql`${first} and ${second}` : first} or ${name} < '/')`;
}

/** Returns the date of an instant as a string; undefined outside the years 0 to 9999. */
function dateText(instantMs: number): string | undefined {
  const date = new Date(instantMs);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}
