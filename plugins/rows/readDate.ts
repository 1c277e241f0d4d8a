import { asciiDigits, isWeekday, millisecondsOf, monthNamed } from "../protocol/index.ts";
import { instantInZone, instantOfWallTime, type WallTime } from "./wallTime.ts";

/** The order of year, month and day in dates that consist of numbers. */
export type DateOrder = "YMD" | "DMY" | "MDY";

/**
 * The way in which a text shows a date: `iso` is ISO 8601, `year` has a year of four digits first, `name` has the name
 * of a month, and `numbers` has three numbers whose order must be known.
 */
export type DateKind = "iso" | "year" | "name" | "numbers";

/** A text that looks like a date, before the order of its numbers is known. */
export interface DateText {
  readonly kind: DateKind;
  readonly isTimed: boolean;
  /**
   * Returns the instant in milliseconds since 1970. `order` matters only to the kind `numbers`. Times without an offset
   * are in `timeZone`. Undefined if the day does not exist, or the order is missing or does not fit.
   */
  at(order: DateOrder | undefined, timeZone: string | undefined): number | undefined;
}

/** Maximum number of characters of a date, without blanks around it. */
export const longestDate = 60;
/** Words between the parts of a date, such as `5 de enero de 2024`. */
const dateFillers: ReadonlySet<string> = new Set(["de", "del", "of", "d"]);
const clock = String.raw`(?:(?:\s*,?\s+|T)(\d{1,2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*([ap]\.?\s?m\.?)?(?:\s*(Z|UTC|GMT|(?:GMT|UTC)?[+-]\d{2}:?\d{2}|[+-]\d{2}))?)?`;
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${clock}$`, "i");
const numbers = new RegExp(String.raw`^(\d{1,2})([-/.]|\. )(\d{1,2})\2(\d{4}|\d{2})${clock}$`, "i");
const dayNameYear = new RegExp(
  String.raw`^(?:([\p{L}]+)\.?,?\s+)?(\d{1,2})(?:st|nd|rd|th|\.|er|º)?[-\s/]*(?:\p{L}{1,3}\s+)?([\p{L}\p{M}]{3,}\.?)[-\s/,]*(?:(\p{L}{1,3})\s+)?(\d{4}|\d{2})${clock}$`,
  "iu",
);
const nameDayYear = new RegExp(
  String.raw`^(?:([\p{L}]+)\.?,?\s+)?([\p{L}\p{M}]{3,}\.?)[-\s/]*(\d{1,2})(?:st|nd|rd|th)?(?:\s*,\s*|[-\s/])\s*(\d{4})${clock}$`,
  "iu",
);
const iso = /^(?:[+-]\d{6}|\d{4})-\d\d-\d\d/;

/** Forms of dates and times that stand for others, with their replacements. */
const variants: readonly (readonly [from: RegExp, to: string])[] = [
  // 2024年1月31日 and 2024년 1월 31일
  [/^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/, "$1-$2-$3"],
  [/(\d{1,2})\s?[時时시点]\s?(\d{2})\s?[分분]/, "$1:$2"],
  // 2024. 01. 31. in Hungarian and Korean
  [/^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.?(?= |$)/, "$1.$2.$3"],
  // 31/Jan/2024:12:30:15 in logs of web servers
  [/^(\d{1,2}\/\p{L}{3}\/\d{4}):(?=\d)/u, "$1 "],
  // 31 января 2024 г.
  [/(\d)\s?г\.?(?=,? |$)/, "$1"],
  // 12h30 and 12.30 after a date, and a time with the German word for o’clock
  [/(\s\d{1,2})\s?[h.]\s?(\d{2})$/, "$1:$2"],
  [/(\d)\s+Uhr$/, "$1"],
];

/** Splits a text that looks like a date. Undefined for other texts. */
export function splitDate(text: string): DateText | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longestDate || trimmed.length < 6) return undefined;
  const date = splitUsual(trimmed);
  if (date || !/\p{Nd}/u.test(trimmed)) return date;
  const usual = variants.reduce(
    (each, [from, to]) => each.replace(from, to),
    asciiDigits(trimmed).trim(),
  );
  return usual === trimmed ? undefined : splitUsual(usual);
}

function splitUsual(trimmed: string): DateText | undefined {
  if (iso.test(trimmed)) {
    const atMs = millisecondsOf(trimmed);
    if (atMs !== undefined) return isoDate(trimmed, atMs);
  }
  const first = yearFirst.exec(trimmed);
  if (first) {
    const [, year = "", , month = "", day = ""] = first;
    return dateOf("year", first.slice(5), () => [year, month, day]);
  }
  const three = numbers.exec(trimmed);
  if (three) {
    const [, a = "", , b = "", c = ""] = three;
    return dateOf("numbers", three.slice(5), (order) =>
      order === "DMY"
        ? [c, b, a]
        : order === "MDY"
          ? [c, a, b]
          : order === "YMD" && c.length === 2 && a.length === 2
            ? [a, b, c]
            : undefined,
    );
  }
  // Words are looked up only in texts that contain letters and digits.
  if (!/\d/.test(trimmed)) return undefined;
  const [word] = /\p{L}{3,}/u.exec(trimmed) ?? [];
  if (word === undefined || (monthNamed(word) === undefined && !isWeekday(word))) return undefined;
  return namedDate(trimmed);
}

function isoDate(text: string, atMs: number): DateText {
  const isTimed = /\d[T ]\d/.test(text);
  const hasOffset = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text.slice(10)) && isTimed;
  return {
    kind: "iso",
    isTimed,
    at: (_, timeZone) => (hasOffset ? atMs : instantInZone(atMs, timeZone)),
  };
}

function namedDate(text: string): DateText | undefined {
  const dayFirst = dayNameYear.exec(text);
  if (dayFirst) {
    const [, weekday, day = "", name = "", filler, year = ""] = dayFirst;
    const month = monthNamed(name);
    const isFilled = filler === undefined || dateFillers.has(filler.toLowerCase());
    if (month !== undefined && isFilled && (weekday === undefined || isWeekday(weekday)))
      return dateOf("name", dayFirst.slice(6), () => [year, String(month), day]);
  }
  const monthFirst = nameDayYear.exec(text);
  if (!monthFirst) return undefined;
  const [, weekday, name = "", day = "", year = ""] = monthFirst;
  const month = monthNamed(name);
  if (month === undefined || (weekday !== undefined && !isWeekday(weekday))) return undefined;
  return dateOf("name", monthFirst.slice(5), () => [year, String(month), day]);
}

/** Creates a date from the groups of its clock, and a function that orders year, month and day. */
function dateOf(
  kind: DateKind,
  clockParts: readonly (string | undefined)[],
  ordered: (order: DateOrder | undefined) => readonly [string, string, string] | undefined,
): DateText | undefined {
  const [hour, minute, second, fraction, half, zone] = clockParts;
  // An hour alone is a time only with AM or PM.
  if (hour !== undefined && minute === undefined && half === undefined) return undefined;
  const timeMs = timeOf({ hour, minute, second, fraction, half });
  const offsetMs = zone === undefined ? undefined : offsetOf(zone);
  if (timeMs === undefined || (zone !== undefined && offsetMs === undefined)) return undefined;
  return {
    kind,
    isTimed: hour !== undefined,
    at(order, timeZone) {
      const parts = ordered(order);
      if (!parts) return undefined;
      const [year, month, day] = parts;
      const wall: WallTime = {
        year: year.length === 2 ? fullYear(year) : Number(year),
        month: Number(month),
        day: Number(day),
        timeMs,
        ...(offsetMs !== undefined && { offsetMs }),
      };
      return instantOfWallTime(wall, timeZone);
    },
  };
}

/** Returns the year of two digits: 69 to 99 are 1969 to 1999, and 00 to 68 are 2000 to 2068, as in POSIX. */
export function fullYear(text: string): number {
  const year = Number(text);
  return year < 69 ? 2000 + year : 1900 + year;
}

interface Clock {
  readonly hour: string | undefined;
  readonly minute: string | undefined;
  readonly second: string | undefined;
  readonly fraction: string | undefined;
  readonly half: string | undefined;
}

/** Returns milliseconds since midnight; undefined for a time that does not exist. */
function timeOf({ hour = "0", minute = "0", second = "0", fraction = "", half }: Clock) {
  let hours = Number(hour);
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return undefined;
    hours = (hours % 12) + (/^p/i.test(half) ? 12 : 0);
  }
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = (hours * 60 + Number(minute)) * 60 + Number(second);
  return seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Returns the milliseconds of an offset such as `Z`, `GMT` or `+02:00`; undefined if it does not exist. */
export function offsetOf(zone: string): number | undefined {
  const digits = zone.replace(/^(?:GMT|UTC)(?=[+-])/i, "");
  if (!/^[+-]/.test(digits)) return 0;
  const [hours, minutes] = [
    Number(digits.slice(1, 3)),
    Number(digits.slice(3).replace(":", "") || "0"),
  ];
  if (hours > 23 || minutes > 59) return undefined;
  return (digits.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
