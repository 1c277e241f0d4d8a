import {
  functionDefinitions,
  type DatePart,
  type ExpressionType,
  type FunctionName,
} from "../../../plugins/protocol/index.ts";
import { nearestName } from "../../base/index.ts";
import { aggregateNames, readSignature } from "./aggregates.ts";

/** A function without arguments that returns the instant of the request, or its date. */
export type ClockFunction = "now" | "today";

/** A function as users write it. */
export interface LanguageFunction {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Names of the parameters as people read them. `digits?` is optional; `value…` may be repeated. */
  readonly parameters: readonly string[];
  readonly meaning: string;
  /** The protocol function to which calls compile. The compiler adds the time zone. */
  readonly calls: FunctionName | ClockFunction;
  /** `T` stands for the type of the values. */
  readonly result: ExpressionType | "T";
  /** A string literal that is inserted before the arguments. */
  readonly first?: string;
  /** Default values of the last arguments. */
  readonly defaults?: readonly (string | number)[];
  /** Whether null arguments count as empty strings. */
  readonly skipsNulls?: boolean;
}

type Extra = Partial<Omit<LanguageFunction, "name" | "parameters" | "calls" | "result">>;

/** Declares `name(a, b?)`, which compiles to `calls`. */
function declare(signature: string, calls: FunctionName, extra: Extra = {}): LanguageFunction {
  const { meaning, result } = functionDefinitions[calls];
  return { ...readSignature(signature), calls, aliases: [], result, meaning, ...extra };
}

function clock(name: ClockFunction, meaning: string): LanguageFunction {
  return { name, parameters: [], calls: name, aliases: [], result: "datetime", meaning };
}

function part(name: DatePart, meaning: string, aliases: readonly string[] = []): LanguageFunction {
  return declare(`${name}(datetime)`, "datePart", { first: name, meaning, aliases });
}

/** Every function of the language except aggregates, in the order of the documentation. */
export const functions: readonly LanguageFunction[] = [
  declare("if(test, then, else?)", "case", {
    meaning:
      "`then` if the test is true, otherwise `else`; without `else`, null, or false if `then` is a test",
  }),
  declare("coalesce(value, value…)", "coalesce", { aliases: ["ifnull", "nvl"] }),
  declare("nullif(value, other)", "nullIf"),
  declare("greatest(value, value…)", "greatest"),
  declare("least(value, value…)", "least"),

  declare("abs(number)", "abs"),
  declare("sign(number)", "sign"),
  declare("ceil(number)", "ceil", { aliases: ["ceiling"] }),
  declare("floor(number)", "floor"),
  declare("round(number, digits?)", "round", { defaults: [0] }),
  declare("trunc(number, digits?)", "trunc", { defaults: [0], aliases: ["truncate"] }),
  declare("sqrt(number)", "sqrt"),
  declare("power(number, exponent)", "power", { aliases: ["pow"] }),
  declare("exp(number)", "exp"),
  declare("ln(number)", "ln"),
  declare("log10(number)", "log10"),
  declare("mod(number, divisor)", "modulo"),
  declare("div(number, divisor)", "quotient"),

  declare("concat(text, text, text…)", "concat", {
    meaning: "joins strings, skipping nulls",
    skipsNulls: true,
  }),
  declare("length(text)", "length", { aliases: ["len"] }),
  declare("lower(text)", "lower"),
  declare("upper(text)", "upper"),
  declare("trim(text)", "trim"),
  declare("ltrim(text)", "trimStart"),
  declare("rtrim(text)", "trimEnd"),
  declare("left(text, count)", "left"),
  declare("right(text, count)", "right"),
  declare("substring(text, position, count?)", "substring", {
    defaults: [Number.MAX_SAFE_INTEGER],
    aliases: ["substr", "mid"],
    meaning: `${functionDefinitions.substring.meaning}; without a count, up to the end of the text`,
  }),
  declare("replace(text, sought, other)", "replace"),
  declare("position(text, sought)", "position", { aliases: ["strpos"] }),
  declare("lpad(text, count, fill?)", "padStart", { defaults: [" "] }),
  declare("rpad(text, count, fill?)", "padEnd", { defaults: [" "] }),
  declare("repeat(text, count)", "repeat"),
  declare("reverse(text)", "reverse"),
  declare("split_part(text, separator, part)", "splitPart"),
  declare("parse_number(text, decimal, thousands?)", "parseNumber", { defaults: [""] }),
  declare("contains(text, sought)", "contains"),
  declare("starts_with(text, sought)", "startsWith"),
  declare("ends_with(text, sought)", "endsWith"),

  part("year", "the year"),
  part("quarter", "the quarter, 1 to 4"),
  part("month", "the month, 1 to 12"),
  part("week", "the ISO 8601 week, 1 to 53"),
  part("weekyear", "the year to which the ISO 8601 week belongs"),
  part("day", "the day of the month, 1 to 31"),
  part("dayofyear", "the day of the year, 1 to 366"),
  part("weekday", "the day of the week, 1 (Monday) to 7 (Sunday)", ["dayofweek"]),
  part("hour", "the hour, 0 to 23"),
  part("minute", "the minute, 0 to 59"),
  part("second", "the second, 0 to 59"),
  part("millisecond", "the millisecond, 0 to 999"),
  declare("date_trunc(period, datetime)", "dateTrunc"),
  declare("date_add(period, count, datetime)", "dateAdd", { aliases: ["dateadd"] }),
  declare("date_diff(period, from, to)", "dateDiff", { aliases: ["datediff"] }),
  declare("date(year, month, day)", "makeDate"),
  declare("date_of(datetime)", "dateOf"),
  declare("format_date(datetime, pattern)", "formatDate"),
  declare("parse_date(text, format)", "parseDate"),
  declare("epoch_ms(datetime)", "epochMs"),
  declare("from_epoch_ms(number)", "fromEpochMs"),
  clock("now", "the instant of the query, the same in all rows"),
  clock("today", "the current date in the time zone, at midnight in UTC"),
];

