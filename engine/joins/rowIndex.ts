import { ambiguous, type JoinColumn } from "./joinColumn.ts";

/**
 * Finds the row that contains a number. The index is plain data over shared memory, so it can be passed between
 * threads.
 *
 * - `range`: the row of value `base + i` is `rows[i + 1]`; `rows[0]` is -1. For whole values only.
 * - `hash`: open addressing. `keys[slot]` is a value if `rows[slot]` is not -1, and at least one slot is empty.
 */
export type RowIndex =
  | { readonly kind: "range"; readonly base: number; readonly rows: Int32Array }
  | { readonly kind: "hash"; readonly keys: Float64Array; readonly rows: Int32Array };

/** A range index is used if it has at most this many entries per row. */
const rangePerRow = 8;

/**
 * Indexes the rows of a column of numbers or datetimes by their values. NaN is null and has no row; -0 counts as 0.
 * Takes O(rows).
 * @throws {EngineError} JOIN_AMBIGUOUS if a value occurs twice
 */
export function indexRows(values: Float64Array, column: JoinColumn): RowIndex {
  let base = Infinity;
  let last = -Infinity;
  let isWhole = true;
  let count = 0;
  for (const value of values) {
    if (value !== value) continue;
    count++;
    if (value < base) base = value;
    if (value > last) last = value;
    if (!Number.isSafeInteger(value)) isWhole = false;
  }
  if (count === 0) return { kind: "range", base: 0, rows: sharedRows(1) };
  return isWhole && last - base < Math.max(1024, count * rangePerRow)
    ? indexRange(values, base, last - base + 1, column)
    : indexHash(values, count, column);
}

function indexRange(
  values: Float64Array,
  base: number,
  count: number,
  column: JoinColumn,
): RowIndex {
  const rows = sharedRows(count + 1);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) continue;
    if (rows[value - base + 1] >= 0) throw ambiguous(column, value);
    rows[value - base + 1] = row;
  }
  return { kind: "range", base: base + 0, rows };
}

function indexHash(values: Float64Array, count: number, column: JoinColumn): RowIndex {
  const size = 2 ** Math.ceil(Math.log2(count * 2 + 1));
  const keys = new Float64Array(new SharedArrayBuffer(size * 8));
  const rows = sharedRows(size);
  const slotOf = openSlots(keys, rows);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) continue;
    const slot = slotOf(value);
    if (rows[slot] >= 0) throw ambiguous(column, value);
    keys[slot] = value;
    rows[slot] = row;
  }
  return { kind: "hash", keys, rows };
}

/** Writes the row of each value; -1 for null and for values without a row. */
export function findRows(
  index: RowIndex,
  values: Float64Array,
  rowCount: number,
  found: Int32Array,
): void {
  if (index.kind === "range") {
    const { base, rows } = index;
    for (let row = 0; row < rowCount; row++) {
      const place = values[row] - base + 1;
      found[row] = place >= 1 && place < rows.length ? (rows[place] ?? -1) : -1;
    }
    return;
  }
  const { keys, rows } = index;
  const slotOf = openSlots(keys, rows);
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    found[row] = value === value ? rows[slotOf(value)] : -1;
  }
}

/**
 * Returns a function that finds the slot of a value, or the empty slot where the value belongs. It mixes the two halves
 * of the double like MurmurHash3's fmix32.
 */
function openSlots(keys: Float64Array, rows: Int32Array): (value: number) => number {
  const mask = keys.length - 1;
  const bits = new Float64Array(1);
  const halves = new Uint32Array(bits.buffer);
  return (value) => {
    bits[0] = value + 0;
    let hash = Math.imul(halves[0], 0xcc9e2d51) ^ halves[1];
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (rows[slot] >= 0 && keys[slot] !== value) slot = (slot + 1) & mask;
    return slot;
  };
}

function sharedRows(count: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(count * 4)).fill(-1);
}
