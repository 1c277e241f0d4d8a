import { EngineError } from "../../errors.ts";
import type { DataType, BatchColumn } from "../../types.ts";

/** The name of a column and its first row, for error messages. */
export interface BatchColumnPlace {
  readonly name: string;
  readonly firstRow: number;
}

const latestMs = 8.64e15;

/**
 * Converts values to another type if the conversion is exact. Null stays null.
 *
 * - Numbers and strings: a number becomes its shortest decimal string, and -0 becomes `0`. A string becomes a number if
 * a double represents its decimal exactly. This is true of `1.50` and `1e3`, but not of `0.1234567890123456789` or
 * `9007199254740993`.
 * - Datetimes and strings: a datetime becomes a string such as `2026-01-31T12:00:00.000Z`. A string becomes a datetime
 * if it is a day, or a day and a time of at most millisecond precision. A string without a zone is read as UTC.
 * - Datetimes and numbers: a datetime becomes its milliseconds since 1970. A number becomes a datetime if it is whole
 * and within ±8.64e15.
 *
 * @throws {EngineError} COLUMN_TYPE with the row and the value
 */
export function convertBatchColumn(
  column: BatchColumn,
  type: DataType,
  place: BatchColumnPlace,
): BatchColumn {
  if (column.type === type) return column;
  const refuse = (row: number, value: string) =>
    new EngineError("COLUMN_TYPE", [place.name, `${value} in row ${place.firstRow + row}`, type]);
  if (column.type === "text") {
    const parse = type === "number" ? parseNumber : parseDatetime;
    const known = new Map<number, number>();
    const values = new Float64Array(column.codes.length).fill(NaN);
    column.codes.forEach((code, row) => {
      if (code < 0) return;
      let value = known.get(code);
      if (value === undefined) {
        value = parse(column.dictionary[code]);
        if (value === undefined) throw refuse(row, JSON.stringify(column.dictionary[code]));
        known.set(code, value);
      }
      values[row] = value;
    });
    return type === "number" ? { type, values } : { type: "datetime", values };
  }
  const { values } = column;
  if (type === "text") {
    const show = column.type === "number" ? String : (ms: number) => new Date(ms).toISOString();
    return toTexts(values, show);
  }
  if (type === "number") return { type, values };
  values.forEach((value, row) => {
    if (value === value && !(Number.isInteger(value) && Math.abs(value) <= latestMs))
      throw refuse(row, String(value));
  });
  return { type: "datetime", values };
}

function toTexts(values: Float64Array, show: (value: number) => string): BatchColumn {
  const dictionary: string[] = [];
  const known = new Map<number, number>();
  const codes = new Int32Array(values.length).fill(-1);
  values.forEach((value, row) => {
    if (value !== value) return;
    const code = known.get(value) ?? dictionary.push(show(value)) - 1;
    known.set(value, code);
    codes[row] = code;
  });
  return { type: "text", codes, dictionary };
}

const decimalText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Returns the number that a decimal string represents; undefined if the shortest string of that double has different
 * digits.
 */
function parseNumber(text: string): number | undefined {
  const value = /\d/.test(text) && decimalText.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) return undefined;
  const wanted = normalize(text);
  return wanted !== undefined && wanted === normalize(String(value)) ? value : undefined;
}

/** Returns a decimal as its significant digits and the power of ten of the last digit. */
function normalize(text: string): string | undefined {
  const match = decimalText.exec(text);
  if (!match) return undefined;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

const datetimeText =
  /^(\d{4}|[+-]\d{6})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Returns the UTC milliseconds of an existing day, or of a day and a time; otherwise undefined. */
function parseDatetime(text: string): number | undefined {
  const match = datetimeText.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = "00", minute = "00", second = "00", fraction = "0"] = match;
  const zone = match[8] ?? "Z";
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}Z`;
  const localMs = Date.parse(local);
  const exists = Number.isFinite(localMs) && new Date(localMs).toISOString() === local;
  if (!exists) return undefined;
  const ms = zone === "Z" ? localMs : Date.parse(local.slice(0, -1) + zone);
  return Number.isFinite(ms) ? ms : undefined;
}
