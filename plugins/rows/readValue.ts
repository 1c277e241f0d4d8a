import { exactNumber, millisecondsOf, type DataType } from "../protocol/index.ts";

/** Describes how strings of a source represent values. */
export interface ValueForms {
  /**
   * The order of day, month and year in dates that are not ISO 8601. Absent: only ISO 8601 strings are read as dates.
   */
  readonly dates?: "DMY" | "MDY";
  /** Whether numbers have a decimal comma. */
  readonly decimalComma?: boolean;
  /** Strings that mean null, such as `NA`. */
  readonly nulls?: ReadonlySet<string>;
}

const pointNumber = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const commaNumber = /^\s*[+-]?(?:\d+(?:,\d*)?|,\d+)(?:[eE][+-]?\d+)?\s*$/;

/**
 * Converts a value of a source to a logical type. Returns a number, milliseconds since 1970-01-01T00:00:00Z, a string,
 * or null. An empty string becomes null, except as text. Undefined if the value cannot be converted, or if it is a whole
 * number beyond 2^53 that would lose digits.
 */
export function readValue(
  value: unknown,
  type: DataType,
  forms: ValueForms,
): number | string | null | undefined {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" && forms.nulls?.has(value)) return null;
  switch (type) {
    case "numeric":
      return numberOf(value, forms);
    case "datetime":
      return instantOf(value, forms);
    case "hierarchy":
      return textOf(value);
  }
}

function numberOf(value: unknown, { decimalComma }: ValueForms): number | null | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return exactNumber(value);
  if (typeof value !== "string") return undefined;
  if (!(decimalComma ? commaNumber : pointNumber).test(value))
    return value.trim() === "" ? null : undefined;
  const number = Number(decimalComma ? value.replace(",", ".") : value);
  return Number.isFinite(number) ? number : undefined;
}

function instantOf(value: unknown, { dates }: ValueForms): number | null | undefined {
  if (value instanceof Date) {
    const at = value.getTime();
    return Number.isNaN(at) ? null : at;
  }
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (text === "") return null;
  return millisecondsOf(text) ?? (dates && millisecondsOf(isoOf(text, dates)));
}

const threeNumbers = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(.*)$/s;

/** Returns whether a string looks like a date in which the order of day and month is ambiguous. */
export function isOrderedDate(text: string): boolean {
  return (
    millisecondsOf(isoOf(text, "DMY")) !== undefined ||
    millisecondsOf(isoOf(text, "MDY")) !== undefined
  );
}

/** Converts a date such as `5/1/2024 9:30` to an ISO string. Returns other strings unchanged. */
function isoOf(text: string, order: "DMY" | "MDY"): string {
  const match = threeNumbers.exec(text);
  if (!match) return "";
  const [, first = "", , second = "", year = "", rest = ""] = match;
  const [day, month] = order === "DMY" ? [first, second] : [second, first];
  const clock = rest.replace(/^([T ])(\d):/, "$10$2:");
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${clock}`;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : isoText(value);
  if (typeof value === "object") return JSON.stringify(value, jsonValue);
  return String(value);
}

/** Converts a value for JSON. Integers beyond the range of doubles keep all digits, and bytes become hexadecimal. */
function jsonValue(_: string, value: unknown): unknown {
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}

/** Writes a Date as an ISO string. Writes a Date at midnight as a date without a time, which has ten characters. */
function isoText(at: Date): string {
  const text = at.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, -14) : text;
}
