import { EngineError } from "../../errors.ts";
import type { EncodedColumn } from "../../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";
import type { FilledColumn } from "../../types.ts";
import { readInstantBytes } from "./readInstantBytes.ts";
import { paddingBytes } from "../../column/texts/hashTexts.ts";
import { TextPool } from "../../column/texts/textPool.ts";

const kinds = { number: "numbers", datetime: "datetimes", text: "strings" } as const;

/** A column of a file, converted to a form that the store can read. */
export interface FoundColumn {
  readonly column: EncodedBatchColumn;
  /** Whether all datetimes are dates without a time. */
  readonly isDate: boolean;
}

/** The name and the position of a column, for error messages. */
export interface ColumnPlace {
  readonly name: string;
  /** Index of the column, from 0. */
  readonly position: number;
  readonly firstRow: number;
  /** The row number of each value. Present if the values do not include nulls. */
  readonly rows?: Int32Array;
}

/** Returns the error for the value of a row, counted from 0 in its batch. */
export function refuseCell(
  { name, position, firstRow, rows }: ColumnPlace,
  row: number,
  reason: string,
): EngineError {
  return new EngineError("INGEST_CELL", [
    firstRow + (rows ? rows[row] : row) + 1,
    position + 1,
    name.slice(0, 100),
    reason,
  ]);
}

/**
 * Converts a column of a file to a given type, by the rules for JSON. Numbers become strings as JavaScript formats
 * them, and ISO dates and date-times become datetimes. No other conversion exists.
 * @throws {EngineError} INGEST_CELL, INGEST_UNSUPPORTED
 */
export function fitColumn(
  found: FoundColumn,
  given: FilledColumn | undefined,
  place: ColumnPlace,
): EncodedColumn {
  const { column, isDate } = found;
  const isEmpty = isAllNull(column);
  const named = { name: given?.name ?? place.name, isEmpty, isDate: isDate && !isEmpty };
  if (!given || given.type === column.type) return { ...named, column };
  const length = column.type === "text" ? column.codes.length : column.values.length;
  if (isEmpty) return { ...named, column: nullBatchColumn(given.type, length) };
  if (given.type === "text" && column.type === "number")
    return { ...named, column: numbersToTexts(column.values) };
  if (given.type === "datetime" && column.type === "text") {
    const { values, isDate } = textsToInstants(column, place);
    return { ...named, isDate, column: { type: "datetime", values } };
  }
  throw new EngineError("INGEST_UNSUPPORTED", [
    place.name.slice(0, 100),
    `a column of ${kinds[column.type]}`,
    `the target column takes ${kinds[given.type]}; convert the values, or choose another column`,
  ]);
}

/** Returns a column of nulls. */
export function nullBatchColumn(
  type: EncodedBatchColumn["type"],
  length: number,
): EncodedBatchColumn {
  if (type !== "text") return { type, values: new Float64Array(length).fill(NaN) };
  return { type, codes: new Int32Array(length).fill(-1), texts: new TextPool().pack() };
}

function isAllNull(column: EncodedBatchColumn): boolean {
  if (column.type === "text") return column.codes.every((code) => code < 0);
  return column.values.every((value) => value !== value);
}

function numbersToTexts(values: Float64Array): EncodedBatchColumn {
  const pool = new TextPool();
  const codes = new Int32Array(values.length);
  const bytes = new Uint8Array(32 + paddingBytes);
  const view = new DataView(bytes.buffer);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) {
      codes[row] = -1;
      continue;
    }
    const written = String(value);
    for (let index = 0; index < written.length; index++) bytes[index] = written.charCodeAt(index);
    codes[row] = pool.intern(view, 0, written.length);
  }
  return { type: "text", codes, texts: pool.pack() };
}

function textsToInstants(
  { codes, texts }: Extract<EncodedBatchColumn, { type: "text" }>,
  place: ColumnPlace,
): { readonly values: Float64Array<ArrayBuffer>; readonly isDate: boolean } {
  const { bytes, ends } = texts;
  const instants = Float64Array.from(ends, (end, code) => {
    const start = code === 0 ? 0 : ends[code - 1];
    return readInstantBytes(bytes, start, end - start);
  });
  let isDate = true;
  const values = new Float64Array(codes.length);
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    values[row] = code < 0 ? NaN : instants[code];
    if (code < 0) continue;
    if (instants[code] !== instants[code])
      throw refuseCell(
        place,
        row,
        "must be an ISO date-time or null, not another string; for example 2024-01-31T00:00:00Z",
      );
    if (ends[code] - (code === 0 ? 0 : ends[code - 1]) !== 10) isDate = false;
  }
  return { values, isDate };
}
