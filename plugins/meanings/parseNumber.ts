import { splitNumber } from "../protocol/index.ts";
import { trim } from "./whiteSpace.ts";

/** The characters that can stand for a separator of thousands. Other separators stand only for themselves. */
const separators: Readonly<Record<string, string>> = {
  " ": " \u00a0\u2009\u202f",
  "'": "'\u2019",
};
const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

/** Reads a number with the given marks. Null for strings that are not such a number, and for equal marks. */
export function parseNumber(text: string, decimal: string, thousands: string): number | null {
  const found = decimal === thousands ? undefined : splitNumber(trim(text));
  if (!found) return null;
  const digits = digitsOf(found.digits, decimal, thousands);
  if (digits === undefined) return null;
  const power = BigInt(found.exponent.slice(1)) - (found.unit === "%" ? 2n : 0n);
  const value = Number(`${digits}e${power}`);
  return found.isNegative ? -value : value;
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
