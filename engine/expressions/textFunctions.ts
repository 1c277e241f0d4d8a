import type { TextMatch } from "../column/texts/matchBytes.ts";
import { compileNumberFormat } from "./compileNumberFormat.ts";
import { matchText } from "./matchText.ts";
import { textLimit, type ScalarFunction } from "./scalarFunction.ts";
import { trim, trimEnd, trimStart } from "./whiteSpace.ts";

/**
 * Functions of strings. Lengths and positions count code points, and positions start at 1. Counts are truncated to
 * whole numbers.
 */
export const textFunctions = {
  concat: {
    parameters: ["text", "text"],
    repeated: "text",
    result: "text",
    bind:
      () =>
      (...texts: string[]) =>
        bounded(texts.join("")),
  },
  length: {
    parameters: ["text"],
    result: "number",
    bind: () => countPoints,
  },
  lower: ofText((text) => text.toLowerCase()),
  upper: ofText((text) => text.toUpperCase()),
  trim: ofText(trim),
  trimStart: ofText(trimStart),
  trimEnd: ofText(trimEnd),
  left: {
    parameters: ["text", "number"],
    result: "text",
    bind: () => (text: string, count: number) => slice(text, 0, Math.trunc(count)),
  },
  right: {
    parameters: ["text", "number"],
    result: "text",
    bind: () => (text: string, count: number) => {
      const points = [...text];
      return points.slice(Math.max(0, points.length - Math.max(0, Math.trunc(count)))).join("");
    },
  },
  /** Positions before the first character count toward the requested length, but contribute no characters. */
  substring: {
    parameters: ["text", "number", "number"],
    result: "text",
    bind: () => (text: string, position: number, count: number) => {
      const start = Math.trunc(position) - 1;
      return slice(text, start, start + Math.trunc(count));
    },
  },
  /** An empty search string is never found. */
  replace: {
    parameters: ["text", "text", "text"],
    result: "text",
    bind: () => (text: string, found: string, by: string) => {
      if (found === "") return text;
      const parts = text.split(found);
      const length = text.length + (parts.length - 1) * (by.length - found.length);
      return length > Math.max(text.length, textLimit) ? null : parts.join(by);
    },
  },
  /** Returns 0 if the string does not occur. */
  position: {
    parameters: ["text", "text"],
    result: "number",
    bind: () => (text: string, part: string) => {
      const index = text.indexOf(part);
      return index < 0 ? 0 : countPoints(text.slice(0, index)) + 1;
    },
  },
  padStart: {
    parameters: ["text", "number", "text"],
    result: "text",
    bind: () => (text: string, count: number, by: string) => {
      const missing = padding(text, count, by);
      return missing === null ? null : missing + slice(text, 0, Math.trunc(count));
    },
  },
  padEnd: {
    parameters: ["text", "number", "text"],
    result: "text",
    bind: () => (text: string, count: number, by: string) => {
      const missing = padding(text, count, by);
      return missing === null ? null : slice(text, 0, Math.trunc(count)) + missing;
    },
  },
  repeat: {
    parameters: ["text", "number"],
    result: "text",
    bind: () => (text: string, count: number) => {
      const times = Math.max(0, Math.trunc(count));
      if (text === "" || times === 0) return "";
      return text.length * times > textLimit ? null : text.repeat(times);
    },
  },
  reverse: ofText((text) => [...text].toReversed().join("")),
  /** Parts are numbered from 1. A part that does not exist is an empty string. */
  splitPart: {
    parameters: ["text", "text", "number"],
    result: "text",
    bind: () => (text: string, separator: string, part: number) =>
      (separator === "" ? [text] : text.split(separator))[Math.trunc(part) - 1] ?? "",
  },
  /** Returns 1 if the second string occurs in the first, otherwise 0. Ignores case, as `match` does. */
  contains: test("contains"),
  startsWith: test("startsWith"),
  endsWith: test("endsWith"),
  /** Returns the number that a decimal string represents; null for other strings. */
  toNumber: {
    parameters: ["text"],
    result: "number",
    bind: () => (text: string) => {
      const spelled = trim(text);
      return decimal.test(spelled) ? Number(spelled) : NaN;
    },
  },
  /** Returns the number that a string with these marks represents; null for other strings. */
  parseNumber: {
    parameters: ["text", "decimalMark", "thousandsMark"],
    result: "number",
    bind: ([decimal, thousands]) => compileNumberFormat(decimal, thousands),
  },
  /** Returns the shortest decimal string that represents the number, as in ECMAScript. */
  numberText: {
    parameters: ["number"],
    result: "text",
    bind: () => (value: number) => String(value),
  },
} as const satisfies Readonly<Record<string, ScalarFunction>>;

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function ofText(row: (text: string) => string | null): ScalarFunction {
  return { parameters: ["text"], result: "text", bind: () => row };
}

function test(match: TextMatch): ScalarFunction {
  return {
    parameters: ["text", "text"],
    result: "number",
    bind: () => {
      let part: string | undefined;
      let matches = matchText(match, "");
      return (text: string, sought: string) => {
        if (sought !== part) matches = matchText(match, (part = sought));
        return matches(text) ? 1 : 0;
      };
    },
  };
}

function bounded(text: string): string | null {
  return text.length > textLimit ? null : text;
}

/** Returns whether a string has no surrogates, so that each UTF-16 unit is a code point. */
function isSimple(text: string): boolean {
  for (let index = 0; index < text.length; index++)
    if ((text.charCodeAt(index) & 0xf800) === 0xd800) return false;
  return true;
}

function countPoints(text: string): number {
  return isSimple(text) ? text.length : [...text].length;
}

/** Returns the code points from index `start` to before index `end`. Both indices may be outside the string. */
function slice(text: string, start: number, end: number): string {
  const from = Math.max(0, start);
  if (end <= from) return "";
  return isSimple(text) ? text.slice(from, end) : [...text].slice(from, end).join("");
}

/** Returns the padding that extends a string to `count` code points; null if the result would be too long. */
function padding(text: string, count: number, by: string): string | null {
  const missing = Math.trunc(count) - countPoints(text);
  if (missing <= 0 || by === "") return "";
  if (text.length + missing > textLimit) return null;
  const points = [...by];
  return slice(by.repeat(Math.ceil(missing / points.length)), 0, missing);
}
