import { splitNumber } from "./splitNumber.ts";
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
    const found = splitNumber(trim(text));
    if (!found || !shape.test(found.digits)) return NaN;
    const { digits, exponent, unit, isNegative } = found;
    const plain = (between ? digits.replace(between, "") : digits).replace(",", ".");
    // The exponent moves by two digits, so that 29% is the double 0.29.
    const power = BigInt(exponent.slice(1)) - (unit === "%" ? 2n : 0n);
    const value = Number(`${plain}e${power}`);
    return isNegative ? -value : value;
  };
}
