import { areDigits, eightDigits, scaleDigits } from "./decimals";
import { loneBit, noText, unescape } from "./escapes";
import { readInstant } from "./instants";
import { full as poolFull, hashText, intern, none, Pool } from "./pools";

/** The state of a reader of rows, as described in `jsonReader.ts`. */
@unmanaged
class Reader {
  /** Address of the next byte. */
  at: u32;
  row: u32;
  rowLimit: u32;
  columns: u32;
  columnCount: u32;
  powers: u32;
  scratch: u32;
  scratchBytes: u32;
  /** The column that is full, and the number of bytes that it needs. */
  column: u32;
  wantedBytes: u32;
}

/** A column, as described in `jsonReader.ts`. */
@unmanaged
class Column {
  type: u32;
  values: u32;
  texts: u32;
  filled: u32;
  capacity: u32;
  hasValue: u32;
  hasTime: u32;
  starts: u32;
  hasLone: u32;
}

const columnShift: usize = 6;

const number: u32 = 1;
const datetime: u32 = 2;
const text: u32 = 3;

const unread: u32 = 0;
const behind: u32 = 1;
const full: u32 = 2;
const narrow: u32 = 3;

const quote: u32 = 34;
const comma: u32 = 44;
const openList: u32 = 91;
const closeList: u32 = 93;
const nullWord: u32 = 0x6c6c756e;
/** Number of digits that always fit in 64 bits. */
const digitLimit: u32 = 19;
const exactBound: f64 = 9007199254740992;

function isBlank(byte: u32): bool {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function skip(at: usize): usize {
  let byte = <u32>load<u8>(at);
  if (byte > 32) return at;
  while (isBlank(byte)) byte = <u32>load<u8>(++at);
  return at;
}

/** Returns the address of the first byte that is a quote, a backslash or below 32. */
function findEnd(at: usize): usize {
  const quotes = i8x16.splat(34);
  const backslashes = i8x16.splat(92);
  const blanks = i8x16.splat(32);
  let bits: i32 = 0;
  at -= 16;
  do {
    at += 16;
    const bytes = v128.load(at);
    const found = v128.or(
      v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)),
      i8x16.lt_u(bytes, blanks),
    );
    bits = i8x16.bitmask(found);
  } while (bits === 0);
  return at + ctz(bits);
}

/** Address and length in bytes of the string that was read last. */
let textAt: usize = 0;
let textLength: u32 = 0;
let isLone: u32 = 0;
/** The number that was read last. */
let value: f64 = 0;

/**
 * Reads a string that starts with its opening quote. Returns the end of the string, or 0 if the string is invalid or
 * too long to unescape here.
 */
function readString(reader: Reader, at: usize): usize {
  const start = at + 1;
  let end = findEnd(start);
  if (<u32>load<u8>(end) === quote) {
    textAt = start;
    textLength = <u32>(end - start);
    isLone = 0;
    return end + 1;
  }
  // Only escapes can contain a quote, so the string ends at the first quote that is not escaped.
  while (<u32>load<u8>(end) === 92) {
    if (<u32>load<u8>(end, 1) < 32) return 0;
    end = findEnd(end + 2);
  }
  if (<u32>load<u8>(end) !== quote || end - start > reader.scratchBytes) return 0;
  const length = unescape(start, end, reader.scratch);
  if (length === noText) return 0;
  textAt = reader.scratch;
  textLength = length & ~loneBit;
  isLone = length >> 31;
  return end + 1;
}

/**
 * Reads a number into `value`. Returns the end of the number, or 0 if it is invalid or has a form that this reader does
 * not handle.
 */
function readNumber(reader: Reader, at: usize): usize {
  const isNegative = <u32>load<u8>(at) === 45;
  if (isNegative) at++;
  let start = at;
  let digits: u64 = 0;
  let digit = <u32>load<u8>(at) - 48;
  if (digit > 9) return 0;
  if (digit === 0) {
    digit = <u32>load<u8>(++at) - 48;
    if (digit <= 9) return 0;
  } else {
    do {
      digits = digits * 10 + digit;
      digit = <u32>load<u8>(++at) - 48;
    } while (digit <= 9);
  }
  let count = <u32>(at - start);
  let power: i32 = 0;
  if (<u32>load<u8>(at) === 46) {
    start = ++at;
    let word = load<u64>(at);
    while (areDigits(word)) {
      digits = digits * 100000000 + eightDigits(word);
      at += 8;
      word = load<u64>(at);
    }
    digit = <u32>load<u8>(at) - 48;
    while (digit <= 9) {
      digits = digits * 10 + digit;
      digit = <u32>load<u8>(++at) - 48;
    }
    if (at === start) return 0;
    count += <u32>(at - start);
    power = <i32>(start - at);
  }
  if (count > digitLimit) return 0;
  if ((<u32>load<u8>(at) | 32) === 101) {
    const sign = <u32>load<u8>(++at);
    if (sign === 43 || sign === 45) at++;
    start = at;
    let exponent: i32 = 0;
    digit = <u32>load<u8>(at) - 48;
    while (digit <= 9) {
      exponent = exponent * 10 + <i32>digit;
      digit = <u32>load<u8>(++at) - 48;
    }
    if (at === start || at - start > 4) return 0;
    power += sign === 45 ? -exponent : exponent;
  }
  const scaled = scaleDigits(digits, power, reader.powers);
  // This comparison is also false for NaN. Larger numbers are rejected, or left to the slow reader.
  if (!(scaled < exactBound)) return 0;
  // Adding 0 turns -0 into 0.
  value = (isNegative ? -scaled : scaled) + 0;
  return at;
}

