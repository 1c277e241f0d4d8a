import type { ValueType } from "./portable.ts";

/** Calendar periods, the longest first; weeks start on Monday. */
export const periods = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
] as const;
export type Period = (typeof periods)[number];

/** What `datePart` reads off a calendar. */
export const dateParts = [...periods, "weekday", "dayofyear", "weekyear"] as const;
export type DatePart = (typeof dateParts)[number];

/**
 * What a parameter takes. `T` and `U` are any one type, the same wherever the letter stands in a call.
 * `constant` is a literal of type `T`, null included. `period`, `part`, `pattern` and `zone` are literal
 * texts: of `periods`, of `dateParts`, a pattern of `formatDate`, and an IANA time zone.
 */
export type Parameter = ValueType | "T" | "U" | "constant" | "period" | "part" | "pattern" | "zone";

export interface FunctionDefinition {
  readonly parameters: readonly Parameter[];
  /** Parameters that may come again, all of them together, after `parameters`. */
  readonly repeated?: readonly Parameter[];
  /** The parameter after all others. */
  readonly last?: Parameter;
  readonly result: ValueType | "T";
  /** With a null argument: the result is null, or false, or what `meaning` says. */
  readonly nulls: "null" | "false" | "meaning";
  /** The same arguments give the same result at any time. */
  readonly isDeterministic: boolean;
  readonly meaning: string;
}

type Shape = Partial<Omit<FunctionDefinition, "parameters" | "result" | "meaning">>;

function define(
  parameters: readonly Parameter[],
  result: ValueType | "T",
  meaning: string,
  shape: Shape = {},
): FunctionDefinition {
  const nulls = result === "boolean" ? "false" : "null";
  return { parameters, result, meaning, nulls, isDeterministic: true, ...shape };
}

const own = { nulls: "meaning" } as const;

/**
 * The closed list of functions of a `PortableExpression`, operators among them. For all: a number that
 * is not finite, a datetime out of the range of ECMAScript (±8.64e15 ms) and a text that grows beyond
 * `limits.textLength` are null. Text is counted in code points, positions from 1; counts, positions and
 * digits are cut to whole numbers toward zero; text compares exactly, by code point.
 */
