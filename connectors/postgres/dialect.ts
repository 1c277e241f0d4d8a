import { PluginError, type DataType } from "../../plugins/protocol/index.ts";
import {
  cell,
  foldingClasses,
  sql,
  sqlCapabilities,
  trusted,
  type Bound,
  type Comparison,
  type Dialect,
  type Fragment,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { aggregate } from "./aggregate.ts";
import { formOf } from "./columnForm.ts";
import { instantOf, timestampText } from "./instants.ts";

const casts: Readonly<Record<DataType, string>> = {
  numeric: "float8",
  datetime: "timestamp",
  hierarchy: "text",
};
/** Regular expressions become slow to compile beyond. */
const longestPattern = 1000;

/** The types that `BinaryRows` reads. */
const copiedTypes: Readonly<Record<DataType, string>> = {
  numeric: "double precision",
  datetime: "timestamp",
  hierarchy: "text",
};

export const dialect: Dialect = {
  name: "PostgreSQL",
  capabilities: sqlCapabilities,
  holdsNul: false,
  nativeTypes: {
    numeric: "double precision",
    datetime: "timestamp without time zone",
    hierarchy: "text",
  },
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  placeholder: (position, { kind, type }) =>
    `$${position}::${casts[type]}${kind === "list" ? "[]" : ""}`,
  driverValue,
  read: (column, quoted) => formOf(column).read(quoted),
  readPlain: (column, quoted) => {
    const { plain, read } = formOf(column);
    return (plain ?? read)(quoted);
  },
  readWide: (column, quoted) => formOf(column).wide(quoted),
  output: (expression) => expression,
  typed: (expression, type) => sql`(${expression})::${trusted(copiedTypes[type])}`,
  cellOf(value, type) {
    if (typeof value !== "string") return null;
    if (type === "hierarchy") return value;
    const number = type === "numeric" ? Number(value) : instantOf(value);
    // The column had another type when it was described.
    if (Number.isNaN(number) && value !== "NaN")
      throw new PluginError("PLUGIN_BAD_ANSWER", [
        `PostgreSQL: a text arrived where a ${type === "numeric" ? "number" : "datetime"} is due`,
      ]);
    return number;
  },
  equal(left, right, type, column) {
    const native = column && formOf(column).native?.("=", right, quoted(column));
    if (native) return native;
    const exact = sql`${left} = ${right}`;
    const indexed = column && formOf(column).indexed?.(quoted(column), right);
    return indexed ? sql`(${indexed} and ${exact})` : exact;
  },
  isIn(left, list, type, column) {
    const exact = sql`${left} = any(${list})`;
    const indexed = column && formOf(column).indexed?.(quoted(column), list);
    return indexed ? sql`(${indexed} and ${exact})` : exact;
  },
  compare(left, operator, right, type, column) {
    const native = column && formOf(column).native?.(operator, right, quoted(column));
    return native ?? sql`${left}${trusted(` ${operator} `)}${right}`;
  },
  within(column, fromMs, beforeMs) {
    const bound = (operator: Comparison, instantMs: number): Fragment => {
      const at = cell("datetime", instantMs);
      const value = formOf(column).isZoned ? sql`(${at} at time zone 'UTC')` : sql`${at}`;
      return sql`${quoted(column)}${trusted(` ${operator} `)}${value}`;
    };
    if (fromMs === undefined) return bound("<", beforeMs ?? 0);
    const from = bound(">=", fromMs);
    return beforeMs === undefined ? from : sql`(${from} and ${bound("<", beforeMs)})`;
  },
  matches(text, pattern, place) {
    if (pattern.length > longestPattern) return undefined;
    const classes = foldingClasses(pattern).map((codePoints) =>
      codePoints.length > 1
        ? `[${String.fromCodePoint(...codePoints)}]`
        : escaped(String.fromCodePoint(codePoints[0]!)),
    );
    const expression = `${place === "start" ? "^" : ""}${classes.join("")}${place === "end" ? "$" : ""}`;
    return sql`${text} ~ ${cell("hierarchy", expression)}`;
  },
  truncate: (instant, level) =>
    sql`date_trunc(${trusted(`'${level === "millisecond" ? "milliseconds" : level}'`)}, ${instant})`,
  shift: (instant, offsetMs) =>
    sql`(${instant} + ${trusted(`interval '${offsetMs} milliseconds'`)})`,
  bin(number, width) {
    const by = cell("numeric", width);
    const start = sql`(floor(${number}::float8 / ${by}) * ${by})`;
    // The quotient is rounded, so the start may be one bin off.
    return sql`case when ${start} > ${number} then ${start} - ${by} when ${start} + ${by} <= ${number} then ${start} + ${by} else ${start} end`;
  },
  aggregate,
  order: (expression, direction, type) =>
    sql`${expression}${trusted(`${type === "hierarchy" ? ' collate "C"' : ""} ${direction} nulls last`)}`,
  limit: (by, offset) =>
    sql`limit ${cell("numeric", by)}::bigint offset ${cell("numeric", offset)}::bigint`,
};

function quoted({ name }: SqlColumn): Fragment {
  return trusted(dialect.quote(name));
}

function driverValue(bound: Bound): unknown {
  const write = (value: string | number): string | number =>
    bound.type === "datetime" && typeof value === "number" ? timestampText(value) : value;
  if (bound.kind === "list") return bound.values.map(write);
  return bound.value === null ? null : write(bound.value);
}

/** Writes a character as a literal of a regular expression. */
function escaped(character: string): string {
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
}
