import { isWeekday, monthNamed } from "../../protocol/index.ts";
import { longestDate } from "../readDate.ts";
import type { ValueForms } from "../readValue.ts";

/**
 * What a string in a usual form is: a plain number, a date or an instant in ISO 8601, or words that are neither a
 * number nor a date.
 */
export type UsualValue = "number" | "day" | "instant" | "words";

/** Returns whether `usualValue` decides the strings of a column with these forms. */
export function isUsualColumn(forms: ValueForms): boolean {
  const { decimalComma, thousands, unit, nulls, format, timeZone, reading } = forms;
  return (
    decimalComma !== true &&
    thousands !== "point" &&
    unit !== "%" &&
    [nulls, format, timeZone, reading].every((form) => form === undefined)
  );
}

const [minus, point, zero, nine, dash, colon] = [45, 46, 48, 57, 45, 58];
const [space, letterT, letterZ] = [32, 84, 90];
/** Digits of numbers that have neither a leading zero nor so many digits that they may be identifiers. */
const mostDigits = 15;
/** Four letters at the start show that a string is not a number. */
const leastLetters = 4;

/**
 * Decides the most common strings without regular expressions: returns what `readNumber` and `splitDate` find.
 * Undefined for all other strings.
 */
export function usualValue(text: string): UsualValue | undefined {
  const first = text.charCodeAt(0);
  if (isDigit(first) || first === minus) {
    if (text.length >= 10 && text.charCodeAt(4) === dash) return usualInstant(text);
    return isPlainNumber(text, first === minus ? 1 : 0) ? "number" : undefined;
  }
  return isWords(text) ? "words" : undefined;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

function isPlainNumber(text: string, from: number): boolean {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  const count = at - from;
  if (count === 0 || count > mostDigits || (count > 1 && text.charCodeAt(from) === zero))
    return false;
  if (at === text.length) return true;
  if (text.charCodeAt(at) !== point || at + 1 === text.length) return false;
  do at++;
  while (isDigit(text.charCodeAt(at)));
  return at === text.length;
}

const daysIn = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function usualInstant(text: string): UsualValue | undefined {
  const { length } = text;
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  // NaN, which stands for characters that are not digits, fails these tests.
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1)) return undefined;
  if (!(day <= daysIn[month - 1]! + (month === 2 && isLeap ? 1 : 0))) return undefined;
  if (text.charCodeAt(7) !== dash) return undefined;
  if (length === 10) return "day";
  const mark = text.charCodeAt(10);
  if (length < 16 || (mark !== letterT && mark !== space) || text.charCodeAt(13) !== colon)
    return undefined;
  if (!(twoDigits(text, 11) <= 23 && twoDigits(text, 14) <= 59)) return undefined;
  let at = 16;
  if (text.charCodeAt(at) === colon) {
    if (!(twoDigits(text, 17) <= 59)) return undefined;
    at = 19;
    if (text.charCodeAt(at) === point) {
      const digits = at + 1;
      do at++;
      while (isDigit(text.charCodeAt(at)));
      if (at === digits || at > digits + 9) return undefined;
    }
  }
  if (text.charCodeAt(at) === letterZ) at++;
  return at === length ? "instant" : undefined;
}

/** Returns the number of two digits; NaN if a character is not a digit. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const ones = text.charCodeAt(at + 1) - zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** The units of at least four letters that may precede a number. */
const units = new Set(["Euro", "Euros", "euro", "euros"]);
/** Whether words can begin a date or a number. Bounded, because files may contain any words. */
const wordsOfValues = new Map<string, boolean>();
const mostWords = 4096;

/** Returns whether a string begins with four letters, and not with the name of a month, a weekday or a unit. */
function isWords(text: string): boolean {
  let at = 0;
  while (isLetter(text.charCodeAt(at))) at++;
  // Further letters may follow, which would be part of the word.
  if (at < leastLetters || text.charCodeAt(at) > 127) return false;
  if (text.length > longestDate) return text.trim().length > longestDate;
  const word = text.slice(0, at);
  let isOfValues = wordsOfValues.get(word);
  if (isOfValues === undefined) {
    isOfValues = monthNamed(word) !== undefined || isWeekday(word) || units.has(word);
    if (wordsOfValues.size < mostWords) wordsOfValues.set(word, isOfValues);
  }
  return !isOfValues;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}
