import {
  dateDirectives,
  isWeekday,
  monthNamed,
  splitDateFormat,
  type DateDirective,
  type DateFormatPart,
} from "../protocol/index.ts";
import { fullYear, offsetOf } from "./readDate.ts";
import { instantOfWallTime, type WallTime } from "./wallTime.ts";

/** How strings represent the part of a date that a directive names. */
interface Directive {
  readonly pattern: string;
  /** Returns the value of a text; NaN if it has none. */
  read(text: string): number;
}

const number = (pattern: string): Directive => ({ pattern, read: Number });
const name = (read: Directive["read"]): Directive => ({
  pattern: "[\\p{L}\\p{M}]+\\.?",
  read,
});
const month = name((text) => monthNamed(text) ?? NaN);
const weekday = name((text) => (isWeekday(text) ? 0 : NaN));

const directives: Readonly<Record<DateDirective, Directive>> = {
  Y: number("\\d{4}"),
  y: { pattern: "\\d{2}", read: fullYear },
  m: number("\\d{1,2}"),
  b: month,
  B: month,
  d: number("\\d{1,2}"),
  e: number(" ?\\d{1,2}"),
  j: number("\\d{1,3}"),
  H: number("\\d{1,2}"),
  I: number("\\d{1,2}"),
  M: number("\\d{2}"),
  S: number("\\d{2}"),
  L: number("\\d{3}"),
  f: { pattern: "\\d{1,9}", read: (text) => Number(text.slice(0, 3).padEnd(3, "0")) },
  p: { pattern: "[AaPp]\\.?[Mm]\\.?", read: (text) => (/^p/i.test(text) ? 12 : 0) },
  a: weekday,
  A: weekday,
  Z: {
    pattern: "(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}|[+-]\\d{2})",
    read: (text) => offsetOf(text) ?? NaN,
  },
};

const epochUnits = new Map([
  ["epoch seconds", 1000],
  ["epoch milliseconds", 1],
]);

interface CompiledFormat {
  readonly pattern: RegExp;
  readonly directives: readonly DateDirective[];
  readonly isTwelveHours: boolean;
}

const compiled = new Map<string, CompiledFormat>();
/** Longer strings are not dates. The limit also bounds the time to match a pattern. */
const longestText = 200;

/** Returns why a date format is invalid; undefined if it is valid. */
export function checkDateFormat(format: string): string | undefined {
  if (epochUnits.has(format)) return undefined;
  const found = compile(format);
  return typeof found === "string" ? found : undefined;
}

/**
 * Parses a date in a format such as `%d.%m.%Y %H:%M`, `epoch seconds` or `epoch milliseconds`, as milliseconds since
 * 1970-01-01T00:00:00Z. Blanks around the text are ignored. Undefined for other texts, and for days and times that do
 * not exist. A time without an offset is in `timeZone`.
 */
export function readFormattedDate(
  text: string,
  format: string,
  timeZone: string | undefined,
): number | undefined {
  const unitMs = epochUnits.get(format);
  if (unitMs !== undefined) return readEpoch(text, unitMs);
  const found = compile(format);
  if (typeof found === "string") return undefined;
  const trimmed = text.trim();
  const match = trimmed.length <= longestText ? found.pattern.exec(trimmed) : null;
  if (!match) return undefined;
  const parts: Partial<Record<DateFormatPart, number>> = {};
  for (const [index, directive] of found.directives.entries()) {
    const value = directives[directive].read(match[index + 1] ?? "");
    if (Number.isNaN(value)) return undefined;
    parts[dateDirectives[directive]] = value;
  }
  const { minute = 0, second = 0, fraction = 0, half, zone } = parts;
  let hour = parts.hour ?? 0;
  if (found.isTwelveHours) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half ?? 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const { year = 1970 } = parts;
  const day = dayOf(year, parts);
  if (!day) return undefined;
  const wall: WallTime = {
    year,
    ...day,
    timeMs: ((hour * 60 + minute) * 60 + second) * 1000 + fraction,
    ...(zone !== undefined && { offsetMs: zone }),
  };
  return instantOfWallTime(wall, parts.hour === undefined ? undefined : timeZone);
}

/** Returns the month and the day of a date. Undefined for a day that the year does not have. */
function dayOf(
  year: number,
  { month = 1, day = 1, dayOfYear }: Partial<Record<DateFormatPart, number>>,
): Pick<WallTime, "month" | "day"> | undefined {
  if (dayOfYear === undefined) return { month, day };
  const date = new Date(0);
  date.setUTCFullYear(year, 0, dayOfYear);
  if (date.getUTCFullYear() !== year) return undefined;
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Converts a number of seconds or milliseconds since 1970; undefined if it is not a number or too far away. */
export function readEpoch(value: string | number | bigint, unitMs: number): number | undefined {
  if (typeof value === "string" && !/^\s*-?\d{1,17}(?:\.\d+)?\s*$/.test(value)) return undefined;
  const text = String(value).trim();
  // Decimals are exact: 1.001 s is 1,001 ms, but 1.001 * 1000 is less than 1001.
  const isDecimal = unitMs === 1000 && !text.includes("e");
  const at = Math.trunc(isDecimal ? Number(`${text}e3`) : Number(value) * unitMs);
  return Math.abs(at) <= 8.64e15 ? at + 0 : undefined;
}

/** Returns the milliseconds per unit of a format of numbers; undefined for other formats. */
export function epochUnitMs(format: string): number | undefined {
  return epochUnits.get(format);
}

function compile(format: string): CompiledFormat | string {
  const known = compiled.get(format);
  if (known !== undefined) return known;
  const found = compileNew(format);
  if (typeof found === "string") return found;
  if (compiled.size >= 1000) compiled.clear();
  compiled.set(format, found);
  return found;
}

function compileNew(format: string): CompiledFormat | string {
  const tokens = splitDateFormat(format);
  if (typeof tokens === "string") return tokens;
  const used = tokens.flatMap(({ directive }) => directive ?? []);
  const pattern = tokens.map(({ directive, character }) => {
    if (directive !== undefined) return `(${directives[directive].pattern})`;
    // A hyphen must not be escaped outside a class: with the flag u, that is a syntax error.
    return /\s/.test(character) ? "\\s" : character.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  });
  return {
    pattern: new RegExp(`^${pattern.join("")}$`, "iu"),
    directives: used,
    isTwelveHours: used.includes("I"),
  };
}
