import { trim, trimStart } from "./whiteSpace.ts";

/** Longer strings are not numbers. */
const longestText = 400;

/** The characters that can stand for a separator of thousands. Other separators stand only for themselves. */
const separators: Readonly<Record<string, string>> = {
  " ": " \u00a0\u2009\u202f",
  "'": "'\u2019",
};
/** All characters that can occur between digits. */
const marks = `.,${separators[" "]}${separators["'"]}`;
const signs = "+-\u2212";

const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

let currencies: ReadonlySet<string> | undefined;
const isCurrency = (code: string): boolean =>
  (currencies ??= new Set(Intl.supportedValuesOf("currency"))).has(code);

/** Reads a number with the given marks. Null for strings that are not such a number, and for equal marks. */
export function parseNumber(text: string, decimal: string, thousands: string): number | null {
  let rest = trim(text);
  if (rest.length > longestText || decimal === thousands) return null;
  const take = (length: number): string => {
    const taken = rest.slice(0, length);
    rest = rest.slice(length);
    return taken;
  };
  const takeSign = (): string => (rest !== "" && signs.includes(rest.charAt(0)) ? take(1) : "");

  const isInParentheses = rest.startsWith("(");
  if (isInParentheses) take(1);
  let sign = takeSign();
  rest = trimStart(rest);
  const before = take(currencyLength(rest, true));
  rest = trimStart(rest);
  // A sign follows the currency, or precedes the number by a blank.
  const inner = takeSign();
  if (sign !== "" && inner !== "") return null;
  sign += inner;
  if (isInParentheses && sign !== "") return null;
  rest = trimStart(rest);

  let length = 0;
  while (
    length < rest.length &&
    (isDigits(rest.charAt(length)) || marks.includes(rest.charAt(length)))
  )
    length++;
  const digits = trim(take(length));
  const written = digitsOf(digits, decimal, thousands);
  if (written === undefined) return null;
  const exponent = /^[eE]([+-]?[0-9]+)/.exec(rest);
  take(exponent?.[0].length ?? 0);
  rest = trimStart(rest);
  const isPercent = rest.startsWith("%");
  const after = take(isPercent ? 1 : currencyLength(rest, false));
  if (before !== "" && after !== "") return null;
  for (const unit of [before, after]) if (/^[A-Z]{3}$/.test(unit) && !isCurrency(unit)) return null;
  if (rest !== (isInParentheses ? ")" : "")) return null;
  const power = BigInt(exponent?.[1] ?? 0) - (isPercent ? 2n : 0n);
  const value = Number(`${written}e${power}`);
  return isInParentheses || (sign !== "" && sign !== "+") ? -value : value;
}

/**
 * Returns the length of the currency at the start of a string: a currency sign after at most three letters, or a code
 * of three capitals. In front of a number, a blank, a digit or a sign must follow the code.
 */
function currencyLength(text: string, isBefore: boolean): number {
  const points = Array.from(text);
  for (let at = 0; at <= 3; at++) {
    const point = points[at] ?? "";
    if (/\p{Sc}/u.test(point)) return points.slice(0, at + 1).join("").length;
    if (!/\p{L}/u.test(point)) break;
  }
  if (!/^[A-Z]{3}/.test(text)) return 0;
  return !isBefore || /^[\p{White_Space}0-9+\-\u2212]/u.test(text.slice(3)) ? 3 : 0;
}

/** Returns digits without separators and with a decimal point. Undefined if the marks are not where they belong. */
function digitsOf(text: string, decimal: string, thousands: string): string | undefined {
  const [whole = "", fraction = "0", ...more] = text.split(decimal);
  if (more.length > 0 || !/^[0-9]*$/.test(fraction)) return undefined;
  if (whole === "") return text.includes(decimal) && fraction !== "" ? `0.${fraction}` : undefined;
  if (isDigits(whole)) return `${whole}.${fraction}`;
  const separator = thousands === "" ? "" : (separators[thousands] ?? thousands);
  const groups: string[] = [""];
  for (const character of whole)
    if (separator.includes(character)) groups.push("");
    else groups.push(`${groups.pop() ?? ""}${character}`);
  // Indian numbers have groups of two digits before the last three.
  const [first = "", ...others] = groups;
  const last = others.pop() ?? "";
  const isGrouped =
    [first, ...others, last].every(isDigits) &&
    first.length <= 3 &&
    last.length === 3 &&
    others.every((group) => group.length === 2 || group.length === 3);
  return isGrouped ? `${groups.join("")}.${fraction}` : undefined;
}