const functionsByName = new Map(
  functions.flatMap((each) => [each.name, ...each.aliases].map((name) => [name, each] as const)),
);

/** Finds a function by its name or alias in lower case. */
export function findFunction(name: string): LanguageFunction | undefined {
  return functionsByName.get(name);
}

/** Function names of other languages, with the name to write instead. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["isnull", "is null, or coalesce(value, other)"],
  ["iif", "if(test, then, else)"],
  ["iff", "if(test, then, else)"],
  ["instr", "position(text, sought)"],
  ["charindex", "position(text, sought)"],
  ["getdate", "now()"],
  ["current_date", "today()"],
  ["current_timestamp", "now()"],
  ["extract", "a function such as year(datetime) or month(datetime)"],
  ["date_part", "a function such as year(datetime) or month(datetime)"],
  ["datepart", "a function such as year(datetime) or month(datetime)"],
  ["log", "ln(number) or log10(number)"],
  ["tonumber", "cast(text as number)"],
  ["convert", "cast(value as type)"],
  ["str", "cast(value as text)"],
  ["to_char", "cast(value as text), or format_date(datetime, pattern)"],
  ["to_date", "cast(text as date), or parse_date(text, format)"],
  ["to_timestamp", "cast(text as datetime), or parse_date(text, format)"],
  ["str_to_date", "parse_date(text, format)"],
  ["strptime", "parse_date(text, format)"],
  ["to_number", "cast(text as number), or parse_number(text, decimal, thousands?)"],
  ["stdev", "stddev(number)"],
]);

/** Suggests a name that the user may have meant, as a hint. O(functions). */
export function suggest(name: string): string | undefined {
  const known = otherNames.get(name);
  if (known !== undefined) return `write ${known}`;
  const nearest = nearestName(name, [...functionsByName.keys(), ...aggregateNames, "cast"]);
  return nearest && `did you mean ${nearest}?`;
}
