const [zero, dash, space, colon, point, letterT, letterZ] = [48, 45, 32, 58, 46, 84, 90];
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const daysIn = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses the most common forms of ISO dates and datetimes from bytes: `2024-01-31`, with or without a time such as
 * `T09:30`, `T09:30:15.250` or `T09:30:15Z`. Undefined for all other strings, which `millisecondsOf` decides.
 */
export function readInstant(view: DataView, from: number, to: number): number | undefined {
  const length = to - from;
  if (length < 10 || view.getUint8(from + 4) !== dash || view.getUint8(from + 7) !== dash)
    return undefined;
  const year = twoDigits(view, from) * 100 + twoDigits(view, from + 2);
  const month = twoDigits(view, from + 5);
  const day = twoDigits(view, from + 8);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  // NaN, which stands for bytes that are not digits, fails these tests.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  if (!(day <= daysIn[month - 1]! + (month === 2 && isLeap ? 1 : 0))) return undefined;
  const before = year - 1;
  const leapDays = Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const dayOfYear = daysBefore[month - 1]! + day - 1 + (month > 2 && isLeap ? 1 : 0);
  const dayMs = (before * 365 + leapDays + dayOfYear - daysBeforeEpoch) * 86_400_000;
  if (length === 10) return dayMs;
  const mark = view.getUint8(from + 10);
  if (length < 16 || (mark !== letterT && mark !== space) || view.getUint8(from + 13) !== colon)
    return undefined;
  const hour = twoDigits(view, from + 11);
  const minute = twoDigits(view, from + 14);
  if (!(hour <= 23 && minute <= 59)) return undefined;
  let at = from + 16;
  let timeMs = hour * 3_600_000 + minute * 60_000;
  if (at + 3 <= to && view.getUint8(at) === colon) {
    const second = twoDigits(view, at + 1);
    if (!(second <= 59)) return undefined;
    timeMs += second * 1000;
    at += 3;
    if (at < to && view.getUint8(at) === point) {
      const digits = ++at;
      for (let unit = 100; at < to && at < digits + 9; at++, unit = Math.floor(unit / 10)) {
        const digit = view.getUint8(at) - zero;
        if (!(digit >= 0 && digit <= 9)) break;
        timeMs += digit * unit;
      }
      if (at === digits) return undefined;
    }
  }
  if (at < to && view.getUint8(at) === letterZ) at++;
  return at === to ? dayMs + timeMs : undefined;
}

/** Days from the start of the year 1 to 1970-01-01, in the proleptic Gregorian calendar. */
const daysBeforeEpoch = 719_162;

/** Returns the number of two digits; NaN if a byte is not a digit. */
function twoDigits(view: DataView, at: number): number {
  const tens = view.getUint8(at) - zero;
  const ones = view.getUint8(at + 1) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}
