import { refuseCell, type ColumnPlace } from "./fitColumn.ts";

/** Returns whether a row has a value other than null. */
export type IsValid = (row: number) => boolean;

const latestMs = 8.64e15;
/** A double can represent a 64-bit integer exactly if the integer's high word is at least -2^21 and below 2^21. */
const exactHigh = 2 ** 21;

/**
 * Copies numbers of at most 53 bits; nulls become NaN and -0 becomes 0. Throws for NaN and infinities among the values.
 */
export function readNumbers(
  stored: ArrayLike<number>,
  length: number,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    if (isValid && !isValid(row)) {
      values[row] = NaN;
      continue;
    }
    const value = stored[row];
    // This comparison is false only for NaN and the infinities.
    if (value - value !== 0)
      throw refuseCell(place, row, "must be a finite number or null, not NaN or infinity");
    values[row] = value + 0;
  }
  return values;
}

/** Reads 64-bit integers from their words, low word first. */
export function readInt64(
  words: Int32Array,
  length: number,
  isUnsigned: boolean,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    if (isValid && !isValid(row)) {
      values[row] = NaN;
      continue;
    }
    const low = words[row * 2] >>> 0;
    const high = words[row * 2 + 1];
    if (
      high >= exactHigh ||
      high < (isUnsigned ? 0 : -exactHigh) ||
      (high === -exactHigh && low === 0)
    )
      throw refuseCell(
        place,
        row,
        "a whole number beyond 2^53 would lose digits; store identifiers as text",
      );
    values[row] = high * 2 ** 32 + low;
  }
  return values;
}

/** The unit in which a file stores instants. */
export type InstantUnit = "day" | "second" | "millisecond" | "microsecond" | "nanosecond";

/** Reads 64-bit instants from words, as `readInt64` does, and rounds them down to whole milliseconds. */
export function readInstants(
  words: Int32Array,
  length: number,
  unit: InstantUnit,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const values = new Float64Array(length);
  const factor = unit === "day" ? 86_400_000 : unit === "second" ? 1000 : 1;
  const divisor = unit === "microsecond" ? 1000 : unit === "nanosecond" ? 1_000_000 : 1;
  for (let row = 0; row < length; row++) {
    if (isValid && !isValid(row)) {
      values[row] = NaN;
      continue;
    }
    const value = divideInt64(words[row * 2], words[row * 2 + 1], divisor) * factor;
    if (value > latestMs || value < -latestMs)
      throw refuseCell(
        place,
        row,
        "a datetime beyond 275760-09-13, or before -271821-04-20, cannot be stored; use null",
      );
    values[row] = value;
  }
  return values;
}

/** Reads days since 1970-01-01 as milliseconds. */
export function readDays(
  days: ArrayLike<number>,
  length: number,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const values = readNumbers(days, length, isValid, place);
  for (let row = 0; row < length; row++) {
    if (Math.abs(values[row]) > 1e8)
      throw refuseCell(
        place,
        row,
        "a date beyond 275760-09-13, or before -271821-04-20, cannot be stored; use null",
      );
    values[row] *= 86_400_000;
  }
  return values;
}

/** Returns the floor of a 64-bit integer divided by a divisor of at most 10^6. Exact if the quotient is below 2^53. */
function divideInt64(low: number, high: number, divisor: number): number {
  const unsigned = low >>> 0;
  if (divisor === 1) return high * 2 ** 32 + unsigned;
  const quotient = Math.floor(high / divisor);
  // The remainder is below 2^20, so it stays exact with 32 more bits.
  const rest = (high - quotient * divisor) * 2 ** 32 + unsigned;
  return quotient * 2 ** 32 + Math.floor(rest / divisor);
}

/** Returns the divisor for decimals with a scale; NaN if a double cannot represent the divisor exactly. */
export function powerOf(scale: number): number {
  return scale >= 0 && scale <= 22 ? Number(`1e${scale}`) : NaN;
}

/**
 * Reads decimals of `wordCount` 32-bit words, low word first, as the nearest doubles. Throws for whole numbers from
 * 2^53 to 10^21, because these are most likely identifiers.
 */
export function readDecimals(
  words: Int32Array,
  wordCount: number,
  scale: number,
  length: number,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const values = new Float64Array(length);
  const power = powerOf(scale);
  for (let row = 0; row < length; row++) {
    if (isValid && !isValid(row)) {
      values[row] = NaN;
      continue;
    }
    const at = row * wordCount;
    const high = wordCount > 1 ? words[at + 1] : words[at] >> 31;
    let isSmall = high < exactHigh && high > -exactHigh;
    for (let word = 2; word < wordCount; word++) isSmall &&= words[at + word] === high >> 31;
    // Both operands are exact, so the division rounds once.
    const quick = isSmall ? (high * 2 ** 32 + (words[at] >>> 0)) / power : NaN;
    values[row] =
      (quick === quick ? quick : slowDecimal(words.subarray(at, at + wordCount), scale)) + 0;
    const value = values[row];
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21)
      throw refuseCell(
        place,
        row,
        "a whole number beyond 2^53 would lose digits; store identifiers as text",
      );
  }
  return values;
}

function slowDecimal(words: Int32Array, scale: number): number {
  let value = BigInt(words[words.length - 1]);
  for (let word = words.length - 2; word >= 0; word--)
    value = (value << 32n) | BigInt(words[word] >>> 0);
  return Number(`${value}e${-scale}`);
}
