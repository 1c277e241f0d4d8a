import Type, { type Static } from "typebox";
import { DataType } from "./dataType.ts";
import { levels } from "./levels.ts";
import { namesOf, oneOf } from "./schemas.ts";

/** The type of an expression's value. A boolean is never null. */
export const ExpressionType = Type.Union([DataType, Type.Literal("boolean")]);
export type ExpressionType = Static<typeof ExpressionType>;

/** The parts of a date and time that `datePart` returns. */
export const dateParts = [...levels, "weekday", "dayofyear", "weekyear"] as const;
/** A part of a date and time. */
export type DatePart = (typeof dateParts)[number];

/**
 * The type of a parameter. `T` and `U` each stand for one type; within a call, the same letter always stands for the
 * same type. `constant` is a literal of type `T`, or null. The other names are literal strings: a period of `levels`, a
 * part of `dateParts`, a pattern of `formatDate`, an IANA time zone, a format that `splitDateFormat` can split, a mark
 * of `decimalMarks` or of `thousandsMarks`.
 */
export type Parameter =
  | ExpressionType
  | "T"
  | "U"
  | "constant"
  | "period"
  | "part"
  | "pattern"
  | "zone"
  | "dateFormat"
  | "decimalMark"
  | "thousandsMark";

/** The decimal marks that `parseNumber` can read. */
export const decimalMarks = [".", ","] as const;
/** The separators of thousands that `parseNumber` can read. The empty string means that there is none. */
export const thousandsMarks = ["", ",", ".", " ", "'"] as const;

/** The declaration of a function of expressions. */
export interface FunctionDefinition {
  /** Types of the required arguments, in order. */
  readonly parameters: readonly Parameter[];
  /** Parameters that follow `parameters` and may be repeated together. */
  readonly repeated?: readonly Parameter[];
  /** The type of a final parameter, which follows all other parameters. Absent if there is none. */
  readonly last?: Parameter;
  /** Type of the result. `T` means the type of the arguments whose parameter type is `T`. */
  readonly result: ExpressionType | "T";
  /** The result if an argument is null: null, false, or as `meaning` describes (`own`). */
  readonly nulls: "null" | "false" | "own";
  /** Describes the result, as a phrase such as "the square root; null for a negative number". */
  readonly meaning: string;
}

type Shape = Partial<Pick<FunctionDefinition, "repeated" | "last" | "nulls">>;

function define(
  parameters: readonly Parameter[],
  result: ExpressionType | "T",
  meaning: string,
  shape: Shape = {},
): FunctionDefinition {
  const nulls = result === "boolean" ? "false" : "null";
  return { parameters, result, meaning, nulls, ...shape };
}

const repeated = (parameter: Parameter): Shape => ({ repeated: [parameter] });
const own = { nulls: "own" } as const;

/**
 * The functions of an `Expression`, including operators. A plugin that promises a function must compute exactly the
 * declared result. Some rules apply to all functions:
 *
 * - A number that is not finite, a datetime outside ECMAScript's range (±8.64e15 ms) and a string longer than 100,000
 * UTF-16 code units become null; -0 becomes 0.
 * - Lengths and positions in strings are counted in code points, and the first position is 1. Strings are compared by
 * code point.
 * - Counts, positions and digits are truncated toward zero.
 */
