import { scaleDigits } from "./decimals";
import { readDay } from "./instants";
import { copyText, isSame } from "./pools";

/** The state of a reader, as described in `csvKernel.ts`. */
@unmanaged
class CsvReader {
  /** Address of a record. */
  at: u32;
  end: u32;
  line: u32;
  row: u32;
  rowLimit: u32;
  separator: u32;
  columnCount: u32;
  columns: u32;
  /** The table that `decimalPowers` creates. */
  powers: u32;
  /** The strings that mean null, each as an address and a length. */
  nulls: u32;
  nullCount: u32;
  /** The cells that are left to the caller. */
  left: u32;
  leftCount: u32;
  leftLimit: u32;
  /** Space for a cell without its doubled quotes. */
  scratch: u32;
  /** 1 if one record is to be skipped. */
  isSkipping: u32;
  /** The column whose strings have no more space, and the length of the string that did not fit. */
  fullColumn: u32;
  wantedBytes: u32;
  /** A random odd number, so that nobody can write strings that collide. */
  key: u64;
}

@unmanaged
class CsvColumn {
  kind: u32;
  /** Doubles, with NaN for null; for strings, codes with -1 for null. */
  values: u32;
  /** The decimal sign of numbers. */
  point: u32;
  /** Pairs of a hash and a code plus one, at an index that the hash selects. */
  slots: u32;
  slotMask: u32;
  ends: u32;
  bytes: u32;
  bytesLimit: u32;
  count: u32;
  countLimit: u32;
  usedBytes: u32;
  unused: u32;
}

/** A cell that is left to the caller. */
@unmanaged
class LeftCell {
  row: u32;
  column: u32;
  from: u32;
  to: u32;
  /** 1 if quotes in the cell are doubled. */
  isDoubled: u32;
  /** The record of the cell. */
  record: u32;
  line: u32;
}

const columnBytes: usize = 48;
const leftBytes: usize = 28;

const none: u32 = 0;
const text: u32 = 1;
const number: u32 = 2;
const instant: u32 = 3;
const otherCodes: u32 = 5;

const more: u32 = 0;
const incomplete: u32 = 1;
const doubt: u32 = 2;
const leftFull: u32 = 3;
const textsFull: u32 = 4;
/** The status of a cell that has been read. */
const done: u32 = 5;

const quote: u32 = 34;
const lineFeed: u32 = 10;
const carriageReturn: u32 = 13;
const mostRecordBytes: usize = 1 << 20;
/** Longer numbers may exceed 64 bits. */
const mostDigits: usize = 19;
const dayMs: f64 = 86400000;

/** The end of the number that `readNumber` read. */
let numberEnd: usize = 0;

function isEnd(code: u32, separator: u32): bool {
  return code === separator || code === lineFeed || code === carriageReturn;
}

/** Returns which of the next 16 bytes end a cell. */
function marksAt(at: usize, separators: v128): i32 {
  const block = v128.load(at);
  const lineEnds = v128.or(i8x16.eq(block, i8x16.splat(10)), i8x16.eq(block, i8x16.splat(13)));
  return i8x16.bitmask(v128.or(i8x16.eq(block, separators), lineEnds));
}

/** Returns the end of the unquoted cell at `at`. A line feed must follow the bytes. */
function cellEnd(at: usize, separators: v128): usize {
  let mask = marksAt(at, separators);
  for (; mask === 0; mask = marksAt(at, separators)) at += 16;
  return at + ctz(mask);
}

/** Returns the address of the next quote; `end` or a higher address if there is none. */
function quoteAt(at: usize, end: usize): usize {
  for (; at < end; at += 16) {
    const mask = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(34)));
    if (mask !== 0) return at + ctz(mask);
  }
  return end;
}

