import { millisecondsOf } from "../../../plugins/protocol/index.ts";

const daysBeforeMonth = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/**
 * Parses an ISO 8601 date or date-time into milliseconds since 1970-01-01T00:00:00Z, exactly as the protocol does
 * (`millisecondsOf`). Returns NaN for anything else, including days that do not exist in their month. Parses
 * `YYYY-MM-DD` and `YYYY-MM-DDTHH:mm:ss[.sss][Z]`, with T or a space, without allocating memory.
 */
export function parseInstant(text: string): number {
  const fast = fixedInstant(text, text.length);
  return Number.isNaN(fast) && text.length <= 45 ? (millisecondsOf(text) ?? Number.NaN) : fast;
}

const date = /^[+-]?\d{4,6}-\d\d-\d\d/;
const zoneAtEnd = /(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * Parses an ISO 8601 date or date-time like `parseInstant`, but reads a string without a time zone on the clock of
 * `timezone`. A date is the instant at which its day starts. A time that the clock skips moves forward by the skipped
 * amount; of a time that occurs twice, the first is meant.
 */
export function parseInstantIn(text: string, timezone: string): number {
  const instant = parseInstant(text);
  if (timezone === "UTC" || Number.isNaN(instant) || isZoned(text)) return instant;
  try {
    return Temporal.Instant.fromEpochMilliseconds(instant)
      .toZonedDateTimeISO("UTC")
      .toPlainDateTime()
      .toZonedDateTime(timezone).epochMilliseconds;
  } catch (failure) {
    if (failure instanceof RangeError) return Number.NaN;
    throw failure;
  }
}

/** Returns whether a string that `parseInstant` accepts names a time zone or an offset. */
function isZoned(text: string): boolean {
  return zoneAtEnd.test(text.replace(date, ""));
}

function fixedInstant(text: string, length: number): number {
  if (length !== 10 && (length < 19 || length > 24)) return Number.NaN;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return Number.NaN;
  const day = dayOf(digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2));
  return day * 86_400_000 + (length === 10 ? 0 : fixedTime(text, length));
}

/** Returns whether a string that `parseInstant` accepts is a date without a time. */
export function isDateOnly(text: string): boolean {
  return text.length === 10;
}

function digits(text: string, from: number, count: number): number {
  let value = 0;
  for (let index = from; index < from + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Returns the days since 1970-01-01, or NaN if the calendar has no such day. */
function dayOf(year: number, month: number, day: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const start = daysBeforeMonth[month - 1];
  if (start === undefined || !(day >= 1)) return Number.NaN;
  const end = (daysBeforeMonth[month] ?? 365) + (leap && month === 2 ? 1 : 0);
  if (day > end - start || Number.isNaN(year)) return Number.NaN;
  const years = year - 1;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return 365 * years + leapDays + start + (leap && month > 2 ? 1 : 0) + day - 1 - 719_162;
}

/** Returns the milliseconds of `THH:mm:ss[.sss][Z]` at position 10, or NaN for any other form. */
function fixedTime(text: string, length: number): number {
  const end = text.charCodeAt(length - 1) === 90 ? length - 1 : length;
  const separator = text.charCodeAt(10);
  if ((end !== 19 && end !== 23) || (separator !== 84 && separator !== 32)) return Number.NaN;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN;
  if (end === 23 && text.charCodeAt(19) !== 46) return Number.NaN;
  const milliseconds = end === 23 ? digits(text, 20, 3) : 0;
  return timeOf(digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)) + milliseconds;
}

function timeOf(hour: number, minute: number, second: number): number {
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}