export const functionDefinitions = {
  and: define(
    ["boolean", "boolean"],
    "boolean",
    "true when all arguments are true",
    repeated("boolean"),
  ),
  or: define(
    ["boolean", "boolean"],
    "boolean",
    "true when at least one argument is true",
    repeated("boolean"),
  ),
  not: define(["boolean"], "boolean", "true when the test is false"),
  isNull: define(["T"], "boolean", "true when the value is null", own),
  equal: define(["T", "T"], "boolean", "true when both values are equal"),
  less: define(["T", "T"], "boolean", "true when the first value comes before the second"),
  lessOrEqual: define(
    ["T", "T"],
    "boolean",
    "true when the first value does not come after the second",
  ),
  greater: define(["T", "T"], "boolean", "true when the first value comes after the second"),
  greaterOrEqual: define(
    ["T", "T"],
    "boolean",
    "true when the first value does not come before the second",
  ),
  between: define(
    ["T", "T", "T"],
    "boolean",
    "true when the first value is between the other two, including both",
  ),
  in: define(
    ["T", "constant"],
    "boolean",
    "true when the first value equals one of the constants; null equals a null constant",
    { ...own, ...repeated("constant") },
  ),
  contains: define(
    ["hierarchy", "hierarchy"],
    "boolean",
    "true when the second text occurs in the first; case is ignored (simple Unicode folding)",
  ),
  startsWith: define(
    ["hierarchy", "hierarchy"],
    "boolean",
    "true when the first text begins with the second; case is ignored (simple Unicode folding)",
  ),
  endsWith: define(
    ["hierarchy", "hierarchy"],
    "boolean",
    "true when the first text ends with the second; case is ignored (simple Unicode folding)",
  ),

  case: define(
    ["boolean", "T"],
    "T",
    "the value after the first test that is true, or the last value when none is true",
    { ...own, repeated: ["boolean", "T"], last: "T" },
  ),
  switch: define(
    ["U", "U", "T"],
    "T",
    "the value after the first key that equals the first argument, or the last value when none does; null equals no key",
    { ...own, repeated: ["U", "T"], last: "T" },
  ),
  coalesce: define(["T"], "T", "the first value that is not null", { ...own, ...repeated("T") }),
  nullIf: define(
    ["T", "T"],
    "T",
    "null when both values are equal, otherwise the first value",
    own,
  ),
  greatest: define(
    ["T", "T"],
    "T",
    "the highest value; null when any value is null",
    repeated("T"),
  ),
  least: define(["T", "T"], "T", "the lowest value; null when any value is null", repeated("T")),

  add: define(["numeric", "numeric"], "numeric", "the sum; all arithmetic is in IEEE doubles"),
  subtract: define(["numeric", "numeric"], "numeric", "the difference"),
  multiply: define(["numeric", "numeric"], "numeric", "the product"),
  divide: define(
    ["numeric", "numeric"],
    "numeric",
    "the quotient, with its fraction; null when the divisor is 0",
  ),
  modulo: define(
    ["numeric", "numeric"],
    "numeric",
    "the exact remainder, with the sign of the first number; null when the divisor is 0",
  ),
  quotient: define(
    ["numeric", "numeric"],
    "numeric",
    "the quotient truncated toward zero; null when the divisor is 0",
  ),
  negate: define(["numeric"], "numeric", "the number with the opposite sign"),
  abs: define(["numeric"], "numeric", "the number without its sign"),
  sign: define(["numeric"], "numeric", "-1, 0 or 1, depending on the sign of the number"),
  ceil: define(["numeric"], "numeric", "the number rounded up to a whole number"),
  floor: define(["numeric"], "numeric", "the number rounded down to a whole number"),
  round: define(
    ["numeric", "numeric"],
    "numeric",
    "the number rounded to the given number of decimals, halves away from zero: x * 10^d is rounded, then divided by 10^d; negative digits round to tens and hundreds; null beyond 22 digits",
  ),
  trunc: define(
    ["numeric", "numeric"],
    "numeric",
    "the number truncated toward zero to the given number of decimals, computed as for round",
  ),
  sqrt: define(["numeric"], "numeric", "the square root; null for a negative number"),
  power: define(
    ["numeric", "numeric"],
    "numeric",
    "the first number to the power of the second; null when the result is not a real number",
  ),
  exp: define(["numeric"], "numeric", "e to the power of the number"),
  ln: define(["numeric"], "numeric", "the natural logarithm; null unless the number is positive"),
  log10: define(
    ["numeric"],
    "numeric",
    "the decimal logarithm; null unless the number is positive",
  ),

  concat: define(
    ["hierarchy", "hierarchy"],
    "hierarchy",
    "the arguments joined in order",
    repeated("hierarchy"),
  ),
  length: define(["hierarchy"], "numeric", "the number of code points"),
  lower: define(
    ["hierarchy"],
    "hierarchy",
    "the text in lower case (full Unicode mapping, the same in all languages)",
  ),
  upper: define(
    ["hierarchy"],
    "hierarchy",
    "the text in upper case (full Unicode mapping, the same in all languages)",
  ),
  trim: define(
    ["hierarchy"],
    "hierarchy",
    "the text without white space at both ends (Unicode's White_Space: U+0085 counts, U+FEFF does not)",
  ),
  trimStart: define(["hierarchy"], "hierarchy", "the text without white space at the start"),
  trimEnd: define(["hierarchy"], "hierarchy", "the text without white space at the end"),
  left: define(
    ["hierarchy", "numeric"],
    "hierarchy",
    "the given number of characters from the start",
  ),
  right: define(
    ["hierarchy", "numeric"],
    "hierarchy",
    "the given number of characters from the end",
  ),
  substring: define(
    ["hierarchy", "numeric", "numeric"],
    "hierarchy",
    "the given number of characters from the given position on; positions before 1 count as empty characters",
  ),
  replace: define(
    ["hierarchy", "hierarchy", "hierarchy"],
    "hierarchy",
    "the first text with every occurrence of the second replaced by the third, from the left; an empty text is never found",
  ),
  position: define(
    ["hierarchy", "hierarchy"],
    "numeric",
    "the position of the second text's first occurrence in the first; 0 when there is none",
  ),
  padStart: define(
    ["hierarchy", "numeric", "hierarchy"],
    "hierarchy",
    "the first text padded at the start to the given number of characters, by repeating the third; a longer text is cut at the end; an empty third text adds nothing",
  ),
  padEnd: define(
    ["hierarchy", "numeric", "hierarchy"],
    "hierarchy",
    "the first text padded at the end to the given number of characters, by repeating the third; a longer text is cut at the end; an empty third text adds nothing",
  ),
  repeat: define(
    ["hierarchy", "numeric"],
    "hierarchy",
    "the text repeated the given number of times",
  ),
  reverse: define(["hierarchy"], "hierarchy", "the text with its code points in reverse order"),
  splitPart: define(
    ["hierarchy", "hierarchy", "numeric"],
    "hierarchy",
    "the part with the given number, counted from 1, of the first text split at the second; empty when there is no such part; an empty separator does not split",
  ),

  toNumber: define(
    ["hierarchy"],
    "numeric",
    "the number in the text, such as 12, -0.5 or 1e6, ignoring white space around it; null when the text is not a number",
  ),
  numberText: define(
    ["numeric"],
    "hierarchy",
    "the shortest decimal text for the number, as ECMAScript writes it: 0.1, 1e+21",
  ),
  datetimeText: define(
    ["datetime"],
    "hierarchy",
    "the ISO 8601 text in UTC: 2024-01-31T12:00:00.000Z",
  ),
  toDatetime: define(
    ["hierarchy"],
    "datetime",
    "the instant of an ISO 8601 text, read as UTC when it names no zone; null for other texts",
  ),
  toDate: define(
    ["hierarchy"],
    "datetime",
    "the calendar date at the start of an ISO 8601 text, at midnight in UTC; null for other texts",
  ),

  parseDate: define(
    ["hierarchy", "dateFormat"],
    "datetime",
    "the datetime in the text, read in a format of directives such as %d.%m.%Y %H:%M; UTC when the text contains no offset; null when the text does not fit the format, or when its day or time does not exist",
  ),
  parseNumber: define(
    ["hierarchy", "decimalMark", "thousandsMark"],
    "numeric",
    "the number in the text, with a decimal mark (a point or a comma) and a separator of thousands (none, a comma, a point, a space or an apostrophe); a currency is ignored, 12% is 0.12 and (12) is -12; null when the text is not such a number, or when both marks are the same",
  ),

  datePart: define(
    ["part", "datetime", "zone"],
    "numeric",
    "a part of the date and time on the zone's clock; week and weekyear as in ISO 8601; weekday 1 is Monday",
  ),
  dateTrunc: define(
    ["period", "datetime", "zone"],
    "datetime",
    "the instant at which the period starts on the zone's clock; when a clock change falls inside a period of an hour or less, the period starts at the change",
  ),
  dateAdd: define(
    ["period", "numeric", "datetime", "zone"],
    "datetime",
    "the datetime moved by the given number of periods; days and longer periods keep the time on the zone's clock; a day that the month lacks becomes its last day; a time that the clock skips moves forward by the skipped amount; if a time occurs twice, its first occurrence is used; null when the count is not whole",
  ),
  dateDiff: define(
    ["period", "datetime", "datetime", "zone"],
    "numeric",
    "the number of periods that start after the first datetime and not after the second, on the zone's clock; negative when the second is earlier",
  ),
  makeDate: define(
    ["numeric", "numeric", "numeric"],
    "datetime",
    "the given year, month and day at midnight in UTC; null when the calendar has no such date",
  ),
  dateOf: define(
    ["datetime", "zone"],
    "datetime",
    "the date on the zone's clock, at midnight in UTC",
  ),
  formatDate: define(
    ["datetime", "pattern", "zone"],
    "hierarchy",
    "the datetime formatted by a pattern of yyyy, MM, dd, HH, mm, ss, SSS and characters that are not letters; a year outside 0 to 9999 has a sign and six digits, as in ISO 8601",
  ),
  epochMs: define(["datetime"], "numeric", "milliseconds since 1970-01-01T00:00:00Z"),
  fromEpochMs: define(
    ["numeric"],
    "datetime",
    "the instant that is the given number of milliseconds after 1970-01-01T00:00:00Z; a fraction is truncated toward zero",
  ),
} as const satisfies Readonly<Record<string, FunctionDefinition>>;

/** The name of a function of expressions. */
export type FunctionName = keyof typeof functionDefinitions;

/** The names of all functions, in the order of the table. */
export const functions: readonly FunctionName[] = namesOf(functionDefinitions);
export const FunctionName = oneOf(functions);