/** Counts the line ends in a quoted cell: CRLF, LF or CR. */
function lineEndsIn(at: usize, end: usize): u32 {
  let count: u32 = 0;
  while (at < end) {
    const block = v128.load(at);
    const marks = v128.or(i8x16.eq(block, i8x16.splat(10)), i8x16.eq(block, i8x16.splat(13)));
    const blockEnd = min(at + 16, end);
    if (v128.any_true(marks))
      for (; at < blockEnd; at++) {
        const code = <u32>load<u8>(at);
        count += u32(
          code === lineFeed || (code === carriageReturn && <u32>load<u8>(at, 1) !== lineFeed),
        );
      }
    at = blockEnd;
  }
  return count;
}

/** Reads digits with an optional sign and decimal sign. Returns NaN for all other numbers. */
function readNumber(at: usize, point: u32, powers: usize): f64 {
  let code = <u32>load<u8>(at);
  const isNegative = code === 45;
  if (isNegative || code === 43) code = load<u8>(++at);
  const first = at;
  let digits: u64 = 0;
  for (; code - 48 <= 9; code = load<u8>(++at)) digits = digits * 10 + (code - 48);
  let digitCount = at - first;
  let scale: usize = 0;
  if (code === point) {
    const fraction = ++at;
    for (code = load<u8>(at); code - 48 <= 9; code = load<u8>(++at))
      digits = digits * 10 + (code - 48);
    scale = at - fraction;
    digitCount += scale;
  }
  numberEnd = at;
  if (digitCount === 0 || digitCount > mostDigits) return NaN;
  const value = scaleDigits(digits, -(<i32>scale), powers);
  return isNegative ? 0 - value : value;
}

function two(at: usize): u32 {
  const tens = <u32>load<u8>(at) - 48;
  const ones = <u32>load<u8>(at, 1) - 48;
  return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}

/**
 * Reads the most common forms of ISO dates and datetimes: `2024-01-31`, with or without a time such as `T09:30`,
 * `T09:30:15.250` or `T09:30:15Z`. Returns NaN for all other strings.
 */
function readInstant(at: usize, end: usize): f64 {
  const length = end - at;
  if (length < 10) return NaN;
  const day = readDay(at) * dayMs;
  if (length === 10 || day !== day) return day;
  const mark = <u32>load<u8>(at, 10);
  if (length < 16 || (mark !== 84 && mark !== 32) || <u32>load<u8>(at, 13) !== 58) return NaN;
  const hour = two(at + 11);
  const minute = two(at + 14);
  if (hour > 23 || minute > 59) return NaN;
  let time = (hour * 60 + minute) * 60000;
  at += 16;
  if (at + 3 <= end && <u32>load<u8>(at) === 58) {
    const second = two(at + 1);
    if (second > 59) return NaN;
    time += second * 1000;
    at += 3;
    if (at < end && <u32>load<u8>(at) === 46) {
      const first = ++at;
      let unit: u32 = 100;
      for (; at < end && at < first + 9 && <u32>load<u8>(at) - 48 <= 9; at++) {
        time += (<u32>load<u8>(at) - 48) * unit;
        unit /= 10;
      }
      if (at === first) return NaN;
    }
  }
  if (at < end && <u32>load<u8>(at) === 90) at++;
  return at === end ? day + <f64>time : NaN;
}

function hashText(at: usize, length: u32, key: u64): u32 {
  let hash = (key ^ length) * key;
  const end = at + (length & ~7);
  for (; at < end; at += 8) {
    hash = (hash ^ load<u64>(at)) * key;
    hash ^= hash >> 32;
  }
  const tail = length & 7;
  if (tail > 0) hash = (hash ^ (load<u64>(at) & (((<u64>1) << (tail << 3)) - 1))) * key;
  hash = (hash ^ (hash >> 29)) * 0x9e3779b97f4a7c15;
  return <u32>(hash >> 32);
}

