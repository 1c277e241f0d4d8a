import { setImmediate } from "node:timers/promises";
import { ApiError } from "../../base/index.ts";
import type { DateForm } from "../../resources/index.ts";
import type { DataType, BatchColumn } from "../../../plugins/protocol/index.ts";
import { parseDate } from "./parseDate.ts";

/** A column to encode: the position of its cells in a row, and its name for messages. */
export interface EncodedColumn {
  readonly type: DataType;
  readonly position: number;
  readonly name: string;
  /** How a datetime column parses strings that are not ISO. */
  readonly form?: DateForm | undefined;
  /**
   * Receives the number of strings that were read as numbers. Absent: strings are refused in a numeric column. Some
   * SDKs send the numbers of existing columns as strings.
   */
  readonly countNumberTexts?: (count: number) => void;
}

/**
 * Encodes rows as columns, with one pass per column. Null and absent cells become null, a number in a hierarchy column
 * becomes a string, and -0 becomes 0. O(cells).
 * @throws {ApiError} DATA_CELL_INVALID with row and column, both counted from 1
 */
export function encodeRows(
  rows: readonly (readonly unknown[])[],
  columns: readonly EncodedColumn[],
): readonly BatchColumn[] {
  return columns.map((column) => {
    switch (column.type) {
      case "numeric":
        return { type: "numeric", values: encodeNumbers(rows, column) };
      case "datetime":
        return {
          type: "datetime",
          values: encodeValues(rows, column, (cell) => parseDate(cell, column.form)),
        };
      case "hierarchy":
        return encodeTexts(rows, column);
    }
  });
}

/** Cells to encode per turn of the event loop: a few milliseconds. */
const cellsATurn = 50_000;

/** Encodes rows like `encodeRows`, but lets other work run after every few columns of a wide push. */
export async function encodeInTurns(
  rows: readonly (readonly unknown[])[],
  columns: readonly EncodedColumn[],
): Promise<readonly BatchColumn[]> {
  const vectors: BatchColumn[] = [];
  const columnsATurn = Math.max(1, Math.floor(cellsATurn / Math.max(1, rows.length)));
  for (let from = 0; from < columns.length; from += columnsATurn) {
    if (from > 0) await setImmediate();
    vectors.push(...encodeRows(rows, columns.slice(from, from + columnsATurn)));
  }
  return vectors;
}

function encodeNumbers(rows: readonly (readonly unknown[])[], column: EncodedColumn): Float64Array {
  const { countNumberTexts } = column;
  if (!countNumberTexts) return encodeValues(rows, column, readNumber);
  let textCount = 0;
  const values = encodeValues(rows, column, (cell) => {
    if (typeof cell !== "string") return readNumber(cell);
    textCount++;
    return numberText.test(cell) ? readNumber(Number(cell)) : Number.NaN;
  });
  if (textCount > 0) countNumberTexts(textCount);
  return values;
}

/** A number as JSON writes it. */
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function encodeValues(
  rows: readonly (readonly unknown[])[],
  column: EncodedColumn,
  read: (cell: unknown) => number,
): Float64Array {
  const { position } = column;
  const values = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const cell = rows[row]?.[position];
    const value = cell === null || cell === undefined ? Number.NaN : read(cell);
    if (Number.isNaN(value) && cell !== null && cell !== undefined)
      throw refusal(cell, row, column);
    values[row] = value;
  }
  return values;
}

function encodeTexts(rows: readonly (readonly unknown[])[], column: EncodedColumn): BatchColumn {
  const { position } = column;
  const codes = new Int32Array(rows.length);
  const codeOf = new Map<string, number>();
  for (let row = 0; row < rows.length; row++) {
    const cell = rows[row]?.[position];
    if (cell === null || cell === undefined) {
      codes[row] = -1;
      continue;
    }
    const text = typeof cell === "string" ? cell : textOfNumber(cell);
    if (text === undefined) throw refusal(cell, row, column);
    const known = codeOf.get(text);
    codes[row] = known ?? codeOf.size;
    if (known === undefined) codeOf.set(text, codeOf.size);
  }
  return { type: "hierarchy", codes, dictionary: [...codeOf.keys()] };
}

/** Returns the number in a cell. NaN if the cell is not a number, or if the number has lost digits. */
function readNumber(cell: unknown): number {
  return typeof cell === "number" && Number.isFinite(cell) && !hasLostDigits(cell)
    ? cell + 0
    : Number.NaN;
}

function textOfNumber(cell: unknown): string | undefined {
  return typeof cell === "number" && Number.isFinite(cell) && !hasLostDigits(cell)
    ? String(cell + 0)
    : undefined;
}

/**
 * Returns whether an integer has 16 to 21 digits. A double cannot represent every such integer exactly, and such a long
 * number is most likely an identifier.
 */
function hasLostDigits(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21;
}

function refusal(cell: unknown, row: number, column: EncodedColumn): ApiError {
  return new ApiError("DATA_CELL_INVALID", [
    row + 1,
    column.position + 1,
    column.name.slice(0, 100),
    reasonOf(cell, column),
  ]);
}

function reasonOf(cell: unknown, column: EncodedColumn): string {
  const { type, form } = column;
  if (typeof cell === "boolean") return "a cell cannot be a boolean; send it as a string";
  if (Array.isArray(cell)) return "a cell cannot be a list; send it as a string";
  if (typeof cell === "object") return "a cell cannot be an object; send it as a string";
  if (typeof cell === "number" && !Number.isFinite(cell))
    return "the number must be finite; send null instead";
  if (typeof cell === "number" && hasLostDigits(cell))
    return "a whole number beyond 2^53 is not exact; send identifiers as strings, in a column of strings";
  if (type === "numeric")
    return `a cell of a numeric column cannot be a string${column.countNumberTexts ? " other than a number such as 12.5" : ""}; send a JSON number or null`;
  if (type === "datetime")
    return `a cell of a datetime column cannot be a ${typeof cell === "string" ? "string that is not an ISO date-time" : typeof cell}${form ? " and does not match its informat" : ""}; send for example 2024-01-31T00:00:00Z or null, or set the informat of the column, for example to DD-MM-YYYY`;
  return `a cell cannot be a ${typeof cell}; send it as a string`;
}
