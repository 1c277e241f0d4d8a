import { asciiDigits, splitNumber } from "../protocol/index.ts";

/** The separator between groups of three digits. */
export type Thousands = "none" | "comma" | "point" | "space" | "apostrophe";

/** How the strings of a column represent numbers. */
export interface NumberForms {
  /** Whether numbers have a decimal comma. */
  readonly decimalComma?: boolean;
  /**
   * The separator between groups of digits.
   * @default "none"
   */
  readonly thousands?: Thousands;
  /**
   * The sign around the numbers: a currency such as `$` or `EUR`, which a number may lack, or `%`, which each number
   * must have. Percentages are hundredths: `12%` is 0.12. Absent: numbers have no sign.
   */
  readonly unit?: string;
}

const pointNumber = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const commaNumber = /^\s*[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?\s*$/;
/** Spaces that separate digits: the usual one, the no-break space, the thin space and the narrow no-break space. */
const spaces = " \u00a0\u2009\u202f";
const groups: Readonly<Record<Thousands, string>> = {
  none: "",
  comma: ",",
  point: "\\.",
  space: `[${spaces}]`,
  apostrophe: "['’]",
};
const shapes = new Map<string, RegExp>();

/**
 * Returns the pattern of digits with a separator of thousands and a decimal mark. The last groups have three digits.
 */
function shapeOf(decimalComma: boolean, thousands: Thousands): RegExp {
  const key = `${decimalComma} ${thousands}`;
  let shape = shapes.get(key);
  if (!shape) {
    const mark = decimalComma ? "," : "\\.";
    const group = groups[thousands];
    // Indian numbers have groups of two digits before the last three.
    const grouped = group === "" ? "" : `|\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3}`;
    shape = new RegExp(`^(?:(?:\\d+${grouped})(?:${mark}\\d*)?|${mark}\\d+)$`);
    shapes.set(key, shape);
  }
  return shape;
}

/** Returns whether a string, which is a number in these forms, has separated thousands. */
export function isGrouped(text: string, { thousands = "none" }: NumberForms): boolean {
  return thousands !== "none" && new RegExp(`\\d${groups[thousands]}\\d`).test(asciiDigits(text));
}

/** Returns whether digits with marks have this form. */
export function hasForm(digits: string, decimalComma: boolean, thousands: Thousands): boolean {
  return shapeOf(decimalComma, thousands).test(digits);
}

/**
 * Converts a string to a number. Blanks around it are ignored. Null for an empty string. Undefined if it is not a
 * number in these forms, or is beyond the range of doubles.
 */
export function readNumber(text: string, forms: NumberForms): number | null | undefined {
  const { decimalComma = false, thousands = "none", unit } = forms;
  if (unit !== "%" && (decimalComma ? commaNumber : pointNumber).test(text))
    return finite(Number(decimalComma ? text.replace(",", ".") : text));
  const trimmed = text.trim();
  const found = splitNumber(trimmed);
  if (!found) return trimmed === "" ? null : undefined;
  if (found.unit === undefined ? unit === "%" : found.unit !== unit) return undefined;
  if (!hasForm(found.digits, decimalComma, thousands)) return undefined;
  const plain =
    thousands === "none"
      ? found.digits
      : found.digits.replace(new RegExp(groups[thousands], "g"), "");
  // The exponent moves by two digits, so that 29% is the double 0.29.
  const exponent = Number(found.exponent.slice(1)) - (unit === "%" ? 2 : 0);
  const value = finite(Number(`${decimalComma ? plain.replace(",", ".") : plain}e${exponent}`));
  return value === undefined ? undefined : found.isNegative ? 0 - value : value;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
