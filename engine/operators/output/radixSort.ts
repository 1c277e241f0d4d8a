import { endIfCancelled } from "../task/cancellation.ts";

/** Whole weights whose span is below this limit are sorted by their distance to the least weight. */
const widestSpan = 2 ** 32 - 2;

/** Number of rows that can be placed in a few milliseconds, even at random positions. */
const sliceRows = 2 ** 18;

/** Number of rows above which wider digits are worth the longer array of counts. */
const wideDigitRows = 4096;

/** Number of rows above which sorting by digits is faster than comparing. */
export const radixRows = 512;

/** Number of rows up to which each row is inserted at its place. */
const insertedRows = 24;

/**
 * Sorts rows by columns of weights in ascending order. The first column is the most significant. Returns row numbers;
 * equal rows keep their order. Weights are doubles without NaN; Infinity, the weight of null, comes last. Sorts by the
 * first column, and then only rows that are equal in it by the next one. Each column is sorted digit by digit (LSD
 * radix sort: Knuth, The Art of Computer Programming, volume 3, 5.2.5). O(rows * digits); whole numbers within a narrow
 * span have few digits.
 */
export function radixSort(weights: readonly Float64Array[], rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  const memory: SortMemory = { next: new Uint32Array(rowCount), keys: new Uint32Array(rowCount) };
  sortFrom(weights, rows, memory);
  return rows;
}

/** Memory that all runs share: for the next order of a run's rows, and for the keys by row. */
interface SortMemory {
  readonly next: Uint32Array;
  readonly keys: Uint32Array;
}

/** Sorts rows in place by the first column, and runs of equal rows by the columns after it. */
function sortFrom(
  [column, ...rest]: readonly Float64Array[],
  rows: Uint32Array,
  memory: SortMemory,
): void {
  if (rows.length < radixRows) return sortFew([column, ...rest], rows);
  sortColumn(column, rows, memory);
  if (rest.length === 0) return;
  let from = 0;
  for (const [start, end] of slicesOf(rows.length))
    for (let place = Math.max(1, start); place < end; place++) {
      if (column[rows[place]] === column[rows[place - 1]]) continue;
      if (place - from > 1) sortFrom(rest, rows.subarray(from, place), memory);
      from = place;
    }
  if (rows.length - from > 1) sortFrom(rest, rows.subarray(from), memory);
}

/** Sorts few rows in place by comparing them. */
function sortFew(weights: readonly Float64Array[], rows: Uint32Array): void {
  const compare = (left: number, right: number): number => {
    for (const weight of weights) {
      if (weight[left] < weight[right]) return -1;
      if (weight[left] > weight[right]) return 1;
    }
    return left - right;
  };
  if (rows.length > insertedRows) {
    rows.sort(compare);
    return;
  }
  for (let place = 1; place < rows.length; place++) {
    const row = rows[place];
    let before = place - 1;
    for (; before >= 0 && compare(rows[before], row) > 0; before--) rows[before + 1] = rows[before];
    rows[before + 1] = row;
  }
}

/** Sorts rows in place by one column, stably. */
function sortColumn(column: Float64Array, rows: Uint32Array, memory: SortMemory): void {
  const turn = { rows, next: memory.next.subarray(0, rows.length) };
  const { keys } = memory;
  const { least, most, isWhole } = spanOf(column, rows);
  if (isWhole && most - least < widestSpan) {
    writeDistances(column, rows, least, most, keys);
    sortDigits(turn, keys, Math.ceil(Math.log2(most - least + 2)));
  } else
    for (const word of [0, 1]) {
      writeWords(column, rows, word, keys);
      sortDigits(turn, keys, 32);
    }
  if (turn.rows !== rows) rows.set(turn.rows);
}

