import { PluginError, type DataType } from "../../plugins/protocol/index.ts";
import {
  cell,
  correlation,
  createDialect,
  foldingClasses,
  sql,
  trusted,
  type Bound,
  type Comparison,
  type Fragment,
  type SqlColumn,
} from "../../plugins/sql/index.ts";
import { formOf, numberKind } from "./columnForm.ts";
import { instantOf, timestampText } from "./instants.ts";

const casts: Readonly<Record<DataType, string>> = {
  numeric: "float8",
  datetime: "timestamp",
  hierarchy: "text",
};
/** Maximum length of a regular expression. Longer expressions would take too long to compile. */
const longestPattern = 1000;

/** The types that `BinaryRows` reads. */
const copiedTypes: Readonly<Record<DataType, string>> = {
  numeric: "double precision",
  datetime: "timestamp",
  hierarchy: "text",
};

export const dialect = createDialect({
  name: "PostgreSQL",
  holdsNul: false,
  claims: { groupLimit: true },
  nativeTypes: {
    numeric: "double precision",
    datetime: "timestamp without time zone",
    hierarchy: "text",
  },
  placeholder: (position, { kind, type }) =>
    `$${position}::${casts[type]}${kind === "list" ? "[]" : ""}`,
  driverValue,
  read: (column, quoted) => formOf(column).read(quoted),
  readPlain: (column, quoted) => {
    const { plain, read } = formOf(column);
    return (plain ?? read)(quoted);
  },
  readWide: (column, quoted) => formOf(column).wide(quoted),
  numberKind,
  isUnzoned: ({ nativeType }) => nativeType.endsWith("without time zone"),
  typed: (expression, type) => sql`(${expression})::${trusted(copiedTypes[type])}`,
  cellOf(value, type) {
    if (typeof value !== "string") return null;
    if (type === "hierarchy") return value;
    const number = type === "numeric" ? Number(value) : instantOf(value);
    // The type of the column has changed since it was described.
    if (Number.isNaN(number) && value !== "NaN")
      throw new PluginError("PLUGIN_BAD_ANSWER", [
        `PostgreSQL returned a string where a ${type === "numeric" ? "number" : "datetime"} was expected`,
      ]);
    return number;
  },
  among: (list) => sql`= any(${list})`,
  native({ operator, right, column }) {
    const form = formOf(column);
    const exact = operator === "in" ? undefined : form.native?.(operator, right, quoted(column));
    if (exact) return { test: exact, isExact: true };
    const isEquality = operator === "=" || operator === "in";
    if (isEquality && form.among) return { test: form.among(quoted(column), right), isExact: true };
    const test = isEquality ? form.indexed?.(quoted(column), right) : undefined;
    return test && { test };
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
  // Sums of integers and decimals are exact, so they are computed in their own type.
  numbers: { double },
  aggregates: { corr: (value, second) => correlation("corr")(double(value), double(second)) },
  order: (expression, direction, type) =>
    sql`${expression}${trusted(`${type === "hierarchy" ? ' collate "C"' : ""} ${direction} nulls last`)}`,
});

function double(number: Fragment): Fragment {
  return sql`(${number})::float8`;
}

function quoted({ name }: SqlColumn): Fragment {
  return trusted(dialect.quote(name));
}

function driverValue(bound: Bound): unknown {
  const write = (value: string | number): string | number =>
    bound.type === "datetime" && typeof value === "number" ? timestampText(value) : value;
  if (bound.kind === "list") return bound.values.map(write);
  return bound.value === null ? null : write(bound.value);
}

/** Escapes a character for a regular expression. */
function escaped(character: string): string {
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
}
