import type { DataType } from "../protocol/index.ts";
import { epochUnitMs, readEpoch, readFormattedDate } from "./dateFormat.ts";
import { readBoolean } from "./readBoolean.ts";
import { splitDate, type DateOrder } from "./readDate.ts";
import { readDuration } from "./readDuration.ts";
import { readNumber, type NumberForms } from "./readNumber.ts";

/** Describes how the strings of a source, or of a column, represent values. */
export interface ValueForms extends NumberForms {
  /** The order of day, month and year in dates of three numbers. Absent: these are not read as dates. */
  readonly dates?: DateOrder;
  /**
   * The only format of dates, such as `%d.%m.%Y`, `epoch seconds` or `epoch milliseconds`. Absent: the usual formats.
   */
  readonly format?: string;
  /** IANA name of the zone of times without an offset. Absent: UTC. */
  readonly timeZone?: string;
  /** Strings that mean null, such as `NA`. */
  readonly nulls?: ReadonlySet<string>;
  /** Reads numbers as durations in seconds, or text as `true` and `false`. */
  readonly reading?: "duration" | "boolean";
}

/**
 * Converts a value of a source to a logical type. Returns a number, milliseconds since 1970-01-01T00:00:00Z, a string,
 * or null. An empty string becomes null, except as text. Undefined if the value cannot be converted.
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
      return forms.reading === "boolean" ? booleanOf(value) : textOf(value);
  }
}

function numberOf(value: unknown, forms: ValueForms): number | null | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string") return undefined;
  const number = readNumber(value, forms);
  return number === undefined && forms.reading === "duration" ? readDuration(value) : number;
}

function instantOf(value: unknown, forms: ValueForms): number | null | undefined {
  const { dates, format, timeZone } = forms;
  if (value instanceof Date) {
    const at = value.getTime();
    return Number.isNaN(at) ? null : at;
  }
  if (typeof value === "number" || typeof value === "bigint") {
    const unitMs = format === undefined ? undefined : epochUnitMs(format);
    return unitMs === undefined ? undefined : readEpoch(value, unitMs);
  }
  if (typeof value !== "string") return undefined;
  if (value.trim() === "") return null;
  if (format !== undefined) return readFormattedDate(value, format, timeZone);
  return splitDate(value)?.at(dates, timeZone);
}

function booleanOf(value: unknown): string | null | undefined {
  if (typeof value === "string" && value.trim() === "") return null;
  return readBoolean(value);
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