/** Returns the code of a string, and adds the string if it is new. Returns -1 if there is no space. */
function intern(column: CsvColumn, at: usize, length: u32, key: u64): i32 {
  const hash = hashText(at, length, key);
  const slots = <usize>column.slots;
  const mask = column.slotMask;
  let slot = hash & mask;
  for (;;) {
    const entry = load<u32>(slots + (slot << 3), 4);
    if (entry === 0) break;
    if (load<u32>(slots + (slot << 3)) === hash) {
      const ends = <usize>column.ends + ((entry - 1) << 2);
      const start = entry === 1 ? 0 : load<u32>(ends - 4);
      if (load<u32>(ends) - start === length && isSame(column.bytes + start, at, length))
        return entry - 1;
    }
    slot = (slot + 1) & mask;
  }
  const code = column.count;
  const start = column.usedBytes;
  if (code >= column.countLimit || length > column.bytesLimit - start) return -1;
  copyText(column.bytes + start, at, length);
  column.usedBytes = start + length;
  store<u32>(<usize>column.ends + (code << 2), start + length);
  store<u32>(slots + (slot << 3), hash);
  store<u32>(slots + (slot << 3), code + 1, 4);
  column.count = code + 1;
  return code;
}

/** Returns the code of a string as `intern` does. */
export function internCsvText(reader: usize, column: usize, at: usize, length: u32): i32 {
  return intern(changetype<CsvColumn>(column), at, length, changetype<CsvReader>(reader).key);
}

function isNull(reader: CsvReader, from: usize, to: usize): bool {
  const length = <u32>(to - from);
  for (let index: u32 = 0; index < reader.nullCount; index++) {
    const place = reader.nulls + (index << 3);
    if (load<u32>(place, 4) !== length) continue;
    const known = <usize>load<u32>(place);
    let at: u32 = 0;
    while (at < length && load<u8>(known + at) === load<u8>(from + at)) at++;
    if (at === length) return true;
  }
  return false;
}

/** Writes the cell from `from` to `to`. Leaves a cell in an unusual form to the caller. */
function readCell(
  reader: CsvReader,
  column: CsvColumn,
  index: u32,
  from: usize,
  to: usize,
  isQuoted: bool,
): u32 {
  const kind = column.kind;
  const row = reader.row;
  const isCode = kind === text || kind === otherCodes;
  const isEmpty = from === to && !(isQuoted && kind === text);
  if (isEmpty || (reader.nullCount > 0 && isNull(reader, from, to))) {
    if (isCode) store<i32>(<usize>column.values + (row << 2), -1);
    else store<f64>(<usize>column.values + (row << 3), NaN);
    return done;
  }
  if (kind === text) {
    const length = <u32>(to - from);
    const code = intern(column, from, length, reader.key);
    if (code < 0) {
      reader.fullColumn = index;
      reader.wantedBytes = length;
      return textsFull;
    }
    store<i32>(<usize>column.values + (row << 2), code);
    return done;
  }
  let value: f64 = NaN;
  if (kind === number) {
    value = readNumber(from, column.point, reader.powers);
    if (numberEnd !== to) value = NaN;
  } else if (kind === instant) value = readInstant(from, to);
  if (value !== value) return leftFull;
  store<f64>(<usize>column.values + (row << 3), value);
  return done;
}

/** Copies a cell without its doubled quotes, followed by a quote. Returns its length. */
function unescape(from: usize, to: usize, scratch: usize): usize {
  let end = scratch;
  for (; from < to; from++) {
    const code = <u32>load<u8>(from);
    store<u8>(end++, <u8>code);
    if (code === quote) from++;
  }
  store<u8>(end, <u8>quote);
  return end - scratch;
}

function leave(reader: CsvReader, index: u32, from: usize, to: usize, isDoubled: bool): void {
  const cell = changetype<LeftCell>(<usize>reader.left + <usize>reader.leftCount * leftBytes);
  cell.row = reader.row;
  cell.column = index;
  cell.from = <u32>from;
  cell.to = <u32>to;
  cell.isDoubled = u32(isDoubled);
  cell.record = reader.at;
  cell.line = reader.line;
  reader.leftCount++;
}

