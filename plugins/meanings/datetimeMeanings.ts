import {
  durationOf,
  isOfDays,
  millisecondsOf,
  periodLengths,
  type DatePart,
  type Level,
  type LevelOfDays,
} from "../protocol/index.ts";
import { meaningOf, type Meaning } from "./meaning.ts";
import { parseDate } from "./parseDate.ts";
import type { Value } from "./value.ts";
import { trim } from "./whiteSpace.ts";

const dayMs = 86_400_000;
/** 1970-01-05, the first Monday after 1970-01-01. */
const mondayMs = 4 * dayMs;
/** The latest instant of an ECMAScript Date, in milliseconds. */
const limitMs = 8.64e15;

const zoned = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** Returns the time that a zone's clock shows at an instant, as the milliseconds of the same time in UTC. */
const clockOf = (instant: number, zone: string): number =>
  instant + zoned(instant, zone).offsetNanoseconds / 1e6;

const dateOf = (instant: number, zone: string): number =>
  Math.floor(clockOf(instant, zone) / dayMs) * dayMs;

/** Returns the number of months from the start of the year 0 to the month of a date. */
const monthNumber = ({ year, month }: { readonly year: number; readonly month: number }): number =>
  year * 12 + month - 1;

/** Returns the first day of the calendar period that contains a date. The period is a day or longer. */
function firstDay(period: LevelOfDays, date: Temporal.PlainDate): Temporal.PlainDate {
  const length = periodLengths[period];
  if ("days" in length)
    return period === "week" ? date.subtract({ days: date.dayOfWeek - 1 }) : date;
  const month = monthNumber(date);
  const first = Math.floor(month / length.months) * length.months;
  return date.with({ day: 1 }).subtract({ months: month - first });
}

/** Returns the start of a period. If the period starts before the earliest instant, returns the earliest instant. */
function truncate(period: Level, instant: number, zone: string): number {
  const moment = zoned(instant, zone);
  if (isOfDays(period)) {
    const day = withinRange(() => firstDay(period, moment.toPlainDate()).toZonedDateTime(zone));
    return day?.epochMilliseconds ?? -limitMs;
  }
  const { ms: length } = periodLengths[period];
  const offset = moment.offsetNanoseconds / 1e6;
  const start = Math.floor((instant + offset) / length) * length - offset;
  const change = withinRange(() => moment.add({ nanoseconds: 1 }))?.getTimeZoneTransition(
    "previous",
  );
  return Math.max(start, change?.epochMilliseconds ?? -limitMs);
}

/** Returns the result of a computation. Undefined if it is outside the range of Temporal. */
function withinRange<Result>(compute: () => Result): Result | undefined {
  try {
    return compute();
  } catch (failure) {
    if (failure instanceof RangeError) return undefined;
    throw failure;
  }
}

const parts: Readonly<Record<DatePart, (date: Temporal.ZonedDateTime) => number | undefined>> = {
  year: (date) => date.year,
  quarter: (date) => Math.ceil(date.month / 3),
  month: (date) => date.month,
  week: (date) => date.weekOfYear,
  day: (date) => date.day,
  hour: (date) => date.hour,
  minute: (date) => date.minute,
  second: (date) => date.second,
  millisecond: (date) => date.millisecond,
  weekday: (date) => date.dayOfWeek,
  dayofyear: (date) => date.dayOfYear,
  weekyear: (date) => date.yearOfWeek,
};

/** Returns an instant moved by a number of periods. Undefined if the result is out of range. */
function add(period: Level, count: number, instant: number, zone: string): Value {
  if (!Number.isInteger(count)) return null;
  if (!isOfDays(period)) return instant + count * periodLengths[period].ms;
  const added = withinRange(() => zoned(instant, zone).add(durationOf(period, count)));
  return added?.epochMilliseconds ?? null;
}

/** Returns the sequence number of the calendar period that contains an instant. The period is a day or longer. */
function numberOf(period: LevelOfDays, instant: number, zone: string): number {
  const clock = clockOf(instant, zone);
  const length = periodLengths[period];
  if ("days" in length) return Math.floor((clock - mondayMs) / (length.days * dayMs));
  return Math.floor(monthNumber(zoned(instant, zone)) / length.months);
}

function difference(period: Level, from: number, to: number, zone: string): number {
  if (isOfDays(period)) return numberOf(period, to, zone) - numberOf(period, from, zone);
  const { ms: length } = periodLengths[period];
  return Math.trunc((truncate(period, to, zone) - truncate(period, from, zone)) / length);
}

const writers: Readonly<Record<string, (date: Temporal.ZonedDateTime) => string>> = {
  yyyy: ({ year }) =>
    year >= 0 && year <= 9999
      ? String(year).padStart(4, "0")
      : `${year < 0 ? "-" : "+"}${String(Math.abs(year)).padStart(6, "0")}`,
  MM: ({ month }) => String(month).padStart(2, "0"),
  dd: ({ day }) => String(day).padStart(2, "0"),
  HH: ({ hour }) => String(hour).padStart(2, "0"),
  mm: ({ minute }) => String(minute).padStart(2, "0"),
  ss: ({ second }) => String(second).padStart(2, "0"),
  SSS: ({ millisecond }) => String(millisecond).padStart(3, "0"),
};

const patternWords = /\p{L}+/gu;

/** Returns whether `formatDate` knows every token of a pattern. */
export function isDatePattern(pattern: string): boolean {
  return splitWords(pattern).every((word) => Object.hasOwn(writers, word));
}

/** Splits a pattern into runs of equal letters. `yyyyMMdd` has three runs. */
function splitWords(pattern: string): readonly string[] {
  return (pattern.match(patternWords) ?? []).flatMap((run) => run.match(/(.)\1*/gu) ?? []);
}

function format(instant: number, pattern: string, zone: string): string {
  const date = zoned(instant, zone);
  return pattern.replaceAll(/(\p{L})\1*/gu, (word) => writers[word]?.(date) ?? word);
}

/** The date and time functions. They use the clock of a time zone. */
export const datetimeMeanings = {
  datetimeText: meaningOf((instant: number) => new Date(instant).toISOString()),
  toDatetime: meaningOf((text: string) => millisecondsOf(trim(text)) ?? null),
  toDate: meaningOf((text: string) => {
    const written = trim(text);
    const date = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d/.exec(written)?.[0] ?? "";
    return millisecondsOf(written) === undefined ? null : (millisecondsOf(date) ?? null);
  }),
  parseDate: meaningOf(parseDate),
  datePart: meaningOf(
    (part: DatePart, instant: number, zone: string) => parts[part](zoned(instant, zone)) ?? null,
  ),
  dateTrunc: meaningOf(truncate),
  dateAdd: meaningOf(add),
  dateDiff: meaningOf(difference),
  makeDate: meaningOf((year: number, month: number, day: number) => {
    if (![year, month, day].every(Number.isInteger)) return null;
    const date = withinRange(() =>
      Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" }),
    );
    return date ? date.toZonedDateTime("UTC").epochMilliseconds : null;
  }),
  dateOf: meaningOf(dateOf),
  formatDate: meaningOf(format),
  epochMs: meaningOf((instant: number) => instant),
  fromEpochMs: meaningOf((value: number) => Math.trunc(value)),
} as const satisfies Readonly<Record<string, Meaning>>;
