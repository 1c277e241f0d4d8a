import {
  dateDirectives,
  isWeekday,
  monthNamed,
  splitDateFormat,
  type DateDirective,
  type DateFormatPart,
  type DateFormatToken,
} from "../protocol/index.ts";
import { trim } from "./whiteSpace.ts";

/** Longer strings are not dates. */
const longestText = 200;

/** Reads a datetime in a format of directives, as milliseconds in UTC. Null for strings that do not fit the format. */
export function parseDate(text: string, format: string): number | null {
  const tokens = splitDateFormat(format);
  const written = trim(text);
  if (typeof tokens === "string" || written.length > longestText) return null;
  const heads = matchTokens(written, tokens);
  if (!heads) return null;
  const parts: Partial<Record<DateFormatPart, number>> = {};
  for (const [index, { directive }] of tokens.entries()) {
    if (directive === undefined) continue;
    const value = valueOf(directive, heads[index] ?? "");
    if (value === undefined) return null;
    parts[dateDirectives[directive]] = value;
  }
  return instantOf(parts) ?? null;
}

/**
 * Splits a string into one substring per token. Each token takes the first substring that lets the remaining tokens
 * match. Undefined if the string does not fit.
 */
function matchTokens(
  text: string,
  [token, ...rest]: readonly DateFormatToken[],
): readonly string[] | undefined {
  if (!token) return text === "" ? [] : undefined;
  for (const head of headsOf(token, text)) {
    const found = matchTokens(text.slice(head.length), rest);
    if (found) return [head, ...found];
  }
  return undefined;
}

/** Returns the substrings at the start of a string that a token can take, the preferred ones first. */
function headsOf({ directive, character = "" }: DateFormatToken, text: string): readonly string[] {
  if (directive !== undefined) return directiveHeads(directive, text);
  const [first = ""] = text;
  const isSame = /\p{White_Space}/u.test(character)
    ? /\p{White_Space}/u.test(first)
    : new RegExp(`^${RegExp.escape(character)}$`, "iu").test(first);
  return isSame ? [first] : [];
}

function directiveHeads(directive: DateDirective, text: string): readonly string[] {
  switch (directive) {
    case "Y":
      return digitsOf(text, 4, 4);
    case "y":
    case "M":
    case "S":
      return digitsOf(text, 2, 2);
    case "L":
      return digitsOf(text, 3, 3);
    case "m":
    case "d":
    case "H":
    case "I":
      return digitsOf(text, 1, 2);
    case "j":
      return digitsOf(text, 1, 3);
    case "f":
      return digitsOf(text, 1, 9);
    case "e":
      return text.startsWith(" ")
        ? digitsOf(text.slice(1), 1, 2).map((digits) => ` ${digits}`)
        : digitsOf(text, 1, 2);
    case "p":
      return startsOf(
        text,
        ["a", "p"].flatMap((half) => [`${half}.m.`, `${half}.m`, `${half}m.`, `${half}m`]),
      );
    case "b":
    case "B":
    case "a":
    case "A":
      return wordsOf(text);
    case "Z": {
      const [sign = "", ...after] = text;
      if (sign !== "+" && sign !== "-") return startsOf(text, ["utc", "gmt", "z"]);
      const [hours] = digitsOf(after.join(""), 2, 2);
      if (hours === undefined) return [];
      const rest = after.slice(2).join("");
      const colon = rest.startsWith(":") ? ":" : "";
      const minutes = digitsOf(rest.slice(colon.length), 2, 2);
      return [...minutes.map((each) => sign + hours + colon + each), sign + hours];
    }
  }
}

/** Returns the digits at the start of a string, most digits first. */
function digitsOf(text: string, fewest: number, most: number): readonly string[] {
  let count = 0;
  while (count < most && /[0-9]/.test(text.charAt(count))) count++;
  const heads = [];
  for (let length = count; length >= fewest; length--) heads.push(text.slice(0, length));
  return heads;
}

/** Returns the letters at the start of a string, most letters first, with and without a point. */
function wordsOf(text: string): readonly string[] {
  const heads = [];
  let word = "";
  for (const letter of text) {
    if (!/[\p{L}\p{M}]/u.test(letter)) break;
    word += letter;
    heads.unshift(...(text.charAt(word.length) === "." ? [`${word}.`, word] : [word]));
  }
  return heads;
}

/** Returns the start of a string if it is one of the words, which are in lower case. Ignores case. */
function startsOf(text: string, words: readonly string[]): readonly string[] {
  return words
    .map((word) => text.slice(0, word.length))
    .filter((start, at) => start.toLowerCase() === words[at]);
}

/** Returns the value of a directive. Undefined if the name or the offset is unknown. */
function valueOf(directive: DateDirective, head: string): number | undefined {
  switch (directive) {
    case "y":
      return Number(head) + (Number(head) >= 69 ? 1900 : 2000);
    case "b":
    case "B":
      return monthNamed(head);
    case "a":
    case "A":
      return isWeekday(head) ? 0 : undefined;
    case "f":
      return Math.floor(Number(`0.${head}`) * 1000 + 1e-9);
    case "p":
      return head.toLowerCase().startsWith("p") ? 12 : 0;
    case "Z": {
      if (!/^[+-]/.test(head)) return 0;
      const digits = head.replace(":", "");
      const hours = Number(digits.slice(1, 3));
      const minutes = Number(digits.slice(3));
      if (hours > 23 || minutes > 59) return undefined;
      return (digits.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
    }
    case "Y":
    case "m":
    case "d":
    case "e":
    case "j":
    case "H":
    case "I":
    case "M":
    case "S":
    case "L":
      return Number(head);
  }
}

/** Returns the instant of a date and time, in milliseconds. Undefined if the calendar or the clock does not have it. */
function instantOf(parts: Partial<Record<DateFormatPart, number>>): number | undefined {
  const { year = 1970, month = 1, day = 1, dayOfYear, half, zone = 0 } = parts;
  const { hour: shown = 0, minute = 0, second = 0, fraction: millisecond = 0 } = parts;
  if (half !== undefined && (shown < 1 || shown > 12)) return undefined;
  const hour = half === undefined ? shown : (shown % 12) + half;
  try {
    const date =
      dayOfYear === undefined
        ? Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" })
        : Temporal.PlainDate.from({ year, month: 1, day: 1 }).add({ days: dayOfYear - 1 });
    if (date.year !== year) return undefined;
    const time = { hour, minute, second, millisecond };
    const clock = Temporal.PlainTime.from(time, { overflow: "reject" });
    return date.toZonedDateTime({ timeZone: "UTC", plainTime: clock }).epochMilliseconds - zone;
  } catch (failure) {
    if (failure instanceof RangeError) return undefined;
    throw failure;
  }
}
