import type { Level } from "../../plugins/protocol/index.ts";
import {
  cell,
  foldingClasses,
  sql,
  sqlCapabilities,
  trusted,
  type Bound,
  type Dialect,
  type Fragment,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { quote } from "./quote.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { isCollated, readingOf } from "./types.ts";

const typeNames = { numeric: "double", hierarchy: "varchar", datetime: "double" } as const;
const dayMs = 86_400_000;
/** ECMAScript time begins and ends here, in milliseconds around 1970. */
const mostMs = trusted("8640000000000000");

/** DuckDB 1.4 or newer. Instants are milliseconds since 1970, as DOUBLE. */
export const dialect: Dialect = {
  name: "DuckDB",
  capabilities: sqlCapabilities,
  holdsNul: true,
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
  quote,
  placeholder: (position, bound) =>
    `$${position}::${typeNames[bound.type]}${bound.kind === "list" ? "[]" : ""}`,
  driverValue: (bound) => (bound.kind === "list" ? bound.values : bound.value),
  read,
  output: (expression, type) => sql`cast(${expression} as ${trusted(typeNames[type])})`,
  cellOf(value) {
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    return typeof value === "string" ? value : null;
  },
  equal(left, right, _type, column) {
    const exact = sql`${left} = ${right}`;
    const native = column && nativeTest(column, "=", right);
    return native ? sql`(${native} and ${exact})` : exact;
  },
  isIn: (left, list) => sql`${left} in (select unnest(${list}))`,
  compare(left, operator, right, _type, column) {
    const exact = sql`${left} ${trusted(operator)} ${right}`;
    const native = column && nativeTest(column, operator, right);
    return native ? sql`(${native} and ${exact})` : exact;
  },
  within,
  matches(text, pattern, place) {
    const classes = foldingClasses(pattern).map(regularClass).join("");
    const expression = { anywhere: classes, start: `^${classes}`, end: `${classes}$` }[place];
    return sql`regexp_matches(${text}, ${cell("hierarchy", expression)})`;
  },
  truncate(instant, level) {
    const start = periodStart(instant, level);
    return sql`case when ${start} < -${mostMs} then -${mostMs}::double else ${start} end`;
  },
  shift: (instant, offsetMs) => sql`(${instant} + ${trusted(`(${offsetMs})`)})`,
  bin(number, width) {
    const by = cell("numeric", width);
    const index = sql`floor(${number} / ${by})`;
    // The quotient is rounded, so the start may be one bin off.
    return sql`case when ${index} * ${by} > ${number} then (${index} - 1) * ${by} when (${index} + 1) * ${by} <= ${number} then (${index} + 1) * ${by} else ${index} * ${by} end`;
  },
  aggregate(aggregation, expression, _type, fraction, weight) {
    if (!expression) return aggregation === "count" ? sql`count(*)` : undefined;
    switch (aggregation) {
      case "count":
        return sql`count(${expression})`;
      case "distinctcount":
        return sql`count(distinct ${expression})`;
      case "min":
        return sql`min(${expression})`;
      case "max":
        return sql`max(${expression})`;
      case "sum":
        return finite(sql`fsum(${expression})`);
      case "average":
        return finite(sql`(fsum(${expression}) / count(${expression}))`);
      case "median":
        return finite(sql`quantile_cont(${expression}, 0.5)`);
      case "percentile":
        return finite(sql`quantile_cont(${expression}, ${cell("numeric", fraction ?? 0.5)})`);
      case "stddev":
        return deviation(expression);
      case "weightedaverage": {
        if (!weight) return undefined;
        const products = sql`fsum(${expression} * ${weight})`;
        const weights = sql`fsum(case when ${expression} is not null then ${weight} end)`;
        return finite(sql`(${products} / nullif(${weights}, 0))`);
      }
      default:
        return aggregation satisfies never;
    }
  },
  order: (expression, direction) => sql`${expression} ${trusted(direction)} nulls last`,
  limit: (by, offset) => trusted(`limit ${by} offset ${offset}`),
};

function read(column: SqlColumn, quoted: Fragment): Fragment {
  switch (readingOf(column.nativeType)) {
    case "whole":
      return sql`cast(${quoted} as double)`;
    // The text has all digits, and becomes the nearest double in one step.
    case "wide":
      return finite(sql`cast(cast(${quoted} as varchar) as double)`);
    // -0 is 0: DuckDB groups them apart.
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

/** Cuts a count of parts of a millisecond down to milliseconds. DuckDB divides whole numbers toward zero. */
function instantOf(count: Fragment, perMs: number): Fragment {
  const per = trusted(String(perMs));
  const instant = sql`(${count} // ${per} - case when ${count} % ${per} < 0 then 1 else 0 end)`;
  return sql`case when abs(${instant}) <= ${mostMs} then cast(${instant} as double) end`;
}

function finite(number: Fragment): Fragment {
  return sql`case when isfinite(${number}) then ${number} end`;
}

/** DuckDB fails where a square is beyond the doubles, so large values are divided first, by a power of two. */
function deviation(number: Fragment): Fragment {
  const limit = trusted("1e140::double");
  const factor = trusted(`${2 ** -560}::double`);
  return sql`case when max(abs(${number})) < ${limit} then stddev_samp(case when abs(${number}) < ${limit} then ${number} end) else ${finite(sql`(stddev_samp(${number} * ${factor}) / ${factor})`)} end`;
}

/** DuckDB skips row groups by a test of the column itself, with a constant of its type. */
function nativeTest(column: SqlColumn, operator: string, right: Bound): Fragment | undefined {
  if (right.kind === "list" || typeof right.value !== "number") return undefined;
  const name = trusted(quote(column.name));
  const sign = trusted(operator);
  // The figures and filters of Parquet's row groups distinguish -0 from 0.
  if (column.nativeType === "DOUBLE" && right.value === 0) return undefined;
  if (column.nativeType === "DOUBLE") return sql`${name} ${sign} ${right}`;
  const isExact = Number.isInteger(right.value) && Math.abs(right.value) < 2 ** 53;
  return readingOf(column.nativeType) === "whole" && isExact
    ? sql`${name} ${sign} cast(${right} as bigint)`
    : undefined;
}

function within(
  column: SqlColumn,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): Fragment {
  const name = trusted(quote(column.name));
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

function regularClass(codePoints: readonly number[]): string {
  const escaped = codePoints.map((codePoint) => `\\x{${codePoint.toString(16)}}`).join("");
  return codePoints.length === 1 ? escaped : `[${escaped}]`;
}

function periodStart(instant: Fragment, level: Level): Fragment {
  const lengths = { week: 7 * dayMs, day: dayMs, hour: 3_600_000, minute: 60_000, second: 1000 };
  switch (level) {
    case "year":
    case "quarter":
    case "month": {
      const timestamp = sql`make_timestamp(cast(${instant} as bigint) * 1000)`;
      return sql`cast(epoch_ms(date_trunc('${trusted(level)}', ${timestamp})) as double)`;
    }
    case "millisecond":
      return instant;
    case "day":
    case "hour":
    case "minute":
    case "second":
    case "week": {
      // 1970-01-05 was a Monday.
      const origin = trusted(level === "week" ? String(4 * dayMs) : "0");
      const width = trusted(`${lengths[level]}::double`);
      return sql`(floor((${instant} - ${origin}) / ${width}) * ${width} + ${origin})`;
    }
  }
}
