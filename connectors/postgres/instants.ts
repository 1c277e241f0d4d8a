/** Start of 4713 BC, the first year of PostgreSQL's timestamps, in milliseconds. */
const firstMs = Date.UTC(-4712, 0, 1);

/**
 * Returns milliseconds since 1970 as a UTC timestamp, or `-infinity` for instants before PostgreSQL's first timestamp.
 */
export function timestampText(instantMs: number): string {
  if (instantMs < firstMs) return "-infinity";
  const date = new Date(instantMs);
  if (Number.isNaN(date.getTime())) return "infinity";
  const year = date.getUTCFullYear();
  const rest = date.toISOString().slice(-20, -1).replace("T", " ");
  const written = String(year > 0 ? year : 1 - year).padStart(4, "0");
  return `${written}${rest}${year > 0 ? "" : " BC"}`;
}

/** Parses a UTC timestamp as printed by PostgreSQL (ISO style) to milliseconds since 1970; null for the infinities. */
export function instantOf(text: string): number | null {
  // A year has at least four digits.
  const dash = text.indexOf("-", 4);
  if (dash < 0 || text.charCodeAt(0) === 45) return null;
  const isBefore = text.charCodeAt(text.length - 1) === 67;
  const year = Number(text.slice(0, dash));
  const milliseconds = text.charCodeAt(dash + 15) === 46 ? fraction(text, dash + 16) : 0;
  const [month, day] = [twoDigits(text, dash + 1), twoDigits(text, dash + 4)];
  const time =
    (twoDigits(text, dash + 7) * 60 + twoDigits(text, dash + 10)) * 60_000 +
    twoDigits(text, dash + 13) * 1000 +
    milliseconds;
  return dayNumber(isBefore ? 1 - year : year, month, day) * dayMs + time;
}

const dayMs = 86_400_000;

function twoDigits(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

/**
 * Returns the days from 1970-01-01 to a day of the Gregorian calendar; months start at 1. Source: Howard Hinnant,
 * chrono-compatible low-level date algorithms.
 */
function dayNumber(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function fraction(text: string, at: number): number {
  let [value, scale] = [0, 100];
  for (let index = at; scale >= 1; index++, scale /= 10) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    value += digit * scale;
  }
  return value;
}
