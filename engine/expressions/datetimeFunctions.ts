import { dayMs, dayOfMonth, monthOfDay } from "../time/calendar.ts";
import { createClock } from "../time/clock.ts";
import { floorInstant } from "../time/floorInstant.ts";
import { parseInstant } from "../time/parseInstant.ts";
import { readZone } from "../time/zone.ts";
import { periodLengths, periods, type Period } from "../types.ts";
import { compileDateFormat } from "./compileDateFormat.ts";
import type { ScalarFunction } from "./scalarFunction.ts";
import { trim } from "./whiteSpace.ts";

/** The parts that `datePart` returns. */
export const dateParts = [...periods, "weekday", "dayofyear", "weekyear"] as const;
export type DatePart = (typeof dateParts)[number];

/** Narrows the type of a literal that `checkExpression` has already validated as a period. */
const checkedPeriod = (literal: string): Period => literal as Period;

/** Functions of datetimes. A local time is represented by the instant at which a UTC clock shows that time. */
export const datetimeFunctions = {
  /** Returns the datetime as ISO 8601 in UTC. */
  datetimeText: {
    parameters: ["datetime"],
    result: "text",
    bind: () => (instant: number) => new Date(instant).toISOString(),
  },
  /** Returns the instant of an ISO 8601 string; null for other strings. */
  toDatetime: {
    parameters: ["text"],
    result: "datetime",
    bind: () => (text: string) => parseInstant(trim(text)),
  },
  /** Returns the date at the start of an ISO 8601 string, as midnight UTC; null for other strings. */
  toDate: {
    parameters: ["text"],
    result: "datetime",
    bind: () => (text: string) => {
      const spelled = trim(text);
      const date = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d/.exec(spelled)?.[0] ?? "";
      return Number.isNaN(parseInstant(spelled)) ? NaN : parseInstant(date);
    },
  },
  /** Returns the instant of a string in a date format; null for strings that do not fit the format. */
  parseDate: {
    parameters: ["text", "dateFormat"],
    result: "datetime",
    bind: ([format]) => compileDateFormat(format) ?? (() => NaN),
  },
  /** Returns a part of the local date and time. Weeks follow ISO 8601; weekdays count from Monday = 1. */
  datePart: {
    parameters: ["part", "datetime", "zone"],
    result: "number",
    bind: ([part, zone]) => {
      const { localTime } = createClock(readZone(zone));
      const read = partReaders[part as DatePart];
      if (!dayParts.has(part)) return (instant: number) => read(localTime(instant));
      const readDay = remember((day) => read(day * dayMs));
      return (instant: number) => readDay(Math.floor(localTime(instant) / dayMs));
    },
  },
  /** Returns the start of the period that contains the datetime, in local time. */
  dateTrunc: {
    parameters: ["period", "datetime", "zone"],
    result: "datetime",
    bind: ([period, zone]) => {
      const clock = readZone(zone);
      return (instant: number) => floorInstant(clock, checkedPeriod(period), instant);
    },
  },
  /** Adds a whole number of periods. Adding days or longer periods keeps the local time of day. */
  dateAdd: {
    parameters: ["period", "number", "datetime", "zone"],
    result: "datetime",
    bind: ([period, zone]) => {
      const { localTime, instantOf } = createClock(readZone(zone));
      const length = periodLengths[checkedPeriod(period)];
      if ("ms" in length)
        return (count: number, instant: number) =>
          Number.isInteger(count) ? instant + count * length.ms : NaN;
      return (count: number, instant: number) => {
        if (!Number.isInteger(count)) return NaN;
        // If a clock repeats an hour, a local time of that hour stands for two instants.
        if (count === 0) return instant;
        const local = localTime(instant);
        const added =
          "days" in length
            ? local + count * length.days * dayMs
            : addMonths(local, count * length.months);
        return Math.abs(added) < 9e15 ? instantOf(added) : NaN;
      };
    },
  },
  /** Returns how many periods start after the first instant and at or before the second, in local time. */
  dateDiff: {
    parameters: ["period", "datetime", "datetime", "zone"],
    result: "number",
    bind: ([period, zone]) => {
      const clock = readZone(zone);
      const length = periodLengths[checkedPeriod(period)];
      if ("ms" in length)
        return (from: number, to: number) =>
          Math.trunc(
            (floorInstant(clock, checkedPeriod(period), to) -
              floorInstant(clock, checkedPeriod(period), from)) /
              length.ms,
          );
      const { localTime } = createClock(clock);
      const ofDay = remember((day) => {
        if ("months" in length) return Math.floor(monthOfDay(day) / length.months);
        return Math.floor((day - 4) / length.days);
      });
      const numberOf = (instant: number) => ofDay(Math.floor(localTime(instant) / dayMs));
      return (from: number, to: number) => numberOf(to) - numberOf(from);
    },
  },
  /** Returns a calendar date as midnight UTC; null for a date that does not exist. */
  makeDate: {
    parameters: ["number", "number", "number"],
    result: "datetime",
    bind: () => (year: number, month: number, day: number) => {
      if (![year, month, day].every(Number.isInteger)) return NaN;
      if (month < 1 || month > 12 || day < 1 || day > 31) return NaN;
      const first = year * 12 + month - 1;
      const date = dayOfMonth(first) + day - 1;
      return monthOfDay(date) === first ? date * dayMs : NaN;
    },
  },
  /** Returns the local date as midnight UTC. */
  dateOf: {
    parameters: ["datetime", "zone"],
    result: "datetime",
    bind: ([zone]) => {
      const { localTime } = createClock(readZone(zone));
      return (instant: number) => Math.floor(localTime(instant) / dayMs) * dayMs;
    },
  },
  /** Formats a datetime with a pattern of `datePatternWords` and characters that are not letters. */
  formatDate: {
    parameters: ["datetime", "pattern", "zone"],
    result: "text",
    bind: ([pattern, zone]) => {
      const { localTime } = createClock(readZone(zone));
      return (instant: number) => {
        const local = localTime(instant);
        return pattern.replaceAll(words, (word) => writers[word](local));
      };
    },
  },
  epochMs: {
    parameters: ["datetime"],
    result: "number",
    bind: () => (instant: number) => instant,
  },
  fromEpochMs: {
    parameters: ["number"],
    result: "datetime",
    bind: () => (value: number) => Math.trunc(value),
  },
} as const satisfies Readonly<Record<string, ScalarFunction>>;

