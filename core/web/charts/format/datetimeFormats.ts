import { datetimePattern, type DatetimeNames } from "./datetimePattern.ts";
import { withLocalDigits } from "./localNumerals.ts";
import { quarterText } from "./quarters.ts";

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

const locales = new Map<string, DatetimeNames>();
const writers = new Map<string, Intl.DateTimeFormat>();
const calendars = new Map<string, string>();

/** Calendars whose months and days are the Gregorian ones. Some of them count years differently. */
const gregorian = ["gregory", "buddhist", "japanese", "roc"];

/**
 * Returns the calendar in which dates of a locale are written. Data is grouped by Gregorian months, so calendars with
 * other months (Persian, Islamic) would give every period the names of two; their locales get Gregorian dates.
 */
function calendarOf(localeId: string): string {
  const known = calendars.get(localeId);
  if (known !== undefined) return known;
  const { calendar } = new Intl.DateTimeFormat(localeId).resolvedOptions();
  const found = gregorian.includes(calendar) ? calendar : "gregory";
  calendars.set(localeId, found);
  return found;
}

function writerOf(localeId: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${localeId} ${JSON.stringify(options)}`;
  const known = writers.get(key);
  if (known) return known;
  // Wall-clock times are represented as UTC.
  const calendar = calendarOf(localeId);
  const writer = new Intl.DateTimeFormat(localeId, { timeZone: "UTC", calendar, ...options });
  writers.set(key, writer);
  return writer;
}

/** Formats a date with `Intl` in the form of the locale. */
function intl(localeId: string, options: Intl.DateTimeFormatOptions): FormatDatetime {
  const writer = writerOf(localeId, options);
  return (wallMs) => writer.format(wallMs);
}

/** The directives of D3 for the parts of numeric dates and times. */
const directives: Readonly<Partial<Record<Intl.DateTimeFormatPartTypes, string>>> = {
  year: "%Y",
  month: "%m",
  day: "%d",
  minute: "%M",
  second: "%S",
  dayPeriod: "%p",
};

/** Returns the D3 format in which a locale writes numeric dates or times. */
function patternOf(localeId: string, options: Intl.DateTimeFormatOptions): string {
  const writer = new Intl.DateTimeFormat(localeId, { ...options, calendar: "gregory" });
  const { hour12 = false } = writer.resolvedOptions();
  return writer
    .formatToParts(0)
    .map(({ type, value }) =>
      type === "hour" ? (hour12 ? "%-I" : "%H") : (directives[type] ?? value.replaceAll("%", "%%")),
    )
    .join("");
}

function namesOf(localeId: string): DatetimeNames {
  const known = locales.get(localeId);
  if (known) return known;
  // The names of the weekdays start with that of 5 January 2020, which was a Sunday.
  const days = (weekday: "long" | "short") => {
    const day = (number: number) => intl(localeId, { weekday })(Date.UTC(2020, 0, 5 + number));
    return [day(0), day(1), day(2), day(3), day(4), day(5), day(6)];
  };
  const months = (month: "long" | "short") => {
    const of = (number: number) => intl(localeId, { month })(Date.UTC(2020, number, 1));
    return Array.from({ length: 12 }, (_, number) => of(number));
  };
  const halfDay = (hour: number, otherwise: string) =>
    writerOf(localeId, { hour: "numeric", hour12: true })
      .formatToParts(Date.UTC(2020, 0, 1, hour))
      .find(({ type }) => type === "dayPeriod")?.value ?? otherwise;
  const date = patternOf(localeId, { year: "numeric", month: "2-digit", day: "2-digit" });
  const time = patternOf(localeId, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const names: DatetimeNames = {
    dateTime: `${date} ${time}`,
    date,
    time,
    periods: [halfDay(9, "AM"), halfDay(21, "PM")],
    days: days("long"),
    shortDays: days("short"),
    months: months("long"),
    shortMonths: months("short"),
  };
  locales.set(localeId, names);
  return names;
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
 * The formats that the host gives to columns whose author chose none. They name no choice, so readers see dates in
 * their own form.
 */
const dateDefault = "%d-%m-%Y";
const instantDefault = "%d-%m-%Y %H:%M:%S";

/** What determines how the datetimes of a column are written. */
export interface DatetimeStyle {
  /** A D3 datetime format. The default formats of the host count as none. */
  readonly format?: string | undefined;
  readonly level?: number;
  /** `date` for a column of dates without a time. */
  readonly subtype?: string | undefined;
}

const day: Intl.DateTimeFormatOptions = { year: "numeric", month: "short", day: "numeric" };
const minutes: Intl.DateTimeFormatOptions = { hour: "numeric", minute: "2-digit" };
const seconds: Intl.DateTimeFormatOptions = { ...minutes, second: "2-digit" };

/**
 * Returns the function that formats a full datetime: in the column's D3 format if it fits the level, and otherwise in
 * the form of the locale for the level ("Q1 2001", "Jan 2001", "Jan 5, 2001"). Without a level, the form is the medium
 * one of the locale.
 */
export function datetimeFormat(
  { format, level = 0, subtype }: DatetimeStyle,
  localeId: string,
): FormatDatetime {
  const isDefault = format === dateDefault || format === instantDefault;
  const pattern =
    format === undefined || isDefault ? undefined : patternAt(levels[level] ?? "", format);
  if (pattern !== undefined) return byPattern(pattern, localeId);
  switch (levels[level] ?? "") {
    case "year":
      return intl(localeId, { year: "numeric" });
    case "quarter": {
      const year = writerOf(localeId, { year: "numeric" });
      // Some languages write more than the digits of a year.
      const digits = (wallMs: number) =>
        year.formatToParts(wallMs).find(({ type }) => type === "year")?.value ??
        year.format(wallMs);
      return (wallMs) => quarterText(quarterOf(wallMs), localeId, digits(wallMs));
    }
    case "month":
      return intl(localeId, { year: "numeric", month: "short" });
    case "week":
    case "day":
      return intl(localeId, day);
    case "hour":
    case "minute":
      return intl(localeId, { ...day, ...minutes });
    case "second":
      return intl(localeId, { ...day, ...seconds });
    case "millisecond":
      return intl(localeId, { ...day, ...seconds, fractionalSecondDigits: 3 });
    case "":
      return intl(localeId, {
        dateStyle: "medium",
        ...(subtype !== "date" && format !== dateDefault && { timeStyle: "medium" }),
      });
  }
}

function byPattern(format: string, localeId: string): FormatDatetime {
  const write = datetimePattern(format, namesOf(localeId));
  return (wallMs) => withLocalDigits(write(wallMs), localeId);
}

const quarters = [1, 2, 3, 4] as const;

function quarterOf(wallMs: number): (typeof quarters)[number] {
  return quarters[Math.floor(new Date(wallMs).getUTCMonth() / 3)] ?? 1;
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
  const date = intl(localeId, day);
  const time = intl(localeId, minutes);
  const ofHour = intl(localeId, { minute: "2-digit", second: "2-digit" });
  switch (levels[level] ?? "") {
    case "year":
      return (wallMs) => ({ period: year(wallMs), within: "" });
    case "quarter":
      return (wallMs) => ({
        period: quarterText(quarterOf(wallMs), localeId),
        within: year(wallMs),
      });
    case "month":
      return (wallMs) => ({ period: month(wallMs), within: year(wallMs) });
    case "week":
    case "day":
      return (wallMs) => ({ period: dayOfMonth(wallMs), within: monthAndYear(wallMs) });
    case "hour": {
      // "4 PM" is short and clear; "16" without minutes is not.
      const { hour12 = false } = writerOf(localeId, minutes).resolvedOptions();
      const hour = hour12 ? intl(localeId, { hour: "numeric" }) : time;
      return (wallMs) => ({ period: hour(wallMs), within: date(wallMs) });
    }
    case "minute":
      return (wallMs) => ({ period: time(wallMs), within: date(wallMs) });
    case "":
    case "millisecond":
    case "second":
      return (wallMs) => ({ period: ofHour(wallMs), within: date(wallMs) });
  }
}
