import { PluginError, type Capabilities, type DataType } from "../../plugins/protocol/index.ts";
import {
  cell,
  foldingClasses,
  join,
  sql,
  sqlCapabilities,
  trusted,
  type Bound,
  type Comparison,
  type Dialect,
  type Fragment,
  type SqlAggregation,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { bindInstant, readInstant, truncateInstant } from "./instants.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { isSummedWide, readType, type Form } from "./types.ts";

const capabilities: Capabilities = {
  ...sqlCapabilities,
  // A statement takes 65,535 parameters.
  filters: { ...sqlCapabilities.filters, listLength: 5_000 },
  grouping: {
    ...sqlCapabilities.grouping,
    aggregations: sqlCapabilities.grouping.aggregations.filter(
      (name) => name !== "median" && name !== "percentile",
    ),
  },
};

/** Whole numbers below it are doubles of their own. */
const exactBelow = 2 ** 53;

/** The dialect of MySQL 8 and MariaDB: texts are compared as bytes of UTF-8, instants are whole milliseconds. */
export const dialect: Dialect = {
  name: "MySQL",
  capabilities,
  holdsNul: true,
  nativeTypes: { hierarchy: "varchar(100)" },
  statements: {
    database: "MySQL",
    isFunction: isReadingFunction,
    nameQuotes: "`",
    stringQuotes: '"',
    systemSchemas: {
      information_schema: ["tables", "columns", "schemata", "key_column_usage", "statistics"],
      mysql: [],
      performance_schema: [],
      sys: [],
    },
    refused: [
      [["lock", "in"], "a dataset cannot lock rows"],
      [["next", "value"], "a dataset cannot use sequences"],
      [["previous", "value"], "a dataset cannot use sequences"],
      [["procedure"], "a dataset must be one statement that only reads"],
    ],
  },
  quote,
  placeholder: () => "?",
  driverValue(bound) {
    if (bound.kind === "list") throw new Error("lists are bound cell by cell");
    return bound.value;
  },
  read(column, quoted) {
    const form = formOf(column);
    if (form === undefined) return quoted;
    switch (form) {
      case "exact":
        return quoted;
      case "double":
      case "float":
        // Adds a double, so that wide numbers are compared as the nearest double, and -0 as 0.
        return sql`(${quoted} + 0e0)`;
      case "bits":
        return sql`(cast(${quoted} as unsigned) + 0e0)`;
      case "year":
        return sql`(${quoted} + 0)`;
      case "text":
        return sql`cast(convert(${quoted} using utf8mb4) as binary)`;
      case "plain":
        return sql`cast(cast(${quoted} as char) as binary)`;
      case "bytes":
        return sql`(case when cast(convert(${quoted} using utf8mb4) as binary) = ${quoted} then cast(${quoted} as binary) end)`;
      case "date":
      case "instant":
        return readInstant(quoted);
    }
  },
  readWide: (column, quoted) =>
    isSummedWide(column.nativeType) ? quoted : dialect.read(column, quoted),
  output: (expression) => expression,
  cellOf,
  equal(left, right, type, column) {
    if (isExactWhole(right, column)) return sql`(${nameOf(column!)} = ${right})`;
    const native = nativeText(right, column);
    if (native) return sql`(${nameOf(column!)} = ${native} and ${left} = ${right})`;
    return sql`(${left} = ${right})`;
  },
  isIn(left, bound, type, column) {
    const values = bound.kind === "list" ? bound.values : [];
    const cells = values.map((value) => cell(type, value));
    const listed = sql`${left} in (${join(
      cells.map((each) => sql`${each}`),
      ", ",
    )})`;
    const natives = cells
      .map((each) => nativeText(each, column))
      .filter((each) => each !== undefined);
    if (natives.length === 0 || natives.length < cells.length) return sql`(${listed})`;
    return sql`(${nameOf(column!)} in (${join(natives, ", ")}) and ${listed})`;
  },
  compare(left, operator, right, type, column) {
    const expression = isExactWhole(right, column) ? nameOf(column!) : left;
    return sql`(${expression} ${trusted(operator)} ${right})`;
  },
  within(column, fromMs, beforeMs) {
    const isDate = formOf(column) === "date";
    const tests = [
      fromMs === undefined ? undefined : native(column, ">=", bindInstant(fromMs, isDate)),
      beforeMs === undefined
        ? undefined
        : native(
            column,
            isDate ? "<=" : "<",
            bindInstant(isDate ? beforeMs - 1 : beforeMs, isDate),
          ),
    ].filter((test) => test !== undefined);
    return tests.length === 0 ? trusted("1 = 1") : join(tests, " and ");
  },
  matches(text, pattern, place) {
    const classes = foldingClasses(pattern).map(
      (codePoints) => `[${codePoints.map((each) => `\\x{${each.toString(16)}}`).join("")}]`,
    );
    const start = place === "start" ? "\\A" : "";
    const end = place === "end" ? "\\z" : "";
    const expression = cell("hierarchy", start + classes.join("") + end);
    return sql`(convert(${text} using utf8mb4) collate utf8mb4_bin regexp ${expression})`;
  },
  truncate: truncateInstant,
  shift: (instant, offsetMs) => sql`(${instant} + ${trusted(String(offsetMs))})`,
  bin(number, width) {
    const by = cell("numeric", width);
    const index = sql`floor((${number} + 0e0) / ${by})`;
    // The quotient is rounded, so the bin may be the one before or after.
    return sql`((${index} + case when ${index} * ${by} > ${number} then -1
      when (${index} + 1) * ${by} <= ${number} then 1 else 0 end) * ${by} + 0e0)`;
  },
  aggregate,
  // Nulls come last in a descending order anyway.
  order: (expression, direction) =>
    direction === "asc" ? sql`${expression} is null, ${expression}` : sql`${expression} desc`,
  // MySQL 8 refuses a limit that is bound as a double, and the driver binds every number so.
  limit: (by, offset) => sql`limit ${wholeNumber(by)} offset ${wholeNumber(offset)}`,
};

/** Writes a whole number from 0 on; anything else is refused, so no other text can come here. */
function wholeNumber(value: number): Fragment {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new PluginError("PLUGIN_INVALID", ["limit and offset must be whole numbers from 0 on"]);
  return trusted(String(value));
}

function quote(identifier: string): string {
  return `\`${identifier.replaceAll("`", "``")}\``;
}

function nameOf({ name }: SqlColumn): Fragment {
  return trusted(quote(name));
}

function formOf({ nativeType }: SqlColumn): Form | undefined {
  return readType(nativeType)?.form;
}

function native(
  column: SqlColumn,
  operator: Comparison,
  bound: Fragment | undefined,
): Fragment | undefined {
  return bound && sql`${nameOf(column)} ${trusted(operator)} ${bound}`;
}

/** Whether a column's own comparison with a value is exact, although its wide numbers are compared as doubles. */
function isExactWhole(right: Bound, column: SqlColumn | undefined): boolean {
  return (
    column !== undefined &&
    right.kind === "cell" &&
    /^bigint/i.test(column.nativeType) &&
    typeof right.value === "number" &&
    Math.abs(right.value) < exactBelow
  );
}

/**
 * Returns a text in the encoding and collation of a column, for its index: texts of equal bytes are equal in every
 * collation. A character that the encoding lacks becomes another one, and the exact test fails.
 */
function nativeText(right: Bound, column: SqlColumn | undefined): Fragment | undefined {
  const collation = column?.collation;
  if (!column || collation === undefined || formOf(column) !== "text") return undefined;
  const [, encoding] = /^([a-z0-9]+)(?:_[a-z0-9_]+)?$/i.exec(collation) ?? [];
  if (encoding === undefined || encoding === "binary") return undefined;
  return sql`convert(${right} using ${trusted(encoding)}) collate ${trusted(collation)}`;
}

function aggregate(
  aggregation: SqlAggregation,
  expression: Fragment | undefined,
  _type: DataType,
  _fraction?: number,
  weight?: Fragment,
): Fragment | undefined {
  if (aggregation === "count") return expression ? sql`count(${expression})` : trusted("count(*)");
  if (!expression) return undefined;
  switch (aggregation) {
    case "sum":
      return sql`(sum(${expression}) + 0e0)`;
    case "average":
      return sql`((sum(${expression}) + 0e0) / count(${expression}))`;
    case "min":
      return sql`min(${expression})`;
    case "max":
      return sql`max(${expression})`;
    case "distinctcount":
      return sql`count(distinct ${expression})`;
    case "stddev":
      return sql`stddev_samp(${expression} + 0e0)`;
    case "weightedaverage":
      return (
        weight &&
        sql`(sum((${expression} + 0e0) * (${weight} + 0e0)) /
          nullif(sum(case when ${expression} is not null then ${weight} + 0e0 end), 0))`
      );
    case "median":
    case "percentile":
      return undefined;
    default:
      return aggregation satisfies never;
  }
}

function cellOf(value: unknown, type: DataType): string | number | null {
  if (value === null || value === undefined) return null;
  if (type === "hierarchy") return Buffer.isBuffer(value) ? value.toString("utf8") : String(value);
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}
