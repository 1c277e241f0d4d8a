import { PluginError } from "../../plugins/protocol/index.ts";
import {
  cell,
  correlation,
  createDialect,
  foldingClasses,
  foldingPattern,
  join,
  list,
  sql,
  trusted,
  type Bound,
  type Fragment,
} from "../../plugins/sql/index.ts";
import { truncated } from "./calendar.ts";
import { isUnzoned, numberKind } from "./types.ts";
import { native, oneOf, within } from "./compare.ts";
import { listParameter, numberParameter, parameterParts, textParameter } from "./parameters.ts";
import { quote } from "./quote.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { readColumn, readWide, rounded } from "./read.ts";

const nativeTypes = { numeric: "Float64", datetime: "Int64", hierarchy: "String" } as const;

/** The dialect of ClickHouse. Datetimes are Int64 milliseconds since 1970. All numbers in results are doubles. */
export const dialect = createDialect({
  name: "ClickHouse",
  holdsNul: true,
  claims: { groupLimit: true },
  sharesParameters: true,
  statements: {
    database: "ClickHouse",
    isFunction: isReadingFunction,
    nameQuotes: '"`',
    hasEscapes: true,
    callsTwice: true,
    squareBrackets: "array",
    systemSchemas: {
      system: ["one", "numbers", "numbers_mt", "zeros", "zeros_mt"],
      information_schema: ["tables", "columns", "schemata"],
    },
    refused: [
      [["settings"], "the account sets the limits; quote the word if it is a name"],
      [["apply"], "call the function for each column; quote the word if it is a name"],
    ],
  },
  quote,
  placeholder: (position, bound) => `{p${position}:${parameterType(bound)}}`,
  driverValue(bound) {
    if (bound.kind === "list") return listParameter(bound.values);
    if (bound.value === null) return "\\N";
    return typeof bound.value === "number"
      ? numberParameter(bound.value)
      : textParameter(bound.value);
  },
  read: readColumn,
  readWide,
  numberKind,
  isUnzoned,
  cellOf(value, type) {
    if (value === null || value === undefined) return null;
    if (type === "hierarchy") return typeof value === "string" ? value : String(value);
    // The server puts numbers in quotes if the user's profile tells it to.
    const number = Number(value);
    // The type of the column has changed since it was described.
    if (Number.isNaN(number) && !/^[+-]?nan$/i.test(String(value)))
      throw new PluginError("PLUGIN_BAD_ANSWER", [
        `ClickHouse returned a string where a ${type === "numeric" ? "number" : "datetime"} was expected`,
      ]);
    // If a period begins before the first instant, its start is one millisecond before that instant.
    const isBeyond = type === "datetime" && Math.abs(number) > 8.64e15 + 1;
    return Number.isFinite(number) && !isBeyond ? number : null;
  },
  native,
  among: (values) => sql`in ${values}`,
  isIn({ right, ...test }) {
    const parts = parameterParts(right.kind === "list" ? right.values : []);
    const tests = parts.map((values) => oneOf({ ...test, right: list(right.type, values) }));
    return tests.length === 0 ? trusted("1 = 0") : sql`(${join(tests, " or ")})`;
  },
  within,
  matches(text, pattern, place) {
    // UTF-8 strings contain no lone surrogates.
    if (!pattern.isWellFormed()) return trusted("1 = 0");
    // If only ASCII letters are folded, no regular expression is needed. `k` needs one, because it also matches the
    // Kelvin sign.
    const isAscii = foldingClasses(pattern).every((each) => each.every((code) => code < 128));
    if (place === "anywhere" && isAscii)
      return sql`(positionCaseInsensitive(${text}, ${cell("hierarchy", pattern)}) > 0)`;
    return sql`match(${text}, ${cell("hierarchy", foldingPattern(pattern, place))})`;
  },
  truncate: truncated,
  numbers: {
    double,
    finite,
    // Sums of doubles are compensated, so the order of rows hardly affects them.
    sum: (number) =>
      "isWide" in number
        ? rounded(sql`sumOrNull(${number})`)
        : sql`sumKahanOrNull(toFloat64(${number}))`,
  },
  aggregates: {
    distinctcount: (value) => sql`uniqExact(${value})`,
    min: (value) => sql`minOrNull(${value})`,
    max: (value) => sql`maxOrNull(${value})`,
    percentile: (value, fraction) =>
      sql`quantileExactInclusiveOrNull(${trusted(String(fraction))})(toFloat64(${value}))`,
    stddev: (value) =>
      finite(sql`if(count(${value}) < 2, NULL, stddevSampStable(toFloat64(${value})))`),
    corr: (value, second) => correlation("corrStable")(double(value), double(second)),
  },
});

function parameterType(bound: Bound): string {
  const type = nativeTypes[bound.type];
  if (bound.kind === "list") return `Array(${type})`;
  return bound.value === null ? `Nullable(${type})` : type;
}

function double(number: Fragment): Fragment {
  return sql`toFloat64(${number})`;
}

function finite(expression: Fragment): Fragment {
  return sql`if(isFinite(${expression}), ${expression}, NULL)`;
}
