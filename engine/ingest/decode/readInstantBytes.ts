import { parseInstant } from "../../time/parseInstant.ts";

/** Length of the longest string that can be an instant. */
const longestInstant = 45;
const daysBeforeMonth = Int32Array.of(0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365);

/**
 * Like `parseInstant`, but for a string in bytes. Reads `YYYY-MM-DD` and `YYYY-MM-DDTHH:mm:ss[.sss][Z]` without
 * creating a JavaScript string.
 */
export function readInstantBytes(bytes: Uint8Array, from: number, length: number): number {
  if (length < 10 || length > longestInstant) return NaN;
  const fixed = parseFixed(bytes, from, length);
  return fixed === fixed
    ? fixed
    : parseInstant(String.fromCharCode(...bytes.subarray(from, from + length)));
}

function parseFixed(bytes: Uint8Array, from: number, length: number): number {
  if (bytes[from + 4] !== 45 || bytes[from + 7] !== 45) return NaN;
  const year = two(bytes, from) * 100 + two(bytes, from + 2);
  const day = dayOf(year, two(bytes, from + 5), two(bytes, from + 8));
  if (length === 10) return day * 86_400_000;
  const end = bytes[from + length - 1] === 90 ? length - 1 : length;
  const separator = bytes[from + 10];
  if ((end !== 19 && end !== 23) || (separator !== 84 && separator !== 32)) return NaN;
  if (bytes[from + 13] !== 58 || bytes[from + 16] !== 58) return NaN;
  const hour = two(bytes, from + 11);
  const minute = two(bytes, from + 14);
  const second = two(bytes, from + 17);
  if (!(hour < 24 && minute < 60 && second < 60)) return NaN;
  const time = ((hour * 60 + minute) * 60 + second) * 1000;
  if (end === 19) return day * 86_400_000 + time;
  const last = bytes[from + 22] - 48;
  if (bytes[from + 19] !== 46 || last < 0 || last > 9) return NaN;
  return day * 86_400_000 + time + two(bytes, from + 20) * 10 + last;
}

/** Returns the number that two ASCII digits represent; NaN if either byte is not a digit. */
function two(bytes: Uint8Array, from: number): number {
  const tens = bytes[from] - 48;
  const ones = bytes[from + 1] - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** Converts a date to days since 1970-01-01. Returns NaN if the date does not exist. */
function dayOf(year: number, month: number, day: number): number {
  if (!(month >= 1 && month <= 12 && day >= 1)) return NaN;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  const start = daysBeforeMonth[month - 1];
  if (day > daysBeforeMonth[month] - start + (month === 2 ? leap : 0)) return NaN;
  const years = year - 1;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return 365 * years + leapDays + start + (month > 2 ? leap : 0) + day - 1 - 719_162;
}