/** Adds months. If the resulting month is too short, the day becomes the last day of the month. */
function addMonths(local: number, count: number): number {
  const day = Math.floor(local / dayMs);
  const month = monthOfDay(day);
  const first = dayOfMonth(month + count);
  const last = dayOfMonth(month + count + 1) - 1;
  const added = Math.min(first + day - dayOfMonth(month), last);
  return added * dayMs + (local - day * dayMs);
}

const dayOf = (local: number) => Math.floor(local / dayMs);
const yearOf = (local: number) => Math.floor(monthOfDay(dayOf(local)) / 12);
const weekdayOf = (day: number) => modulo(day + 3, 7) + 1;
/** Returns the Thursday of a day's week. The year of this Thursday is the year of the week. */
const thursdayOf = (local: number) => dayOf(local) - weekdayOf(dayOf(local)) + 4;
const timeOf = (local: number, lengthMs: number, count: number) =>
  modulo(Math.floor(local / lengthMs), count);

function modulo(value: number, by: number): number {
  return value - Math.floor(value / by) * by;
}

/** Date parts that are constant during a day. */
const dayParts: ReadonlySet<string> = new Set<DatePart>([
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "weekday",
  "dayofyear",
  "weekyear",
]);

/** Number of days whose results `remember` caches: a power of two, more than 40 consecutive years. */
const rememberedDays = 16_384;

/** Returns a function of a day that caches its results. */
function remember(compute: (day: number) => number): (day: number) => number {
  const days = new Float64Array(rememberedDays).fill(NaN);
  const values = new Float64Array(rememberedDays);
  return (day) => {
    const slot = day & (rememberedDays - 1);
    if (days[slot] !== day) {
      days[slot] = day;
      values[slot] = compute(day);
    }
    return values[slot];
  };
}

/** Functions that return a date part of a local time, which they receive as if the clock were UTC. */
export const partReaders: Readonly<Record<DatePart, (local: number) => number>> = {
  year: yearOf,
  quarter: (local) => Math.floor(modulo(monthOfDay(dayOf(local)), 12) / 3) + 1,
  month: (local) => modulo(monthOfDay(dayOf(local)), 12) + 1,
  week: (local) => {
    const thursday = thursdayOf(local);
    const year = Math.floor(monthOfDay(thursday) / 12);
    return Math.floor((thursday - dayOfMonth(year * 12)) / 7) + 1;
  },
  day: (local) => dayOf(local) - dayOfMonth(monthOfDay(dayOf(local))) + 1,
  hour: (local) => timeOf(local, 3_600_000, 24),
  minute: (local) => timeOf(local, 60_000, 60),
  second: (local) => timeOf(local, 1000, 60),
  millisecond: (local) => modulo(local, 1000),
  weekday: (local) => weekdayOf(dayOf(local)),
  dayofyear: (local) => dayOf(local) - dayOfMonth(yearOf(local) * 12) + 1,
  weekyear: (local) => Math.floor(monthOfDay(thursdayOf(local)) / 12),
};

const padded = (part: DatePart, length: number) => (local: number) =>
  String(partReaders[part](local)).padStart(length, "0");

const writers: Readonly<Record<string, (local: number) => string>> = {
  yyyy: (local) => {
    const year = yearOf(local);
    return year >= 0 && year <= 9999
      ? String(year).padStart(4, "0")
      : `${year < 0 ? "-" : "+"}${String(Math.abs(year)).padStart(6, "0")}`;
  },
  MM: padded("month", 2),
  dd: padded("day", 2),
  HH: padded("hour", 2),
  mm: padded("minute", 2),
  ss: padded("second", 2),
  SSS: padded("millisecond", 3),
};

/** Matches runs of one letter. */
const words = /(\p{L})\1*/gu;

/** Returns whether `formatDate` knows every word of a pattern. */
export function isDatePattern(pattern: string): boolean {
  return [...pattern.matchAll(words)].every(([word]) => Object.hasOwn(writers, word));
}
