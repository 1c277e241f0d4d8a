import { endIfCancelled } from "../task/cancellation.ts";

/** Whole weights whose span is below this limit are sorted by their distance to the least weight. */
const widestSpan = 2 ** 32 - 2;

/** Number of rows that can be placed in a few milliseconds, even at random positions. */
const sliceRows = 2 ** 18;

/** Number of rows above which wider digits are worth the longer array of counts. */
const wideDigitRows = 4096;

/**
 * Sorts rows by columns of weights, ascending, the first column being the most significant. Returns row numbers; equal
 * rows keep their order. Weights are doubles without NaN; Infinity, the weight of null, comes last. Sorts by one column
 * after another, starting with the last, digit by digit (LSD radix sort: Knuth, The Art of Computer Programming, volume
 * 3, 5.2.5). O(rows * digits); whole numbers within a narrow span have few digits.
 */
export function radixSort(weights: readonly Float64Array[], rowCount: number): Uint32Array {
  const turn = { rows: ascending(rowCount), next: new Uint32Array(rowCount) };
  const keys = new Uint32Array(rowCount);
  for (const column of weights.toReversed()) {
    const { least, most, isWhole } = spanOf(column, rowCount);
    if (isWhole && most - least < widestSpan) {
      writeDistances(column, rowCount, least, most, keys);
      sortDigits(turn, keys, Math.ceil(Math.log2(most - least + 2)));
      continue;
    }
    for (const word of [0, 1]) {
      writeWords(column, rowCount, word, keys);
      sortDigits(turn, keys, 32);
    }
  }
  return turn.rows;
}

function ascending(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  return rows;
}

/** Returns the least and the greatest finite weight, and whether all finite weights are whole numbers. */
function spanOf(
  column: Float64Array,
  rowCount: number,
): { readonly least: number; readonly most: number; readonly isWhole: boolean } {
  let least = Infinity;
  let most = -Infinity;
  for (let row = 0; row < rowCount; row++) {
    const weight = column[row];
    if (weight === Infinity) continue;
    if (weight !== Math.floor(weight)) return { least, most, isWhole: false };
    if (weight < least) least = weight;
    if (weight > most) most = weight;
  }
  return least > most ? { least: 0, most: 0, isWhole: true } : { least, most, isWhole: true };
}

/**
 * Writes the keys of whole weights: the distance to the least weight and, for Infinity, one more than the greatest
 * distance.
 */
function writeDistances(
  column: Float64Array,
  rowCount: number,
  least: number,
  most: number,
  keys: Uint32Array,
): void {
  const last = most - least + 1;
  for (const [from, to] of slicesOf(rowCount))
    for (let row = from; row < to; row++)
      keys[row] = column[row] === Infinity ? last : column[row] - least;
}

/**
 * Writes the keys of arbitrary weights: one half of the double's bits (the lower half for `word` 0), transformed so
 * that keys sort like the doubles. For negative numbers all bits are flipped, for other numbers only the sign. -0 is
 * written as 0.
 */
function writeWords(column: Float64Array, rowCount: number, word: number, keys: Uint32Array): void {
  const double = new Float64Array(1);
  const words = new Uint32Array(double.buffer);
  for (const [from, to] of slicesOf(rowCount))
    for (let row = from; row < to; row++) {
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
  const rowCount = keys.length;
  const widest = rowCount < wideDigitRows ? 8 : 11;
  const digitCount = Math.ceil(bitCount / widest);
  const width = Math.ceil(bitCount / digitCount);
  const starts = new Uint32Array(2 ** width);
  for (let shift = 0; shift < bitCount; shift += width) {
    endIfCancelled();
    if (!countDigits(keys, shift, starts)) continue;
    for (const [from, to] of slicesOf(rowCount))
      place(turn.rows, turn.next, { keys, shift, starts }, from, to);
    [turn.rows, turn.next] = [turn.next, turn.rows];
  }
}

/** Counts each digit and converts the counts to start positions. Returns false if all keys have the same digit. */
function countDigits(keys: Uint32Array, shift: number, starts: Uint32Array): boolean {
  const mask = starts.length - 1;
  starts.fill(0);
  for (let row = 0; row < keys.length; row++) starts[(keys[row] >>> shift) & mask]++;
  if (starts[(keys[0] >>> shift) & mask] === keys.length) return false;
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
