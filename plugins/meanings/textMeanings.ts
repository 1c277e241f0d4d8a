import { meaningOf, type Meaning } from "./meaning.ts";
import { parseNumber } from "./parseNumber.ts";
import { trim, trimEnd, trimStart } from "./whiteSpace.ts";

const spelledNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Maximum length of a string that a function returns, in UTF-16 code units. A longer result becomes null. */
export const longestText = 100_000;

/** Returns whether a function may return a string of this length, in UTF-16 code units. */
const fits = (length: number): boolean => length <= longestText;

const countOf = (text: string): number => Array.from(text).length;

/** Returns the code points between two indexes. */
function slice(text: string, from: number, to: number): string {
  return Array.from(text)
    .slice(Math.max(0, Math.trunc(from)), Math.max(0, Math.trunc(to)))
    .join("");
}

/**
 * Returns the padding that extends a string to the given number of code points. Undefined if the result would be too
 * long.
 */
function padding(text: string, length: number, fill: string): string | undefined {
  const missing = Math.trunc(length) - countOf(text);
  const characters = Array.from(fill);
  if (missing <= 0 || characters.length === 0) return "";
  if (!fits(text.length + missing)) return undefined;
  return Array.from({ length: missing }, (_, index) => characters[index % characters.length]).join(
    "",
  );
}

/** The string functions. They count characters as code points. */
export const textMeanings = {
  concat: (args) => {
    const length = args.reduce((sum: number, each) => sum + String(each).length, 0);
    return fits(length) ? args.join("") : null;
  },
  length: meaningOf(countOf),
  lower: meaningOf((text: string) => text.toLowerCase()),
  upper: meaningOf((text: string) => text.toUpperCase()),
  trim: meaningOf(trim),
  trimStart: meaningOf(trimStart),
  trimEnd: meaningOf(trimEnd),
  left: meaningOf((text: string, count: number) => slice(text, 0, count)),
  right: meaningOf((text: string, count: number) => {
    const length = countOf(text);
    return slice(text, length - Math.max(0, Math.trunc(count)), length);
  }),
  substring: meaningOf((text: string, position: number, length: number) => {
    const from = Math.trunc(position) - 1;
    return slice(text, from, from + Math.trunc(length));
  }),
  replace: meaningOf((text: string, sought: string, other: string) => {
    if (sought === "") return text;
    const parts = text.split(sought);
    const length = text.length + (parts.length - 1) * (other.length - sought.length);
    return length <= text.length || fits(length) ? parts.join(other) : null;
  }),
  position: meaningOf((text: string, sought: string) => {
    const index = text.indexOf(sought);
    return index < 0 ? 0 : countOf(text.slice(0, index)) + 1;
  }),
  padStart: meaningOf((text: string, length: number, fill: string) => {
    const added = padding(text, length, fill);
    return added === undefined ? null : added + slice(text, 0, length);
  }),
  padEnd: meaningOf((text: string, length: number, fill: string) => {
    const added = padding(text, length, fill);
    return added === undefined ? null : slice(text, 0, length) + added;
  }),
  repeat: meaningOf((text: string, count: number) => {
    const times = Math.max(0, Math.trunc(count));
    if (text === "" || times === 0) return "";
    return fits(text.length * times) ? text.repeat(times) : null;
  }),
  reverse: meaningOf((text: string) => Array.from(text).toReversed().join("")),
  splitPart: meaningOf((text: string, separator: string, part: number) => {
    const parts = separator === "" ? [text] : text.split(separator);
    return parts[Math.trunc(part) - 1] ?? "";
  }),
  toNumber: meaningOf((text: string) => {
    const spelled = trim(text);
    return spelledNumber.test(spelled) ? Number(spelled) : null;
  }),
  parseNumber: meaningOf(parseNumber),
  numberText: meaningOf((value: number) => String(value)),
} as const satisfies Readonly<Record<string, Meaning>>;
