import { isOperator, levelOfNumber, levels } from "../../../plugins/protocol/index.ts";
import { isList, isObject } from "../../base/index.ts";
import { relativeOf, relativeRange } from "../../queries/index.ts";
import { readColumns } from "../../web/charts/index.ts";
import { type ColumnOf, type ColumnUse, fieldOf, nameOfUse } from "./fieldOf.ts";
import type { MessageWords } from "./words/messageWords.ts";

/** The query of an alert in the reader's words. Each member is empty if the query has no such part. */
export interface ToldQuery {
  /** The condition on groups, with its thresholds in the format of their columns. */
  readonly condition: string;
  /** The filters on rows, except periods. */
  readonly filters: string;
  /** The periods that the query covered, with their column: `Day: 1–7 Jan 2026`. */
  readonly period: string;
}

export interface TellOptions {
  readonly columnOf: ColumnOf;
  readonly words: MessageWords;
  readonly locale: string;
  /** IANA name of the time zone of the query's periods. */
  readonly queryZone: string;
  /** The instant to which relative periods refer, in milliseconds since 1970. */
  readonly slotMs: number;
}

/** Maximum number of characters of each part. */
const longest = 500;
/** Maximum number of values that a filter lists. */
const mostValues = 5;

/** Describes the filters of a query for a reader. Parameters appear by name, without their values. */
export function tellQuery(query: unknown, options: TellOptions): ToldQuery {
  const { where, having } = isObject(query) ? query : {};
  const { words } = options;
  const tests = Array.isArray(where) ? where : [];
  const periods = tests.map((each: unknown) => periodOf(each, options));
  const others = tests.filter((_, index) => periods[index] === undefined);
  return {
    condition: short(tellAll(having, options).join(` ${words.and} `)),
    filters: short(tellAll(others, options).join(` ${words.and} `)),
    period: short(periods.filter((each) => each !== undefined).join("; ")),
  };
}

const short = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;

function tellAll(entries: unknown, options: TellOptions): string[] {
  return Array.isArray(entries)
    ? entries.map((each: unknown) => tell(each, options)).filter(Boolean)
    : [];
}

function tell(entry: unknown, options: TellOptions): string {
  const { words } = options;
  if (Array.isArray(entry)) return tellAll(entry, options).join(` ${words.and} `);
  if (!isObject(entry)) return "";
  for (const word of ["and", "or"] as const)
    if (entry[word] !== undefined)
      return `(${tellAll(entry[word], options).join(` ${words[word]} `)})`;
  const { expression, parameters } = entry;
  if (typeof expression !== "string" || !isList(parameters)) return "";
  const period = periodOf(entry, options);
  if (period !== undefined) return period;
  const [first, ...values] = parameters;
  const operator = expression.replaceAll("?", "").trim().toLowerCase();
  const column = isObject(first) ? first : undefined;
  const told = values.map((each) => tellValue(each, column, options));
  return [tellValue(first, undefined, options), operatorOf(operator, words), ...told]
    .filter(Boolean)
    .join(" ");
}

function operatorOf(operator: string, words: MessageWords): string {
  const named: Readonly<Partial<Record<string, string>>> = words.operators;
  if (!isOperator(operator)) return operator.replaceAll("_", " ");
  return named[operator] ?? operator;
}

/** Describes a value in the format of the column with which it is compared. */
function tellValue(value: unknown, column: ColumnUse | undefined, options: TellOptions): string {
  const { words, columnOf, locale, queryZone } = options;
  if (Array.isArray(value)) {
    const shown = value.slice(0, mostValues).map((each) => tellValue(each, column, options));
    const rest = value.length - shown.length;
    return `(${shown.join(", ")}${rest > 0 ? `, … ${words.more(String(rest))}` : ""})`;
  }
  if (value === null) return words.nothing;
  if (isObject<"parameter" | "unit" | "quantity">(value)) {
    if (typeof value.parameter === "string") return words.parameter(value.parameter);
    return value.unit === undefined
      ? nameOfUse(value, columnOf, options)
      : `${String(value.quantity ?? 1)} ${levelOfNumber(Number(value.unit)) ?? String(value.unit)}`;
  }
  if (!column || (typeof value !== "number" && typeof value !== "string")) return String(value);
  const [reading] = readColumns({
    fields: [fieldOf(column, columnOf)],
    localeId: locale,
    timezoneId: queryZone,
  });
  return reading?.text(value) ?? String(value);
}

/** Describes the period that a relative test selects; undefined for other tests, and for periods without an end. */
function periodOf(entry: unknown, options: TellOptions): string | undefined {
  if (!isObject<"expression" | "parameters">(entry)) return undefined;
  const { expression, parameters } = entry;
  if (typeof expression !== "string" || !isList(parameters)) return undefined;
  const [column, given] = parameters;
  const { word, period } = relativeOf(expression) ?? {};
  // The last value of the column is not known here.
  if (word === undefined || word === "last_available" || !isObject<"column_id">(column))
    return undefined;
  const { unit, quantity = 1 } = isObject<"unit" | "quantity">(given) ? given : {};
  const level = period ?? levelOfNumber(Number(unit)) ?? (typeof unit === "string" ? unit : "");
  const known = levels.find((each) => each === level);
  const { columnOf, locale, queryZone, slotMs } = options;
  const isDate = columnOf(String(column.column_id).toLowerCase())?.subtype === "date";
  const range =
    known &&
    relativeRange({
      word,
      unit: known,
      quantity: Math.abs(Number(quantity)),
      anchorMs: slotMs,
      timezone: queryZone,
      isDate,
    });
  if (!range?.from || !range.to) return undefined;
  const timeZone = isDate ? "UTC" : queryZone;
  const [from, to] = [range.from.at, range.to.at];
  const isOfDays = isDate || [from, to].every((at) => startsDay(at, timeZone));
  const form = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    ...(!isOfDays && { timeStyle: "short" }),
    timeZone,
  });
  // A period of whole days ends before its last midnight.
  const last = isOfDays && !range.to.isIncluded ? Math.max(from, to - 1) : to;
  return `${nameOfUse(column, columnOf, options)}: ${form.formatRange(from, last)}`;
}

const startsDay = (atMs: number, zone: string): boolean =>
  Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .equals(new Temporal.PlainTime());
