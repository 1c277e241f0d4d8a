const dayMs: f64 = 86400000;

/** Returns the number that two ASCII digits represent; a number above 99 if a byte is not a digit. */
function two(at: usize): u32 {
  const tens = <u32>load<u8>(at) - 48;
  const ones = <u32>load<u8>(at, 1) - 48;
  return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}

/**
 * Converts `YYYY-MM-DD` to days since 1970-01-01. Returns NaN for a day that does not exist (Hinnant,
 * "chrono-compatible low-level date algorithms", 2013).
 */
export function readDay(at: usize): f64 {
  const century = two(at);
  const yearOfCentury = two(at + 2);
  const month = two(at + 5);
  const day = two(at + 8);
  if (load<u8>(at, 4) !== 45 || load<u8>(at, 7) !== 45) return NaN;
  if (century > 99 || yearOfCentury > 99 || month - 1 > 11 || day === 0) return NaN;
  const year = century * 100 + yearOfCentury;
  const isLeap = (year & 3) === 0 && (yearOfCentury !== 0 || (century & 3) === 0);
  const days: u32 = month === 2 ? 28 + <u32>isLeap : 30 + ((month ^ (month >> 3)) & 1);
  if (day > days) return NaN;
  // Years are counted from March, and from 400 years earlier.
  const yearFrom = year + 400 - <u32>(month < 3);
  const dayOfYear = (153 * (month < 3 ? month + 9 : month - 3) + 2) / 5 + day - 1;
  const count = yearFrom * 365 + yearFrom / 4 - yearFrom / 100 + yearFrom / 400 + dayOfYear;
  return <f64>(<i32>count - 719468 - 146097);
}

/**
 * Converts the part of an instant after the day to milliseconds: a time, optionally with seconds, a fraction and a
 * zone. Returns NaN if the part is invalid.
 */
function readTime(at: usize, end: usize): f64 {
  let time: u32 = 0;
  const separator = <u32>load<u8>(at);
  if (separator === 84 || (separator === 32 && <u32>load<u8>(at, 1) - 48 <= 9)) {
    const hour = two(at + 1);
    const minute = two(at + 4);
    if (<u32>load<u8>(at, 3) !== 58 || hour > 23 || minute > 59) return NaN;
    time = (hour * 60 + minute) * 60000;
    at += 6;
    if (at < end && <u32>load<u8>(at) === 58) {
      const second = two(at + 1);
      if (second > 59) return NaN;
      time += second * 1000;
      at += 3;
      const point = <u32>load<u8>(at);
      if (at < end && (point === 46 || point === 44)) {
        const first = ++at;
        let scale: u32 = 100;
        for (; at < end && <u32>load<u8>(at) - 48 <= 9; at++) {
          time += (<u32>load<u8>(at) - 48) * scale;
          scale /= 10;
        }
        if (at === first || at - first > 9) return NaN;
      }
    }
  }
  if (at < end && <u32>load<u8>(at) === 32) at++;
  if (at >= end) return at === end ? <f64>time : NaN;
  const zone = <u32>load<u8>(at);
  if (zone === 90 || zone === 122) return at + 1 === end ? <f64>time : NaN;
  if (zone !== 43 && zone !== 45) return NaN;
  let offset = two(at + 1) * 60;
  if (offset >= 24 * 60) return NaN;
  at += 3;
  if (at < end) {
    if (<u32>load<u8>(at) === 58) at++;
    const minutes = two(at);
    if (minutes > 59) return NaN;
    offset += minutes;
    at += 2;
  }
  if (at !== end) return NaN;
  return <f64>time + <f64>offset * (zone === 45 ? 60000 : -60000);
}

/** Like `readInstantBytes`, for years of four digits. Returns NaN for all other strings. */
export function readInstant(at: usize, length: u32): f64 {
  if (length < 10) return NaN;
  const day = readDay(at) * dayMs;
  return length === 10 || day !== day ? day : day + readTime(at + 10, at + length);
}
