import {
  cell,
  correlation,
  createDialect,
  foldingPattern,
  integerRange,
  list,
  periodStart,
  sql,
  storedIntegers,
  trusted,
  type Fragment,
  type IntegerRange,
  type NativeTest,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { isCollated, isUnzoned, numberKind, readingOf } from "./types.ts";

const typeNames = { numeric: "double", hierarchy: "varchar", datetime: "double" } as const;
/** The last instant of ECMAScript, in milliseconds after 1970-01-01. The first instant is equally far before it. */
const mostMs = trusted("8640000000000000");

/** The dialect of DuckDB 1.4 or newer. Datetimes are milliseconds since 1970, as DOUBLE. */
export const dialect = createDialect({
  name: "DuckDB",
  holdsNul: true,
  claims: { groupLimit: true },
  statements: {
    database: "DuckDB",
    isFunction: isReadingFunction,
    nameQuotes: '"',
    callsAfterDot: true,
    squareBrackets: "array",
    systemSchemas: {
      information_schema: ["tables", "columns", "schemata"],
      system: [],
      pg_catalog: [],
    },
    systemTables: /^(?:duckdb_|pragma_|sqlite_|pg_(?!typeof$|size_pretty$))/,
  },
  placeholder: (position, bound) =>
    `$${position}::${typeNames[bound.type]}${bound.kind === "list" ? "[]" : ""}`,
  read,
  numberKind,
  isUnzoned,
  output: (expression, type) => sql`cast(${expression} as ${trusted(typeNames[type])})`,
  among: (list) => sql`in (select unnest(${list}))`,
  native(test) {
    const digits = digitsTest(test);
    if (digits) return { test: digits, isExact: true };
    const found = nativeTest(test);
    return found && { test: found };
  },
  within,
  matches: (text, pattern, place) =>
    sql`regexp_matches(${text}, ${cell("hierarchy", foldingPattern(pattern, place))})`,
  truncate(instant, level) {
    const start = periodStart(instant, level, (period) => {
      const timestamp = sql`make_timestamp(cast(${instant} as bigint) * 1000)`;
      return sql`cast(epoch_ms(date_trunc('${trusted(period)}', ${timestamp})) as double)`;
    });
    return sql`case when ${start} < -${mostMs} then -${mostMs}::double else ${start} end`;
  },
  numbers: { finite, sum: (number) => sql`fsum(${number})` },
  aggregates: {
    percentile: (value, fraction) =>
      finite(sql`quantile_cont(${value}, ${cell("numeric", fraction)})`),
    stddev: deviation,
    corr: correlation("corr"),
  },
});

function read(column: SqlColumn, quoted: Fragment): Fragment {
  if (column.type === "hierarchy" && numberKind(column)) return sql`cast(${quoted} as varchar)`;
  switch (readingOf(column.nativeType)) {
    case "whole":
      return sql`cast(${quoted} as double)`;
    // The string form contains all digits, so converting it to the nearest double rounds only once.
    case "wide":
      return finite(sql`cast(cast(${quoted} as varchar) as double)`);
    // Turns -0 into 0, because DuckDB groups them separately.
    case "float":
      return sql`case when isfinite(${quoted}) then cast(${quoted} as double) + 0.0::double end`;
    case "text":
      return isCollated(column) ? sql`(${quoted} collate posix)` : quoted;
    case "cast":
      return sql`cast(${quoted} as varchar)`;
    case "binary":
      return sql`hex(${quoted})`;
    case "json":
      return sql`cast(to_json(${quoted}) as varchar)`;
    case "date": {
      const days = sql`(${quoted} - date '1970-01-01')`;
      return sql`case when isfinite(${quoted}) and abs(${days}) <= 100000000 then ${days} * 86400000.0::double end`;
    }
    case "microseconds": {
      const isPlain = !/_S$|_MS$/.test(column.nativeType);
      const timestamp = isPlain ? quoted : sql`try_cast(${quoted} as timestamp)`;
      return instantOf(sql`epoch_us(${timestamp})`, 1000);
    }
    case "nanoseconds":
      return instantOf(sql`epoch_ns(${quoted})`, 1_000_000);
  }
}

/** Converts a count of units to milliseconds, rounded down. DuckDB's own integer division rounds toward zero. */
function instantOf(count: Fragment, perMs: number): Fragment {
  const per = trusted(String(perMs));
  const instant = sql`(${count} // ${per} - case when ${count} % ${per} < 0 then 1 else 0 end)`;
  return sql`case when abs(${instant}) <= ${mostMs} then cast(${instant} as double) end`;
}

function finite(number: Fragment): Fragment {
  return sql`case when isfinite(${number}) then ${number} end`;
}

/**
 * Returns the standard deviation. DuckDB fails if a square exceeds the range of doubles, so large values are first
 * scaled by a power of two.
 */
function deviation(number: Fragment): Fragment {
  const limit = trusted("1e140::double");
  const factor = trusted(`${2 ** -560}::double`);
  return sql`case when max(abs(${number})) < ${limit} then stddev_samp(case when abs(${number}) < ${limit} then ${number} end) else ${finite(sql`(stddev_samp(${number} * ${factor}) / ${factor})`)} end`;
}

/** Compares the column itself with a constant of the column's type, so that DuckDB can skip row groups. */
function nativeTest({ column, operator, right }: NativeTest): Fragment | undefined {
  if (right.kind === "list" || typeof right.value !== "number") return undefined;
  const name = trusted(dialect.quote(column.name));
  const sign = trusted(operator);
  // The statistics and filters of Parquet row groups distinguish -0 from 0.
  if (column.nativeType === "DOUBLE" && right.value === 0) return undefined;
  if (column.nativeType === "DOUBLE") return sql`${name} ${sign} ${right}`;
  const isExact = Number.isInteger(right.value) && Math.abs(right.value) < 2 ** 53;
  return readingOf(column.nativeType) === "whole" && isExact
    ? sql`${name} ${sign} cast(${right} as bigint)`
    : undefined;
}

const ranges: Readonly<Record<string, IntegerRange>> = {
  TINYINT: integerRange(8, false),
  SMALLINT: integerRange(16, false),
  INTEGER: integerRange(32, false),
  BIGINT: integerRange(64, false),
  HUGEINT: integerRange(128, false),
  UTINYINT: integerRange(8, true),
  USMALLINT: integerRange(16, true),
  UINTEGER: integerRange(32, true),
  UBIGINT: integerRange(64, true),
  UHUGEINT: integerRange(128, true),
};

/** Returns an equality test of an integer that is read as its digits; undefined for other columns. */
function digitsTest({ column, operator, right }: NativeTest): Fragment | undefined {
  const range = ranges[column.nativeType];
  if (column.type !== "hierarchy" || !range || (operator !== "=" && operator !== "in"))
    return undefined;
  const found = storedIntegers(right, range);
  if (found.length === 0) return trusted("1 = 0");
  const type = trusted(column.nativeType);
  const name = trusted(dialect.quote(column.name));
  const [only] = found;
  if (found.length === 1 && only !== undefined)
    return sql`${name} = cast(${cell("hierarchy", only)} as ${type})`;
  return sql`${name} in (select unnest(cast(${list("hierarchy", found)} as ${type}[])))`;
}

function within(
  column: SqlColumn,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): Fragment {
  const name = trusted(dialect.quote(column.name));
  const reading = readingOf(column.nativeType);
  if (reading === "nanoseconds") return trusted("true");
  const instant = (ms: number) =>
    sql`make_timestamp(cast(${cell("numeric", ms)} as bigint) * 1000)`;
  const type = trusted(
    reading === "date"
      ? "date"
      : column.nativeType === "TIMESTAMP WITH TIME ZONE"
        ? "timestamptz"
        : "timestamp",
  );
  const tests = [
    ...(fromMs === undefined ? [] : [sql`${name} >= cast(${instant(fromMs)} as ${type})`]),
    ...(beforeMs === undefined ? [] : [sql`${name} <= cast(${instant(beforeMs)} as ${type})`]),
  ];
  const [first, second] = tests;
  if (!first) return trusted("true");
  return second ? sql`(${first} and ${second})` : first;
}
