import { dayMs, dayOfMonth, monthOfDay } from "../time/calendar.ts";
import { monthNamed, weekdayNamed } from "./monthNames.ts";
import { trim } from "./whiteSpace.ts";

/** Parses a string as milliseconds since 1970-01-01T00:00:00Z; NaN if it does not fit the format. */
export type DateParser = (text: string) => number;

/** A directive: the part of a date that it names, its regular expression, and the value of a matching string. */
type Directive = readonly [part: string, pattern: string, read: (text: string) => number];

const word = String.raw`[\p{L}\p{M}]+\.?`;

/** The directives, as `dateDirectives` of the protocol lists them. A test compares both. */
const directives: Readonly<Record<string, Directive>> = {
  Y: ["year", "\\d{4}", Number],
  y: ["year", "\\d{2}", (text) => Number(text) + (Number(text) < 69 ? 2000 : 1900)],
  m: ["month", "\\d{1,2}", Number],
  b: ["month", word, monthNamed],
  B: ["month", word, monthNamed],
  d: ["day", "\\d{1,2}", Number],
  e: ["day", " ?\\d{1,2}", Number],
  j: ["dayOfYear", "\\d{1,3}", Number],
  H: ["hour", "\\d{1,2}", Number],
  I: ["hour", "\\d{1,2}", Number],
  M: ["minute", "\\d{2}", Number],
  S: ["second", "\\d{2}", Number],
  L: ["fraction", "\\d{3}", Number],
  f: ["fraction", "\\d{1,9}", (text) => Number(text.slice(0, 3).padEnd(3, "0"))],
  p: ["half", "[ap]\\.?m\\.?", (text) => (/^p/i.test(text) ? 12 : 0)],
  a: ["weekday", word, weekdayNamed],
  A: ["weekday", word, weekdayNamed],
  Z: ["zone", "Z|UTC|GMT|[+-]\\d{2}:?\\d{2}|[+-]\\d{2}", offsetMsOf],
};

const longestFormat = 100;
/** Longer strings are not dates. The limit also bounds the time to match a pattern. */
const longestText = 200;

/** Compiles a format such as `%d.%m.%Y %H:%M`; undefined if the format is invalid. */
export function compileDateFormat(format: string): DateParser | undefined {
  if (format.length > longestFormat) return undefined;
  const used: Directive[] = [];
  let pattern = "";
  let isTwelveHours = false;
  for (const [token, letter] of format.matchAll(/%[-_0]?(.?)|[^%]/gsu)) {
    if (letter === undefined) pattern += literalPattern(token);
    else if (letter === "%") pattern += "%";
    else {
      if (!Object.hasOwn(directives, letter)) return undefined;
      used.push(directives[letter]);
      isTwelveHours ||= letter === "I";
      pattern += `(${directives[letter][1]})`;
    }
  }
  const named = new Set(used.map(([part]) => part));
  const hasDay = named.has("day") && !named.has("dayOfYear");
  if (named.size < used.length || !named.has("year") || (hasDay && !named.has("month")))
    return undefined;
  if (isTwelveHours !== named.has("half")) return undefined;
  const expression = new RegExp(`^${pattern}$`, "iu");
  return (text) => {
    const trimmed = trim(text);
    const match = trimmed.length <= longestText ? expression.exec(trimmed) : null;
    if (!match) return NaN;
    const parts: Record<string, number> = {};
    for (const [index, [part, , read]] of used.entries()) {
      const value = read(match[index + 1]);
      if (value !== value) return NaN;
      parts[part] = value;
    }
    return instantOf(parts);
  };
}

function literalPattern(character: string): string {
  return /\p{White_Space}/u.test(character) ? "\\p{White_Space}" : RegExp.escape(character);
}

/** Returns the instant of the parts of a date; NaN for a day or a time that does not exist. */
function instantOf(parts: Readonly<Record<string, number>>): number {
  const { year, month = 1, day = 1, dayOfYear, half, zone = 0 } = parts;
  const { minute = 0, second = 0, fraction = 0 } = parts;
  let { hour = 0 } = parts;
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return NaN;
    hour = (hour % 12) + half;
  }
  if (hour > 23 || minute > 59 || second > 59) return NaN;
  const date = dayOfYear === undefined ? dateOf(year, month, day) : dayIn(year, dayOfYear);
  const timeMs = ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
  return date * dayMs + timeMs - zone;
}

/** Returns the day since 1970 of a date; NaN for a date that does not exist. */
function dateOf(year: number, month: number, day: number): number {
  if (month < 1 || month > 12 || day < 1 || day > 31) return NaN;
  const first = year * 12 + month - 1;
  const date = dayOfMonth(first) + day - 1;
  return monthOfDay(date) === first ? date : NaN;
}

/** Returns the day since 1970 of a day of a year, counted from 1; NaN for a day that does not exist. */
function dayIn(year: number, dayOfYear: number): number {
  const date = dayOfMonth(year * 12) + dayOfYear - 1;
  return dayOfYear >= 1 && date < dayOfMonth((year + 1) * 12) ? date : NaN;
}

/** Returns the milliseconds of an offset such as `Z` or `+02:00`; NaN if it does not exist. */
function offsetMsOf(zone: string): number {
  if (!/^[+-]/.test(zone)) return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 23 || minutes > 59) return NaN;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
