import { PluginError, type DataType } from "../../plugins/protocol/index.ts";
import {
  foldingClasses,
  join,
  sql,
  sqlCapabilities,
  trusted,
  type Bound,
  type Dialect,
  type Fragment,
  type SqlAggregation,
} from "../../plugins/sql/index.ts";
import { truncated } from "./calendar.ts";
import { compared, equalTo, oneOf, within } from "./compare.ts";
import { listParameter, numberParameter, parameterParts, textParameter } from "./parameters.ts";
import { quote } from "./quote.ts";
import { isReadingFunction } from "./readingFunctions.ts";
import { readColumn, readWide, rounded } from "./read.ts";

const nativeTypes = { numeric: "Float64", datetime: "Int64", hierarchy: "String" } as const;

/** SQL of ClickHouse. Datetimes are milliseconds since 1970 as Int64, and all numbers of an answer are doubles. */
export const dialect: Dialect = {
  name: "ClickHouse",
  capabilities: sqlCapabilities,
  holdsNul: true,
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
  output: (expression) => expression,
  cellOf(value, type) {
    if (value === null || value === undefined) return null;
    if (type === "hierarchy") return typeof value === "string" ? value : String(value);
    // A user's profile may have numbers quoted.
    const number = Number(value);
    // The column had another type when it was described.
    if (Number.isNaN(number) && !/^[+-]?nan$/i.test(String(value)))
      throw new PluginError("PLUGIN_BAD_ANSWER", [
        `ClickHouse: a text arrived where a ${type === "numeric" ? "number" : "datetime"} is due`,
      ]);
    // A period that begins before the first instant is a millisecond earlier on a clock.
    const isBeyond = type === "datetime" && Math.abs(number) > 8.64e15 + 1;
    return Number.isFinite(number) && !isBeyond ? number : null;
  },
  equal: equalTo,
  isIn(left, { type, ...bound }, _, column) {
    const parts = parameterParts(bound.kind === "list" ? bound.values : []);
    const tests = parts.map((values) => oneOf(left, { kind: "list", type, values }, column));
    return tests.length === 0 ? trusted("1 = 0") : sql`(${join(tests, " or ")})`;
  },
  compare: compared,
  within,
  matches(text, pattern, place) {
    // A lone surrogate is in no text of UTF-8.
    if (!pattern.isWellFormed()) return trusted("1 = 0");
    const classes = foldingClasses(pattern);
    // Without a regular expression where only letters of ASCII are folded: not of `k`, which the Kelvin sign equals.
    if (place === "anywhere" && classes.every((each) => each.every((code) => code < 128)))
      return sql`(positionCaseInsensitive(${text}, ${{ kind: "cell", type: "hierarchy", value: pattern }}) > 0)`;
    const body = classes.map(classOf).join("");
    const start = place === "start" ? "\\A" : "";
    const end = place === "end" ? "\\z" : "";
    const bound: Bound = { kind: "cell", type: "hierarchy", value: `${start}${body}${end}` };
    return sql`match(${text}, ${bound})`;
  },
  truncate: truncated,
  shift: (instant, offsetMs) => sql`(${instant} + ${trusted(`(${offsetMs})`)})`,
  bin: (value, width) => binStart(value, trusted(String(width))),
  aggregate,
  order: (expression, direction) => sql`${expression} ${trusted(direction)} nulls last`,
  limit: (by, offset) => trusted(`limit ${by} offset ${offset}`),
};

function parameterType(bound: Bound): string {
  const type = nativeTypes[bound.type];
  if (bound.kind === "list") return `Array(${type})`;
  return bound.value === null ? `Nullable(${type})` : type;
}

/** A class of characters by their numbers: no character of a pattern has a meaning of its own. */
function classOf(codePoints: readonly number[]): string {
  const characters = codePoints.map((codePoint) => `\\x{${codePoint.toString(16)}}`).join("");
  return codePoints.length === 1 ? characters : `[${characters}]`;
}

/** Writes the greatest multiple that is not above a value. A rounded quotient can be one multiple off. */
function binStart(value: Fragment, width: Fragment): Fragment {
  const index = sql`floor(${value} / ${width})`;
  const at = (step: string) => sql`(${index} + ${trusted(step)}) * ${width}`;
  return sql`multiIf(${at("1")} <= ${value}, ${at("1")}, ${at("0")} <= ${value}, ${at("0")}, ${at("-1")})`;
}

function aggregate(
  aggregation: SqlAggregation,
  expression: Fragment | undefined,
  _: DataType,
  fraction?: number,
  weight?: Fragment,
): Fragment | undefined {
  if (expression === undefined) return aggregation === "count" ? sql`count()` : undefined;
  switch (aggregation) {
    case "count":
      return sql`count(${expression})`;
    case "distinctcount":
      return sql`uniqExact(${expression})`;
    case "min":
      return sql`minOrNull(${expression})`;
    case "max":
      return sql`maxOrNull(${expression})`;
    case "sum":
      return sum(expression);
    case "average":
      return finite(sql`(${sum(expression)} / toFloat64(count(${expression})))`);
    case "median":
      return quantile(expression, 0.5);
    case "percentile":
      return fraction === undefined ? undefined : quantile(expression, fraction);
    case "stddev":
      return finite(
        sql`if(count(${expression}) < 2, NULL, stddevSampStable(toFloat64(${expression})))`,
      );
    case "weightedaverage":
      return weight && weighted(expression, weight);
    default:
      return aggregation satisfies never;
  }
}

/** Sums of doubles are compensated, so that the order of rows hardly matters. */
function sum(expression: Fragment): Fragment {
  if ("isWide" in expression) return rounded(sql`sumOrNull(${expression})`);
  return finite(sql`sumKahanOrNull(toFloat64(${expression}))`);
}

function quantile(expression: Fragment, fraction: number): Fragment {
  return sql`quantileExactInclusiveOrNull(${trusted(String(fraction))})(toFloat64(${expression}))`;
}

function weighted(expression: Fragment, weight: Fragment): Fragment {
  const products = sql`sumKahanOrNull(toFloat64(${expression}) * toFloat64(${weight}))`;
  const weights = sql`sumKahanOrNull(if(${expression} is null, NULL, toFloat64(${weight})))`;
  return finite(sql`(${products} / nullIf(${weights}, 0))`);
}

function finite(expression: Fragment): Fragment {
  return sql`if(isFinite(${expression}), ${expression}, NULL)`;
}
