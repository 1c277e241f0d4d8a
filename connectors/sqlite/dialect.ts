import type { DataType, Level } from "../../plugins/protocol/index.ts";
import {
  cell,
  sql,
  sqlCapabilities,
  trusted,
  type Bound,
  type Dialect,
  type Fragment,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { instantFunction } from "./functions.ts";
import { firstInstantMs } from "./monthStart.ts";
import { quote } from "./quote.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { affinityOfColumn, numberMeaningOf } from "./types.ts";

/** SQLite 3.45 or newer, with the functions of `addFunctions`. Instants are milliseconds since 1970, as REAL. */
export const dialect: Dialect = {
  name: "SQLite",
  capabilities: sqlCapabilities,
  holdsNul: true,
  statements: {
    database: "SQLite",
    isFunction: isReadingFunction,
    nameQuotes: '"`',
    squareBrackets: "name",
    systemSchemas: { temp: [] },
  },
  quote,
  placeholder: () => "?",
  driverValue: (bound) => (bound.kind === "list" ? JSON.stringify(bound.values) : bound.value),
  read,
  output: (expression) => expression,
  cellOf(value) {
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    return typeof value === "string" ? value : null;
  },
  equal(left, right, type, column) {
    const exact = sql`${left} = ${right}`;
    if (!column || !isNative(column, type, valuesOf(right))) return exact;
    return sql`(${native(column)} = ${right} and ${exact})`;
  },
  isIn(left, list, type, column) {
    const values = sql`(select value from json_each(${list}))`;
    const exact = sql`${left} in ${values}`;
    if (!column || !isNative(column, type, valuesOf(list))) return exact;
    return sql`(${native(column)} in ${values} and ${exact})`;
  },
  compare(left, operator, right, type, column) {
    const sign = trusted(operator);
    const exact = sql`${left} ${sign} ${right}`;
    if (type !== "numeric" || !column || !isNative(column, type, valuesOf(right))) return exact;
    return sql`(${native(column)} ${sign} ${right} and ${exact})`;
  },
  within,
  matches(text, pattern, place) {
    const name = { anywhere: "manifold_holds", start: "manifold_begins", end: "manifold_ends" }[
      place
    ];
    return sql`${trusted(name)}(${text}, ${cell("hierarchy", pattern)})`;
  },
  truncate(instant, level) {
    const start = periodStart(instant, level);
    return sql`max(${start}, ${trusted(String(firstInstantMs))})`;
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
        return finite(sql`sum(${expression})`);
      case "average":
        return finite(sql`(sum(${expression}) / count(${expression}))`);
      case "median":
        return finite(sql`median(${expression})`);
      case "percentile":
        return finite(sql`percentile_cont(${expression}, ${cell("numeric", fraction ?? 0.5)})`);
      case "stddev":
        return sql`manifold_stddev(${expression})`;
      case "weightedaverage": {
        if (!weight) return undefined;
        const products = sql`sum(${expression} * ${weight})`;
        const weights = sql`sum(case when ${expression} is not null then ${weight} end)`;
        return finite(sql`(${products} / nullif(${weights}, 0))`);
      }
      default:
        return aggregation satisfies never;
    }
  },
  order: (expression, direction) => sql`${expression} ${trusted(direction)} nulls last`,
  limit: (by, offset) => trusted(`limit ${by} offset ${offset}`),
};

const largest = trusted("1.7976931348623157e308");
/** From here on whole numbers are not all doubles, so SQLite's exact comparison may refuse what equals as a double. */
const firstInexact = 2 ** 53;

/** A CASE has no collation, so texts compare by their bytes whatever collation the column has. */
function read(column: SqlColumn, quoted: Fragment): Fragment {
  switch (column.type) {
    case "numeric":
      return sql`case typeof(${quoted}) when 'integer' then cast(${quoted} as real) when 'real' then ${finite(quoted)} when 'text' then manifold_number(${quoted}) end`;
    case "hierarchy":
      return affinityOfColumn(column) === "text"
        ? sql`case when typeof(${quoted}) = 'text' then ${quoted} end`
        : sql`case when typeof(${quoted}) = 'blob' then hex(${quoted}) else cast(${quoted} as text) end`;
    case "datetime":
      return sql`case typeof(${quoted}) when 'text' then ${trusted(instantFunction)}(${quoted}) ${numbersRead(column, quoted)}end`;
  }
}

/** The branches of a CASE that read numbers as instants. */
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

const native = (column: SqlColumn): Fragment => trusted(quote(column.name));

function valuesOf(bound: Bound): readonly (string | number | null)[] {
  return bound.kind === "list" ? bound.values : [bound.value];
}

/** Whether SQLite's own comparison of a column passes every row whose value is one of these. */
function isNative(
  column: SqlColumn,
  type: DataType,
  values: readonly (string | number | null)[],
): boolean {
  const affinity = affinityOfColumn(column);
  if (type === "hierarchy") return affinity === "text";
  if (type !== "numeric" || affinity === "text" || affinity === "none") return false;
  return values.every((value) => typeof value === "number" && Math.abs(value) < firstInexact);
}

const dayMs = 86_400_000;

/**
 * Texts of years with four digits are in the order of their dates, to a day because of their zones. Numbers, and texts
 * that begin with a sign, come before `/`.
 */
function within(
  column: SqlColumn,
  fromMs: number | undefined,
  beforeMs: number | undefined,
): Fragment {
  const from = fromMs === undefined ? undefined : dateText(fromMs - dayMs);
  const before = beforeMs === undefined ? undefined : dateText(beforeMs + 2 * dayMs);
  const name = native(column);
  const bounds = [
    from === undefined ? [] : [sql`${name} >= ${cell("hierarchy", from)}`],
    before === undefined ? [] : [sql`${name} < ${cell("hierarchy", before)}`],
  ].flat();
  const [first, second] = bounds;
  if (!first) return trusted("1");
  return sql`(${second ? sql`${first} and ${second}` : first} or ${name} < '/')`;
}

/** Undefined outside the years 0 to 9999. */
function dateText(instantMs: number): string | undefined {
  const date = new Date(instantMs);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  return /^\d{4}-/.test(text) ? text.slice(0, 10) : undefined;
}

function periodStart(instant: Fragment, level: Level): Fragment {
  const length = { week: 7 * dayMs, day: dayMs, hour: 3_600_000, minute: 60_000, second: 1000 };
  switch (level) {
    case "year":
      return sql`manifold_months(${instant}, 12)`;
    case "quarter":
      return sql`manifold_months(${instant}, 3)`;
    case "month":
      return sql`manifold_months(${instant}, 1)`;
    case "millisecond":
      return instant;
    case "day":
    case "hour":
    case "minute":
    case "second":
    case "week": {
      // 1970-01-05 was a Monday.
      const origin = trusted(level === "week" ? String(4 * dayMs) : "0");
      const width = trusted(`${length[level]}.0`);
      return sql`(floor((${instant} - ${origin}) / ${width}) * ${width} + ${origin})`;
    }
  }
}
