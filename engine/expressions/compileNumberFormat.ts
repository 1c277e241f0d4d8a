import { trim } from "./whiteSpace.ts";

/** The decimal marks and the separators of thousands. The empty string means that there is no separator. */
export const decimalMarks: readonly string[] = [".", ","];
export const thousandsMarks: readonly string[] = ["", ",", ".", " ", "'"];

/** Spaces that separate digits: the usual one, the no-break space, the thin space and the narrow no-break space. */
const spaces = " \u00a0\u2009\u202f";
const separators: Readonly<Record<string, string>> = {
  ",": ",",
  ".": "\\.",
  " ": `[${spaces}]`,
  "'": "['\u2019]",
};

const sign = String.raw`[+\-\u2212]`;
const blanks = String.raw`\p{White_Space}*`;
const currency = String.raw`\p{L}{0,3}\p{Sc}`;
/** The digits with their marks. An assertion never shortens what it matched, so that long blanks take linear time. */
const run = String.raw`(?=(\d[\d.,'\u2019${spaces}]*|[.,]\d+))\5`;
const number = new RegExp(
  [
    String.raw`^(\()?(${sign})?${blanks}`,
    String.raw`(?:(${currency}|[A-Z]{3}(?=[\p{White_Space}\d+\-\u2212]))${blanks})?(?:(${sign})${blanks})?`,
    String.raw`${run}(?:[eE]([+-]?\d+))?${blanks}(%|${currency}|[A-Z]{3})?(\))?$`,
  ].join(""),
  "u",
);
/** Longer strings are not numbers. */
const longestText = 400;

/**
 * Compiles the marks of numbers into a function that parses a string such as `1.234,56 €`, `(12)` or `12%`; NaN for
 * other strings. Equal marks give a function that always returns NaN.
 */
export function compileNumberFormat(decimal: string, thousands: string): (text: string) => number {
  if (decimal === thousands) return () => NaN;
  const mark = decimal === "," ? "," : "\\.";
  const separator = separators[thousands];
  // Indian numbers have groups of two digits before the last three.
  const grouped = separator ? `|\\d{1,3}(?:${separator}\\d{2,3})*${separator}\\d{3}` : "";
  const shape = new RegExp(`^(?:(?:\\d+${grouped})(?:${mark}\\d*)?|${mark}\\d+)$`);
  const between = separator ? new RegExp(separator, "g") : undefined;
  return (text) => {
    const trimmed = trim(text);
    const match = trimmed.length <= longestText ? number.exec(trimmed) : null;
    if (!match) return NaN;
    const [, open, outer, before, inner, written, exponent = "0", after, close] = match;
    if ((open === undefined) !== (close === undefined)) return NaN;
    if ([open, outer, inner].filter((each) => each !== undefined).length > 1) return NaN;
    if (before !== undefined && after !== undefined) return NaN;
    if (!isUnit(before ?? after)) return NaN;
    const digits = written.trimEnd();
    if (!shape.test(digits)) return NaN;
    const plain = (between ? digits.replace(between, "") : digits).replace(",", ".");
    // The exponent moves by two digits, so that 29% is the double 0.29.
    const power = after === "%" ? BigInt(exponent) - 2n : exponent;
    const value = Number(`${plain}e${power}`);
    return open !== undefined || (outer ?? inner ?? "+") !== "+" ? -value : value;
  };
}

let currencies: ReadonlySet<string> | undefined;

/** Returns whether the text next to a number is a unit. A code of three capitals must be an ISO 4217 currency. */
function isUnit(unit: string | undefined): boolean {
  if (unit === undefined || !/^[A-Z]{3}$/.test(unit)) return true;
  currencies ??= new Set(Intl.supportedValuesOf("currency"));
  return currencies.has(unit);
}
