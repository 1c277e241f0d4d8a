import { isWeekday, monthNamed } from "./monthNames.ts";
import { fullYear, offsetOf } from "./readDate.ts";
import { instantOfWallTime, type WallTime } from "./wallTime.ts";

/** A part of a date format: its pattern, and what it says about the wall time. */
interface Directive {
  readonly pattern: string;
  /** Name of the part of the date. Directives with the same name exclude each other. */
  readonly part:
    | "year"
    | "month"
    | "day"
    | "hour"
    | "minute"
    | "second"
    | "fraction"
    | "half"
    | "zone"
    | "dayOfYear"
    | "weekday";
  /** Returns the value of a text; NaN if it has none. */
  read(text: string): number;
}

const number = (pattern: string, part: Directive["part"]): Directive => ({
  pattern,
  part,
  read: Number,
});

/** The directives of D3 that name parts of a date. */
const directives: Readonly<Record<string, Directive>> = {
  Y: number("\\d{4}", "year"),
  y: { pattern: "\\d{2}", part: "year", read: fullYear },
  m: number("\\d{1,2}", "month"),
  b: { pattern: "[\\p{L}\\p{M}]+\\.?", part: "month", read: (text) => monthNamed(text) ?? NaN },
  B: { pattern: "[\\p{L}\\p{M}]+\\.?", part: "month", read: (text) => monthNamed(text) ?? NaN },
  d: number("\\d{1,2}", "day"),
  e: number(" ?\\d{1,2}", "day"),
  j: number("\\d{1,3}", "dayOfYear"),
  H: number("\\d{1,2}", "hour"),
  I: number("\\d{1,2}", "hour"),
  M: number("\\d{2}", "minute"),
  S: number("\\d{2}", "second"),
  L: { pattern: "\\d{3}", part: "fraction", read: Number },
  f: {
    pattern: "\\d{1,9}",
    part: "fraction",
    read: (text) => Number(text.slice(0, 3).padEnd(3, "0")),
  },
  p: { pattern: "[AaPp]\\.?[Mm]\\.?", part: "half", read: (text) => (/^p/i.test(text) ? 12 : 0) },
  a: {
    pattern: "[\\p{L}\\p{M}]+\\.?",
    part: "weekday",
    read: (text) => (isWeekday(text) ? 0 : NaN),
  },
  A: {
    pattern: "[\\p{L}\\p{M}]+\\.?",
    part: "weekday",
    read: (text) => (isWeekday(text) ? 0 : NaN),
  },
  Z: {
    pattern: "(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}|[+-]\\d{2})",
    part: "zone",
    read: (text) => offsetOf(text) ?? NaN,
  },
};

const epochUnits = new Map([
  ["epoch seconds", 1000],
  ["epoch milliseconds", 1],
]);

interface CompiledFormat {
  readonly pattern: RegExp;
  readonly directives: readonly Directive[];
  readonly isTwelveHours: boolean;
}

const compiled = new Map<string, CompiledFormat | string>();
const longestFormat = 100;
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
  const parts: Partial<Record<Directive["part"], number>> = {};
  for (const [index, directive] of found.directives.entries()) {
    const value = directive.read(match[index + 1] ?? "");
    if (Number.isNaN(value)) return undefined;
    parts[directive.part] = value;
  }
  const { minute = 0, second = 0, fraction = 0, half, zone } = parts;
  let hour = parts.hour ?? 0;
  if (found.isTwelveHours) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half ?? 0);
  }
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const { year = 1970, dayOfYear } = parts;
  const wall: WallTime = {
    year,
    month: parts.month ?? 1,
    day: parts.day ?? 1,
    timeMs: ((hour * 60 + minute) * 60 + second) * 1000 + fraction,
    ...(zone !== undefined && { offsetMs: zone }),
  };
  const isTimed = parts.hour !== undefined;
  if (dayOfYear === undefined) return instantOfWallTime(wall, isTimed ? timeZone : undefined);
  const dayCount = (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / 86_400_000;
  if (dayOfYear < 1 || dayOfYear > dayCount) return undefined;
  const start = instantOfWallTime({ ...wall, month: 1, day: 1 }, isTimed ? timeZone : undefined);
  return start === undefined ? undefined : start + (dayOfYear - 1) * 86_400_000;
}

/** Converts a number of seconds or milliseconds since 1970; undefined if it is not a number or too far away. */
export function readEpoch(value: string | number | bigint, unitMs: number): number | undefined {
  if (typeof value === "string" && !/^\s*-?\d{1,17}(?:\.\d+)?\s*$/.test(value)) return undefined;
  const at = Math.trunc(Number(value) * unitMs);
  return Math.abs(at) <= 8.64e15 ? at + 0 : undefined;
}

/** Returns the milliseconds per unit of a format of numbers; undefined for other formats. */
export function epochUnitMs(format: string): number | undefined {
  return epochUnits.get(format);
}

function compile(format: string): CompiledFormat | string {
  const known = compiled.get(format);
  if (known !== undefined) return known;
  if (format.length > longestFormat) return `it is longer than ${longestFormat} characters`;
  const found = compileNew(format);
  if (compiled.size >= 1000) compiled.clear();
  compiled.set(format, found);
  return found;
}

function compileNew(format: string): CompiledFormat | string {
  const used: Directive[] = [];
  const parts = new Set<string>();
  let pattern = "";
  for (let at = 0; at < format.length; at++) {
    const letter = format.charAt(at);
    if (letter !== "%") {
      pattern += /\s/.test(letter) ? "\\s" : letter.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
      continue;
    }
    // D3 writes directives with a padding such as %-d.
    if (/[-_0]/.test(format.charAt(at + 1))) at++;
    const name = format.charAt(++at);
    if (name === "%") {
      pattern += "%";
      continue;
    }
    const directive = Object.hasOwn(directives, name) ? directives[name] : undefined;
    if (!directive)
      return `%${name} is not a directive; use ${Object.keys(directives)
        .map((each) => `%${each}`)
        .join(" ")}`;
    if (parts.has(directive.part)) return `it has two directives for the ${directive.part}`;
    parts.add(directive.part);
    used.push(directive);
    pattern += `(${directive.pattern})`;
  }
  const isTwelveHours = /%[-_0]?I/.test(format);
  if (!parts.has("year")) return "it has no directive for the year, such as %Y";
  if (!parts.has("dayOfYear") && parts.has("day") && !parts.has("month"))
    return "it has a day without a month, such as %m";
  if (isTwelveHours !== parts.has("half")) return "%I and %p need each other";
  return { pattern: new RegExp(`^${pattern}$`, "iu"), directives: used, isTwelveHours };
}