/** The reason why the reader could not read the last cell. */
let reason: u32 = 0;

/**
 * Reads a cell. Returns the end of the cell, or 0 with a `reason` if the cell has a form that this reader does not
 * handle.
 */
function readCell(reader: Reader, column: Column, at: usize, row: u32): usize {
  reason = unread;
  const type = column.type;
  if (type !== 0 && row >= column.capacity) {
    reason = narrow;
    return 0;
  }
  column.filled = row + 1;
  const values = <usize>column.values;
  const first = <u32>load<u8>(at);
  if (first === quote) {
    const end = readString(reader, at);
    if (end === 0) return 0;
    if (type === text) {
      const pool = changetype<Pool>(column.texts);
      const code = intern(pool, textAt, textLength, hashText(textAt, textLength));
      if (code === none) {
        if (pool.status === poolFull) reason = full;
        reader.wantedBytes = textLength;
        return 0;
      }
      store<u32>(values + (row << 2), code);
      column.hasLone |= isLone;
    } else if (type === datetime) {
      const instant = readInstant(textAt, textLength);
      if (instant !== instant) return 0;
      store<f64>(values + (row << 3), instant);
      column.hasTime |= <u32>(textLength !== 10);
      if (column.starts !== 0) store<u32>(column.starts + (row << 2), <u32>at);
    } else return 0;
    column.hasValue = 1;
    return end;
  }
  if (load<u32>(at) === nullWord) {
    if (type === text) store<i32>(values + (row << 2), -1);
    else if (type !== 0) store<f64>(values + (row << 3), NaN);
    return at + 4;
  }
  if (type !== number) return 0;
  const end = readNumber(reader, at);
  if (end === 0) return 0;
  store<f64>(values + (row << 3), value);
  column.hasValue = 1;
  return end;
}

/**
 * Reads a row, starting after its bracket. Returns the end of the row, or 0 if it has a form that this reader
 * does not handle.
 */
function readList(reader: Reader, at: usize, row: u32): usize {
  const count = reader.columnCount;
  let column = <usize>reader.columns;
  at = skip(at);
  for (let index: u32 = 0; index < count; index++) {
    const end = readCell(reader, changetype<Column>(column), at, row);
    if (end === 0) {
      reader.column = index;
      return 0;
    }
    at = skip(end);
    if (<u32>load<u8>(at) !== comma) {
      reason = unread;
      return <u32>load<u8>(at) === closeList && index + 1 === count ? at + 1 : 0;
    }
    at = skip(at + 1);
    column += 1 << columnShift;
  }
  reason = unread;
  return 0;
}

/** Removes the cells of an unfinished row from the columns. */
function undo(reader: Reader, row: u32): void {
  let column = <usize>reader.columns;
  for (let index: u32 = 0; index < reader.columnCount; index++) {
    const filled = changetype<Column>(column).filled;
    if (filled > row) changetype<Column>(column).filled = row;
    column += 1 << columnShift;
  }
}

export function parseJsonRows(readerAt: usize): u32 {
  const reader = changetype<Reader>(readerAt);
  const rowLimit = reader.rowLimit;
  let at = <usize>reader.at;
  for (let row = reader.row; row < rowLimit; row++) {
    reader.at = <u32>at;
    reader.row = row;
    if (<u32>load<u8>(at) !== openList) return unread;
    const end = readList(reader, at + 1, row);
    if (end === 0) {
      undo(reader, row);
      return reason;
    }
    at = skip(end);
    if (<u32>load<u8>(at) !== comma) {
      reader.at = <u32>at;
      reader.row = row + 1;
      return behind;
    }
    at = skip(at + 1);
  }
  reader.at = <u32>at;
  reader.row = rowLimit;
  return unread;
}
