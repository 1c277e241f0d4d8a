import { timeFormatLocale, type TimeLocaleObject } from "d3-time-format";

/** Names of the datetime levels. The index is the number of the level in stored dashboards; index 0 is not a level. */
export const levels = [
  "",
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

/** A function that formats a wall-clock time, given in milliseconds. */
export type FormatDatetime = (wallMs: number) => string;

const locales = new Map<string, TimeLocaleObject>();
const writers = new Map<string, Intl.DateTimeFormat>();

/** Formats a date with `Intl` in UTC, because wall-clock times are represented as UTC. */
function intl(localeId: string, options: Intl.DateTimeFormatOptions): FormatDatetime {
  const key = `${localeId} ${JSON.stringify(options)}`;
  const writer =
    writers.get(key) ?? new Intl.DateTimeFormat(localeId, { timeZone: "UTC", ...options });
  writers.set(key, writer);
  return (wallMs) => writer.format(wallMs);
}

function localeOf(localeId: string): TimeLocaleObject {
  const known = locales.get(localeId);
  if (known) return known;
  // The names of the weekdays start with that of 5 January 2020, which was a Sunday.
  const days = (weekday: "long" | "short") => {
    const day = (number: number) => intl(localeId, { weekday })(Date.UTC(2020, 0, 5 + number));
    return [day(0), day(1), day(2), day(3), day(4), day(5), day(6)] as const;
  };
  const months = (month: "long" | "short") => {
    const of = (number: number) => intl(localeId, { month })(Date.UTC(2020, number, 1));
    const first = [of(0), of(1), of(2), of(3), of(4), of(5)] as const;
    return [...first, of(6), of(7), of(8), of(9), of(10), of(11)] as const;
  };
  const locale = timeFormatLocale({
    dateTime: "%x %X",
    date: "%d/%m/%Y",
    time: "%H:%M:%S",
    periods: ["AM", "PM"],
    days: [...days("long")],
    shortDays: [...days("short")],
    months: [...months("long")],
    shortMonths: [...months("short")],
  });
  locales.set(localeId, locale);
  return locale;
}

/** The directives of D3 that show a unit smaller than a year, by the level of that unit. */
const directivesOfLevel: readonly (readonly [
  level: (typeof levels)[number],
  directives: RegExp,
])[] = [
  ["quarter", /q/],
  ["month", /[mbB]/],
  ["week", /[UVW]/],
  ["day", /[dejaAuwx]/],
  ["hour", /[HIp]/],
  ["minute", /M/],
  ["second", /[SXc]/],
  ["millisecond", /[LfQs]/],
];

/** Returns the smallest unit that a D3 format shows; undefined if the format has no directives. */
function unitOf(format: string): (typeof levels)[number] | undefined {
  const letters = Array.from(format.matchAll(/%[-_0]?([a-zA-Z])/g), ([, letter = ""]) => letter);
  if (letters.length === 0) return undefined;
  const shown = directivesOfLevel.findLast(([, directives]) =>
    letters.some((letter) => directives.test(letter)),
  );
  return shown?.[0] ?? "year";
}

/** The units with which a format may end at each level. Weeks are written as their first day. */
const unitsOfLevel: Readonly<Partial<Record<(typeof levels)[number], readonly string[]>>> = {
  year: ["year"],
  quarter: ["quarter"],
  month: ["month"],
  week: ["week", "day"],
  day: ["day"],
  hour: ["hour", "minute"],
  minute: ["minute"],
  second: ["second"],
  millisecond: ["second", "millisecond"],
};
/** The directives that add the time to a format of a day. */
const timesOfLevel: Readonly<Partial<Record<(typeof levels)[number], string>>> = {
  hour: " %H:%M",
  minute: " %H:%M",
  second: " %H:%M:%S",
  millisecond: " %H:%M:%S",
};

/**
 * Returns a column's D3 format as its level needs it: a day's format with the time at hours and smaller levels.
 * Undefined if the format would show every month as its first day, or several periods as the same text.
 */
function patternAt(level: (typeof levels)[number], format: string): string | undefined {
  const unit = format.length < 100 ? unitOf(format) : undefined;
  if (unit === undefined) return undefined;
  if (level === "" || unitsOfLevel[level]?.includes(unit)) return format;
  const time = timesOfLevel[level];
  return unit === "day" && time !== undefined ? format + time : undefined;
}

/**
 * Returns the function that formats a full datetime: in the column's D3 format if it fits the level, and otherwise by
 * level in common notation ("Q1 2001", "Jan 2001", "5 Jan 2001").
 */
export function datetimeFormat(
  { format, level = 0 }: { readonly format?: string | undefined; readonly level?: number },
  localeId: string,
): FormatDatetime {
  const pattern = format === undefined ? undefined : patternAt(levels[level] ?? "", format);
  if (pattern !== undefined) return byPattern(pattern, localeId);
  const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const day: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric" };
  switch (levels[level] ?? "") {
    case "year":
      return intl(localeId, { year: "numeric" });
    case "quarter":
      return (wallMs) => `Q${quarterOf(wallMs)} ${new Date(wallMs).getUTCFullYear()}`;
    case "month":
      return intl(localeId, { year: "numeric", month: "short" });
    case "week":
    case "day":
      return intl(localeId, day);
    case "hour":
    case "minute":
      return intl(localeId, { ...day, ...time });
    case "":
    case "millisecond":
    case "second":
      return intl(localeId, { ...day, ...time, second: "2-digit" });
  }
}

function byPattern(format: string, localeId: string): FormatDatetime {
  const write = localeOf(localeId).utcFormat(format);
  return (wallMs) => write(new Date(wallMs));
}

function quarterOf(wallMs: number): number {
  return Math.floor(new Date(wallMs).getUTCMonth() / 3) + 1;
}

/** The two lines of a label on a time axis: the period, and the longer period that begins there or contains it. */
export interface TimeLabel {
  readonly period: string;
  /** The longer period; empty if the label needs no second line. */
  readonly within: string;
}

/**
 * Returns the function that formats the labels of a time axis. Neighbouring ticks are one period of the level apart.
 */
export function timeLabels(level: number, localeId: string): (wallMs: number) => TimeLabel {
  const year = intl(localeId, { year: "numeric" });
  const month = intl(localeId, { month: "short" });
  const dayOfMonth = intl(localeId, { day: "numeric" });
  const monthAndYear = intl(localeId, { month: "short", year: "numeric" });
  const date = intl(localeId, { day: "numeric", month: "short", year: "numeric" });
  const minutes = intl(localeId, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const seconds = intl(localeId, { minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  switch (levels[level] ?? "") {
    case "year":
      return (wallMs) => ({ period: year(wallMs), within: "" });
    case "quarter":
      return (wallMs) => ({ period: `Q${quarterOf(wallMs)}`, within: year(wallMs) });
    case "month":
      return (wallMs) => ({ period: month(wallMs), within: year(wallMs) });
    case "week":
    case "day":
      return (wallMs) => ({ period: dayOfMonth(wallMs), within: monthAndYear(wallMs) });
    case "hour":
    case "minute":
      return (wallMs) => ({ period: minutes(wallMs), within: date(wallMs) });
    case "":
    case "millisecond":
    case "second":
      return (wallMs) => ({ period: seconds(wallMs), within: date(wallMs) });
  }
}