/** Returns the least and the greatest finite weight of rows, and whether all their finite weights are whole numbers. */
function spanOf(
  column: Float64Array,
  rows: Uint32Array,
): { readonly least: number; readonly most: number; readonly isWhole: boolean } {
  let least = Infinity;
  let most = -Infinity;
  for (let place = 0; place < rows.length; place++) {
    const weight = column[rows[place]];
    if (weight === Infinity) continue;
    if (weight !== Math.floor(weight)) return { least, most, isWhole: false };
    if (weight < least) least = weight;
    if (weight > most) most = weight;
  }
  return least > most ? { least: 0, most: 0, isWhole: true } : { least, most, isWhole: true };
}

/**
 * Writes the keys of whole weights by row: the distance to the least weight and, for Infinity, one more than the
 * greatest distance.
 */
function writeDistances(
  column: Float64Array,
  rows: Uint32Array,
  least: number,
  most: number,
  keys: Uint32Array,
): void {
  const last = most - least + 1;
  for (const [from, to] of slicesOf(rows.length))
    for (let place = from; place < to; place++) {
      const row = rows[place];
      keys[row] = column[row] === Infinity ? last : column[row] - least;
    }
}

/**
 * Writes the keys of arbitrary weights by row: one half of the double's bits (the lower half for `word` 0), transformed
 * so that keys sort like the doubles. For negative numbers all bits are flipped, for other numbers only the sign. -0 is
 * written as 0.
 */
function writeWords(
  column: Float64Array,
  rows: Uint32Array,
  word: number,
  keys: Uint32Array,
): void {
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  for (const [from, to] of slicesOf(rows.length))
    for (let place = from; place < to; place++) {
      const row = rows[place];
      double[0] = column[row] + 0;
      const isNegative = words[1] >>> 31 === 1;
      if (word === 0) keys[row] = isNegative ? ~words[0] : words[0];
      else keys[row] = isNegative ? ~words[1] : words[1] ^ 0x80000000;
    }
}

/** Sorts the rows by the lower `bitCount` bits of their keys, stably, starting with the lowest digit. */
function sortDigits(
  turn: { rows: Uint32Array; next: Uint32Array },
  keys: Uint32Array,
  bitCount: number,
): void {
  const widest = turn.rows.length < wideDigitRows ? 8 : 11;
  const digitCount = Math.ceil(bitCount / widest);
  const width = Math.ceil(bitCount / digitCount);
  const starts = new Uint32Array(2 ** width);
  for (let shift = 0; shift < bitCount; shift += width) {
    endIfCancelled();
    if (!countDigits(turn.rows, keys, shift, starts)) continue;
    for (const [from, to] of slicesOf(turn.rows.length))
      place(turn.rows, turn.next, { keys, shift, starts }, from, to);
    [turn.rows, turn.next] = [turn.next, turn.rows];
  }
}

/** Counts each digit and converts the counts to start positions. Returns false if all keys have the same digit. */
function countDigits(
  rows: Uint32Array,
  keys: Uint32Array,
  shift: number,
  starts: Uint32Array,
): boolean {
  const mask = starts.length - 1;
  starts.fill(0);
  for (let place = 0; place < rows.length; place++) starts[(keys[rows[place]] >>> shift) & mask]++;
  if (starts[(keys[rows[0]] >>> shift) & mask] === rows.length) return false;
  let start = 0;
  for (let digit = 0; digit < starts.length; digit++) {
    const count = starts[digit];
    starts[digit] = start;
    start += count;
  }
  return true;
}

function place(
  rows: Uint32Array,
  next: Uint32Array,
  { keys, shift, starts }: { keys: Uint32Array; shift: number; starts: Uint32Array },
  from: number,
  to: number,
): void {
  const mask = starts.length - 1;
  for (let index = from; index < to; index++) {
    const row = rows[index];
    next[starts[(keys[row] >>> shift) & mask]++] = row;
  }
}

/** Divides rows into slices of a few milliseconds, and yields before each slice. */
function* slicesOf(rowCount: number): Generator<readonly [from: number, to: number], void> {
  for (let from = 0; from < rowCount; from += sliceRows) {
    endIfCancelled();
    yield [from, Math.min(rowCount, from + sliceRows)];
  }
}
