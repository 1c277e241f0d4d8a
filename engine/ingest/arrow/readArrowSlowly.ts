import { type Data, DataType, DateUnit, Precision, TimeUnit } from "apache-arrow";
import type { ArrowPiece } from "./arrowPiece.ts";
import type { ColumnPlace } from "../decode/fitColumn.ts";
import {
  readDays,
  readDecimals,
  readInstants,
  readInt64,
  readNumbers,
  type InstantUnit,
  type IsValid,
} from "../decode/readValues.ts";
import { shortArrowBuffer, unreadableArrow } from "./unreadableArrow.ts";

/** Reads values that have no decoder, and values that their decoder rejected. */
export function readArrowSlowly(
  { data, start, count }: ArrowPiece,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const part = data.slice(start, count);
  const { type, length } = part;
  const isValid = validity(part);
  if (!DataType.isDate(type) && !DataType.isTimestamp(type))
    return readNumeric(part, isValid, place);
  const unit = DataType.isDate(type)
    ? type.unit === DateUnit.DAY
      ? "day"
      : "millisecond"
    : units[type.unit];
  return unit === "day"
    ? readDays(numbersOf(part, length), length, isValid, place)
    : readInstants(wordsOf(part, length * 2), length, unit, isValid, place);
}

const units: Readonly<Record<TimeUnit, InstantUnit>> = {
  [TimeUnit.SECOND]: "second",
  [TimeUnit.MILLISECOND]: "millisecond",
  [TimeUnit.MICROSECOND]: "microsecond",
  [TimeUnit.NANOSECOND]: "nanosecond",
};

function readNumeric(
  data: Data,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const { type, length } = data;
  if (DataType.isBool(type)) {
    const bits: Uint8Array = data.values;
    if (bits.length * 8 < data.offset + length) throw shortArrowBuffer(place);
    const bitOf = (_: unknown, row: number) =>
      (bits[(data.offset + row) >> 3] >> ((data.offset + row) & 7)) & 1;
    return readNumbers(Uint8Array.from({ length }, bitOf), length, isValid, place);
  }
  if (DataType.isDecimal(type)) {
    const wordCount = type.bitWidth / 32;
    return readDecimals(
      wordsOf(data, length * wordCount),
      wordCount,
      type.scale,
      length,
      isValid,
      place,
    );
  }
  if (DataType.isInt(type) && type.bitWidth === 64)
    return readInt64(wordsOf(data, length * 2), length, !type.isSigned, isValid, place);
  const numbers = numbersOf(data, length);
  if (!DataType.isFloat(type) || type.precision !== Precision.HALF)
    return readNumbers(numbers, length, isValid, place);
  const halves = numbers as Uint16Array;
  const floats = new Float16Array(halves.buffer, halves.byteOffset, halves.length);
  return readNumbers(floats, length, isValid, place);
}

function validity(data: Data): IsValid | undefined {
  const { nullBitmap: bits, offset, length } = data;
  if (!bits || bits.length === 0 || data.nullCount === 0) return undefined;
  if (bits.length * 8 < offset + length) throw unreadableArrow("a validity bitmap is too short");
  return (row) => ((bits[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1;
}

function numbersOf(data: Data, count: number): ArrayLike<number> {
  const values: ArrayLike<number> = data.values;
  if (values.length < count) throw unreadableArrow("a buffer of values is too short");
  return values;
}

function wordsOf(data: Data, count: number): Int32Array {
  const { buffer, byteOffset, byteLength }: BigInt64Array = data.values;
  if (byteLength < count * 4) throw unreadableArrow("a buffer of values is too short");
  return new Int32Array(buffer, byteOffset, count);
}