export const portableFunctions = {
  and: define(["boolean", "boolean"], "boolean", "true when all are true", {
    repeated: ["boolean"],
  }),
  or: define(["boolean", "boolean"], "boolean", "true when one is true", {
    repeated: ["boolean"],
  }),
  not: define(["boolean"], "boolean", "the other one of true and false"),
  isNull: define(["T"], "boolean", "true when the value is null", own),
  equal: define(["T", "T"], "boolean", "true when both are the same"),
  less: define(["T", "T"], "boolean", "true when the first comes before the second"),
  lessOrEqual: define(["T", "T"], "boolean", "true when the first does not come after the second"),
  greater: define(["T", "T"], "boolean", "true when the first comes after the second"),
  greaterOrEqual: define(
    ["T", "T"],
    "boolean",
    "true when the first does not come before the second",
  ),
  between: define(
    ["T", "T", "T"],
    "boolean",
    "true when the first lies between the other two, both included",
  ),
  in: define(
    ["T", "constant"],
    "boolean",
    "true when the first is one of the constants; null is one when it is listed",
    { ...own, repeated: ["constant"] },
  ),
  contains: define(
    ["text", "text"],
    "boolean",
    "true when the second text occurs in the first; case is ignored (simple Unicode folding)",
  ),
  startsWith: define(
    ["text", "text"],
    "boolean",
    "true when the first text begins with the second; case is ignored (simple Unicode folding)",
  ),
  endsWith: define(
    ["text", "text"],
    "boolean",
    "true when the first text ends with the second; case is ignored (simple Unicode folding)",
  ),

  case: define(
    ["boolean", "T"],
    "T",
    "the value after the first test that is true, else the last one",
    { ...own, repeated: ["boolean", "T"], last: "T" },
  ),
  switch: define(
    ["U", "U", "T"],
    "T",
    "the value after the first key that equals the first argument, else the last one; null equals nothing",
    { ...own, repeated: ["U", "T"], last: "T" },
  ),
  coalesce: define(["T"], "T", "the first value that is not null", { ...own, repeated: ["T"] }),
  nullIf: define(["T", "T"], "T", "null when both are equal, else the first", own),
  greatest: define(["T", "T"], "T", "the one that comes last; null when one is null", {
    repeated: ["T"],
  }),
  least: define(["T", "T"], "T", "the one that comes first; null when one is null", {
    repeated: ["T"],
  }),

  add: define(["number", "number"], "number", "the sum, an IEEE double as all arithmetic"),
  subtract: define(["number", "number"], "number", "the difference"),
  multiply: define(["number", "number"], "number", "the product"),
  divide: define(
    ["number", "number"],
    "number",
    "the quotient, with its fraction; null when the divisor is 0",
  ),
  modulo: define(
    ["number", "number"],
    "number",
    "the remainder, exact, with the sign of the first; null when the divisor is 0",
  ),
  quotient: define(
    ["number", "number"],
    "number",
    "the quotient cut toward zero; null when the divisor is 0",
  ),
  negate: define(["number"], "number", "the number with the other sign"),
  abs: define(["number"], "number", "the number without its sign"),
  sign: define(["number"], "number", "-1, 0 or 1"),
  ceil: define(["number"], "number", "the next whole number upward"),
  floor: define(["number"], "number", "the next whole number downward"),
  round: define(
    ["number", "number"],
    "number",
    "rounded to that many decimals, halves away from zero: x * 10^d is rounded and divided by 10^d again; negative digits round to tens and hundreds; null beyond 22 digits",
  ),
  trunc: define(
    ["number", "number"],
    "number",
    "cut to that many decimals toward zero, computed as round is",
  ),
  sqrt: define(["number"], "number", "the square root; null of a negative number"),
  power: define(
    ["number", "number"],
    "number",
    "the first to the power of the second; null when that is no real number",
  ),
  exp: define(["number"], "number", "e to the power of the number"),
  ln: define(["number"], "number", "the natural logarithm; null unless the number is positive"),
  log10: define(["number"], "number", "the decimal logarithm; null unless the number is positive"),

  concat: define(["text", "text"], "text", "the texts one after the other", {
    repeated: ["text"],
  }),
  length: define(["text"], "number", "the number of code points"),
  lower: define(["text"], "text", "in lower case (full Unicode mapping, no language)"),
  upper: define(["text"], "text", "in upper case (full Unicode mapping, no language)"),
  trim: define(
    ["text"],
    "text",
    "without the white space at both ends (that of Unicode: U+0085 is, U+FEFF is not)",
  ),
  trimStart: define(["text"], "text", "without the white space at the start"),
  trimEnd: define(["text"], "text", "without the white space at the end"),
  left: define(["text", "number"], "text", "that many characters from the start"),
  right: define(["text", "number"], "text", "that many characters from the end"),
  substring: define(
    ["text", "number", "number"],
    "text",
    "the characters from a position on, that many; positions before 1 count and are empty",
  ),
  replace: define(
    ["text", "text", "text"],
    "text",
    "with every occurrence of the second text replaced by the third, from the left; an empty text is never found",
  ),
  position: define(
    ["text", "text"],
    "number",
    "where the second text first occurs in the first; 0 when it does not",
  ),
  padStart: define(
    ["text", "number", "text"],
    "text",
    "made that many characters long, with the third text repeated at the start; what is longer is cut at the end; without anything to repeat it stays shorter",
  ),
  padEnd: define(
    ["text", "number", "text"],
    "text",
    "made that many characters long, with the third text repeated at the end; what is longer is cut at the end; without anything to repeat it stays shorter",
  ),
  repeat: define(["text", "number"], "text", "that many times, one after the other"),
  reverse: define(["text"], "text", "its code points in reverse order"),
  splitPart: define(
    ["text", "text", "number"],
    "text",
    "the part with that number, from 1, of the first text split at the second; empty when there is none; an empty separator splits nothing",
  ),

  toNumber: define(
    ["text"],
    "number",
    "the number that the text spells, white space around it aside, like 12, -0.5 or 1e6; null when it spells none",
  ),
  numberText: define(
    ["number"],
    "text",
    "the shortest decimal text that names the number, as ECMAScript writes it: 0.1, 1e+21",
  ),
  datetimeText: define(["datetime"], "text", "ISO 8601 in UTC: 2024-01-31T12:00:00.000Z"),
  toDatetime: define(
    ["text"],
    "datetime",
    "the instant that an ISO 8601 text names, in UTC when it names no zone; null when it names none",
  ),
  toDate: define(
    ["text"],
    "datetime",
    "the calendar date with which an ISO 8601 text begins, as its midnight in UTC; null when it names none",
  ),

  datePart: define(
    ["part", "datetime", "zone"],
    "number",
    "a part of the date and time on the zone's clock; week and weekyear as in ISO 8601, weekday from Monday = 1",
  ),
  dateTrunc: define(
    ["period", "datetime", "zone"],
    "datetime",
    "the instant at which the period starts on the zone's clock; an hour or less that a change of the clock cuts starts at the change",
  ),
  dateAdd: define(
    ["period", "number", "datetime", "zone"],
    "datetime",
    "that many periods later; from days on the zone's clock keeps its time, a day that the month does not have is its last, a time that the clock skips is as much later, one that it shows twice is the first; null when the number is not whole",
  ),
  dateDiff: define(
    ["period", "datetime", "datetime", "zone"],
    "number",
    "how many periods start after the first and up to the second on the zone's clock; negative when the second is earlier",
  ),
  makeDate: define(
    ["number", "number", "number"],
    "datetime",
    "the date of a year, month and day, as its midnight in UTC; null when the calendar has none",
  ),
  dateOf: define(
    ["datetime", "zone"],
    "datetime",
    "the date on the zone's clock, as its midnight in UTC",
  ),
  formatDate: define(
    ["datetime", "pattern", "zone"],
    "text",
    "written by a pattern of yyyy, MM, dd, HH, mm, ss, SSS and characters that are no letters; a year outside of 0 to 9999 as in ISO 8601: a sign and six digits",
  ),
  epochMs: define(["datetime"], "number", "milliseconds since 1970-01-01T00:00:00Z"),
  fromEpochMs: define(
    ["number"],
    "datetime",
    "the instant that many milliseconds after 1970-01-01T00:00:00Z, cut to whole ones toward zero",
  ),
  now: define([], "datetime", "the instant of the query, the same in all its rows", {
    isDeterministic: false,
  }),
  today: define(["zone"], "datetime", "the date of now on the zone's clock, as midnight in UTC", {
    isDeterministic: false,
  }),
} as const satisfies Readonly<Record<string, FunctionDefinition>>;

