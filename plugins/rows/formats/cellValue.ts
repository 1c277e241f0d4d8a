import { millisecondsOf } from "../../protocol/index.ts";
import type { ShownAs } from "./numberFormats.ts";

/**
 * The calendar of a workbook: `1900` counts days from 1900-01-01 and contains a February 29 that never existed; `1904`
 * counts days from 1904-01-01, as Excel for Macintosh did; `iso` counts days from 1899-12-30, without the error.
 */
export type Calendar = "1900" | "1904" | "iso";

const dayMs = 86_400_000;
const starts: Readonly<Record<Calendar, number>> = {
  "1900": Date.UTC(1899, 11, 30),
  "1904": Date.UTC(1904, 0, 1),
  iso: Date.UTC(1899, 11, 30),
};
const lastDateMs = Date.UTC(9999, 11, 31) + dayMs - 1;

/**
 * Returns the value of a number in a cell: a Date; a time of day as a string such as `09:30:00`; a duration in
 * milliseconds; or the number. A date that does not exist becomes a string, as Excel shows it: 1900-01-00, 1900-02-29,
 * or the number itself if it is negative or beyond the year 9999.
 */
export function numberValue(serial: number, shown: ShownAs, calendar: Calendar): unknown {
  switch (shown) {
    case "date":
    case "datetime":
      return dateValue(serial, calendar);
    case "time":
      return serial >= 0 && serial < 1 ? timeOf(serial) : dateValue(serial, calendar);
    case "duration":
      return Math.round(serial * dayMs);
    case "number":
    case "padded":
    case "currency":
      return serial;
  }
}

function dateValue(serial: number, calendar: Calendar): Date | string {
  const startMs = starts[calendar];
  const atMs = startMs + Math.round(serial * dayMs);
  if (calendar === "1900") {
    const day = Math.floor(serial);
    if (day === 0) return missingDate("1900-01-00", serial);
    if (day === 60) return missingDate("1900-02-29", serial);
    if (day > 0 && day < 60) return new Date(atMs + dayMs);
  }
  const isHeld = atMs <= lastDateMs && (serial >= 0 || calendar === "iso");
  return isHeld ? new Date(atMs) : String(serial);
}

function missingDate(day: string, serial: number): string {
  const time = timeOf(serial - Math.floor(serial));
  return time === "00:00:00" ? day : `${day}T${time}`;
}

/** Writes a fraction of a day as a time of day, with milliseconds if there are any. */
function timeOf(fraction: number): string {
  const timeMs = Math.min(dayMs - 1, Math.round(fraction * dayMs));
  return new Date(timeMs).toISOString().slice(11, 23).replace(".000", "");
}

/** Returns the value of a cell that contains an ISO 8601 string: a Date, or the string itself, such as `09:30:00`. */
export function isoValue(text: string): Date | string {
  const atMs = millisecondsOf(text);
  return atMs === undefined ? text.replace(/^T(?=\d\d:)/, "") : new Date(atMs);
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Parses a number in a cell. A whole number beyond 2^53 that is written with all its digits becomes a bigint, because
 * a number would lose some. Undefined if the string is not a finite number.
 */
export function parseNumber(text: string): number | bigint | undefined {
  if (!decimal.test(text)) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  return Number.isSafeInteger(number) || !/^[+-]?\d{16,}$/.test(text) ? number : BigInt(text);
}
