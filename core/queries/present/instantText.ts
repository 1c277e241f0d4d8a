const dayMs = 86_400_000;
const two = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));
const three = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, "0"));

/** The first instant of the year 0, and the end of the year 9999, in milliseconds. */
const firstMs = -62_167_219_200_000;
const endMs = 253_402_300_800_000;

/**
 * Formats an instant, in milliseconds, like `Date.prototype.toISOString` but in less than half of the time.
 * @throws {RangeError} for instants that a Date cannot represent
 */
export function instantText(instant: number): string {
  if (!(instant >= firstMs && instant < endMs)) return new Date(instant).toISOString();
  const whole = Math.trunc(instant);
  const day = Math.floor(whole / dayMs);
  const inDay = whole - day * dayMs;
  const date = dayText(day);
  if (inDay === 0) return `${date}T00:00:00.000Z`;
  const seconds = (inDay / 1000) | 0;
  const minutes = (seconds / 60) | 0;
  const hour = (minutes / 60) | 0;
  return `${date}T${two[hour]}:${two[minutes - hour * 60]}:${two[seconds - minutes * 60]}.${three[inDay - seconds * 1000]}Z`;
}

/**
 * Formats a day since 1970 in the Gregorian calendar. `| 0` keeps days and years 32-bit integers. Source: Howard
 * Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
 */
function dayText(day: number): string {
  const shifted = (day + 719_468) | 0;
  const era = Math.floor(shifted / 146_097) | 0;
  const ofEra = (shifted - era * 146_097) | 0;
  const leapDays = ((ofEra / 1460) | 0) - ((ofEra / 36_524) | 0) + ((ofEra / 146_096) | 0);
  const yearOfEra = ((ofEra - leapDays) / 365) | 0;
  const ofYear = (ofEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0))) | 0;
  const fromMarch = ((5 * ofYear + 2) / 153) | 0;
  const ofMonth = (ofYear - (((153 * fromMarch + 2) / 5) | 0) + 1) | 0;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = (yearOfEra + era * 400 + (month <= 2 ? 1 : 0)) | 0;
  const century = (year / 100) | 0;
  return `${two[century]}${two[year - century * 100]}-${two[month]}-${two[ofMonth]}`;
}