export type FunctionName = keyof typeof portableFunctions;

/** What an aggregate takes and gives. */
export interface AggregateDefinition {
  /** `none`: it counts rows. */
  readonly parameter: "none" | "number" | "T";
  readonly result: ValueType | "T";
  readonly meaning: string;
}

/** The closed list of aggregates. Nulls are skipped; over no values counts are 0 and all others null. */
export const portableAggregates = {
  rows: { parameter: "none", result: "number", meaning: "the number of rows" },
  count: { parameter: "T", result: "number", meaning: "the number of values that are not null" },
  distinctcount: {
    parameter: "T",
    result: "number",
    meaning: "the number of different values, exact",
  },
  sum: { parameter: "number", result: "number", meaning: "the sum" },
  average: { parameter: "number", result: "number", meaning: "the sum divided by the count" },
  median: { parameter: "number", result: "number", meaning: "the percentile at 0.5" },
  percentile: {
    parameter: "number",
    result: "number",
    meaning:
      "the value at that fraction (a constant from 0 to 1) of the sorted values, interpolated between neighbours as percentile_cont of SQL",
  },
  stddev: {
    parameter: "number",
    result: "number",
    meaning: "the standard deviation of the sample; null of one value",
  },
  min: { parameter: "T", result: "T", meaning: "the value that comes first" },
  max: { parameter: "T", result: "T", meaning: "the value that comes last" },
} as const satisfies Readonly<Record<string, AggregateDefinition>>;

export type AggregateName = keyof typeof portableAggregates;