/** Reads one record. */
function readRecord(reader: CsvReader, separators: v128): u32 {
  const end = <usize>reader.end;
  const separator = reader.separator;
  const columnCount = reader.columnCount;
  const isSkipping = reader.isSkipping !== 0;
  const hasNulls = reader.nullCount > 0;
  const row = <usize>reader.row;
  let at = <usize>reader.at;
  let place = <usize>reader.columns;
  let cellCount: u32 = 0;
  let lineCount: u32 = 1;
  let isBlank = false;
  let isOpen = true;
  while (isOpen) {
    const column = changetype<CsvColumn>(place);
    const kind = cellCount < columnCount && !isSkipping ? column.kind : none;
    const from = at;
    let code = <u32>load<u8>(at);
    if (code === quote) {
      let close = quoteAt(at + 1, end);
      let isDoubled = false;
      while (close + 1 < end && <u32>load<u8>(close, 1) === quote) {
        isDoubled = true;
        close = quoteAt(close + 2, end);
      }
      if (close + 1 >= end) return incomplete;
      at = close + 1;
      code = load<u8>(at);
      if (!isEnd(code, separator)) return doubt;
      lineCount += lineEndsIn(from + 1, close);
      if (kind !== none) {
        let status: u32;
        if (isDoubled) {
          const scratch = <usize>reader.scratch;
          const length = unescape(from + 1, close, scratch);
          status = readCell(reader, column, cellCount, scratch, scratch + length, true);
        } else status = readCell(reader, column, cellCount, from + 1, close, true);
        if (status === textsFull) return textsFull;
        if (status === leftFull) leave(reader, cellCount, from + 1, close, isDoubled);
      }
    } else {
      let isRead = false;
      if (kind === number && !hasNulls) {
        const value = readNumber(at, column.point, reader.powers);
        if (value === value) {
          code = load<u8>(numberEnd);
          if (isEnd(code, separator)) {
            at = numberEnd;
            store<f64>(<usize>column.values + (row << 3), value);
            isRead = true;
          }
        }
      }
      if (!isRead) {
        at = cellEnd(at, separators);
        if (at >= end) return incomplete;
        code = load<u8>(at);
        if (kind !== none) {
          const status = readCell(reader, column, cellCount, from, at, false);
          if (status === textsFull) return textsFull;
          if (status === leftFull) leave(reader, cellCount, from, at, false);
        }
      }
    }
    if (at >= end) return incomplete;
    cellCount++;
    place += columnBytes;
    isOpen = code === separator;
    if (isOpen) at++;
    else isBlank = cellCount === 1 && at === from;
  }
  // The last CR may be the first half of a CRLF.
  if (<u32>load<u8>(at) === carriageReturn) {
    if (at + 1 >= end) return incomplete;
    if (<u32>load<u8>(at, 1) === lineFeed) at++;
  }
  at++;
  if (!isBlank && !isSkipping && cellCount !== columnCount) return doubt;
  // A longer record may exceed the maximum, which counts characters.
  if (at - <usize>reader.at > mostRecordBytes) return doubt;
  reader.at = <u32>at;
  reader.line += lineCount;
  if (isBlank) return done;
  if (!isSkipping) reader.row++;
  return isSkipping ? more : done;
}

/** Reads records until the rows, the space or the bytes end, or one record has been skipped. */
export function readCsvRecords(address: usize): u32 {
  const reader = changetype<CsvReader>(address);
  const separators = i8x16.splat(<i8>reader.separator);
  for (;;) {
    if (reader.row >= reader.rowLimit) return more;
    if (reader.at >= reader.end) return incomplete;
    const leftBefore = reader.leftCount;
    if (leftBefore + reader.columnCount > reader.leftLimit) return leftFull;
    const status = readRecord(reader, separators);
    if (status === done) continue;
    if (status !== more) reader.leftCount = leftBefore;
    return status;
  }
}
