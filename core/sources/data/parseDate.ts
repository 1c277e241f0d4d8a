import { parseInstant } from "../../queries/index.ts";
import type { DateForm, DateOrder } from "../../resources/index.ts";

const shape =
  /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)? ?(Z|[+-]\d\d:?\d\d)?$/i;

/** Positions of year, month and day among the three numbers of a date. */
const positions: Readonly<Record<DateOrder, readonly [number, number, number]>> = {
  YMD: [0, 1, 2],
  DMY: [2, 1, 0],
  MDY: [2, 0, 1],
};

/** The latest instant in milliseconds since 1970. Its negation is the earliest instant. */
const farthestMs = 8.64e15;

/** A string of three numbers with a four-digit year, before their order is known. */
export interface DateText {
  readonly isTimed: boolean;
  /** Returns the instant for an order of the numbers, in milliseconds UTC; NaN if the day or time does not exist. */
  at(order: DateOrder): number;
}

/**
 * Splits a date such as `5/1/2024`, `05-01-2024 10:30` or `2024.01.05 10:30:00.5 +02:00`; undefined for any other
 * string.
 */
export function splitDate(text: string): DateText | undefined {
  if (text.length > 45) return undefined;
  const match = shape.exec(text);
  if (!match) return undefined;
  const [, first = "", , second = "", third = "", hour, minute, secondOfMinute, fraction, zone] =
    match;
  const numbers = [first, second, third];
  const timeMs = timeOf(hour, minute, secondOfMinute, fraction) - offsetOf(zone);
  return {
    isTimed: hour !== undefined,
    at(order) {
      const [year = "", month = "", day = ""] = positions[order].map((each) => numbers[each]);
      if (year.length !== 4 || month.length > 2 || day.length > 2) return Number.NaN;
      return dayOf(Number(year), Number(month), Number(day)) + timeMs;
    },
  };
}

/**
 * Parses a cell of a datetime column into milliseconds UTC. ISO strings are always accepted; other strings and numbers
 * must match the form of the column. Returns NaN for anything else. Strings without a time zone are in UTC.
 */
export function parseDate(cell: unknown, form: DateForm | undefined): number {
  const iso = typeof cell === "string" ? parseInstant(cell) : Number.NaN;
  if (!Number.isNaN(iso) || form === undefined) return iso;
  if (form === "X" || form === "x") return sinceEpoch(cell, form === "X" ? 1000 : 1);
  return typeof cell === "string" ? (splitDate(cell)?.at(form) ?? Number.NaN) : Number.NaN;
}

function sinceEpoch(cell: unknown, unitMs: number): number {
  const isNumber = typeof cell === "string" && /^-?\d{1,17}(?:\.\d+)?$/.test(cell);
  const value = typeof cell === "number" || isNumber ? Number(cell) * unitMs : Number.NaN;
  return Math.abs(value) <= farthestMs ? Math.trunc(value) : Number.NaN;
}

function dayOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.getTime()
    : Number.NaN;
}

function timeOf(hour = "0", minute = "0", second = "0", fraction = ""): number {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) return Number.NaN;
  return ((h * 60 + m) * 60 + s) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
