import { ambiguous, type JoinColumn } from "./joinColumn.ts";

/**
 * Finds the row that contains a number. The index is plain data over shared memory, so it can be passed between
 * threads. `places` are row numbers plus 1; 0 stands for no row.
 *
 * - `range`: the place of value `base + i` is `places[i + 1]`; `places[0]` is 0. For whole values only.
 * - `hash`: open addressing. `keys[slot]` is a value if `places[slot]` is not 0, and at least one slot is empty. The
 *   kernel `findRows` searches it too.
 */
export type RowIndex = {
  /** Number of indexed rows. No place is greater. */
  readonly rowCount: number;
  readonly places: Uint32Array;
} & (
  | { readonly kind: "range"; readonly base: number }
  | { readonly kind: "hash"; readonly keys: Float64Array }
);

/** A range index has at most `leastRange` entries, or at most this many per row. */
const leastRange = 1024;
const rangePerRow = 8;

/**
 * Indexes the rows of a column of numbers or datetimes by their values. NaN is null and has no row; -0 counts as 0.
 * Takes O(rows). `smallRange` is a number of entries of a range index that is small enough however few rows there are.
 * @throws {EngineError} JOIN_AMBIGUOUS if a value occurs twice
 */
export function indexRows(
  values: Float64Array,
  column: JoinColumn,
  smallRange = leastRange,
): RowIndex {
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
  if (count === 0)
    return { kind: "range", rowCount: values.length, base: 0, places: sharedPlaces(1) };
  return isWhole && last - base < Math.max(smallRange, count * rangePerRow)
    ? indexRange(values, base, last - base + 1, column)
    : indexHash(values, count, column);
}

function indexRange(
  values: Float64Array,
  base: number,
  count: number,
  column: JoinColumn,
): RowIndex {
  const places = sharedPlaces(count + 1);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) continue;
    if (places[value - base + 1] > 0) throw ambiguous(column, value);
    places[value - base + 1] = row + 1;
  }
  return { kind: "range", rowCount: values.length, base: base + 0, places };
}

function indexHash(values: Float64Array, count: number, column: JoinColumn): RowIndex {
  const size = 2 ** Math.ceil(Math.log2(count * 2 + 1));
  const keys = new Float64Array(new SharedArrayBuffer(size * 8));
  const places = sharedPlaces(size);
  const slotOf = openSlots(keys, places);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value !== value) continue;
    const slot = slotOf(value);
    if (places[slot] > 0) throw ambiguous(column, value);
    keys[slot] = value;
    places[slot] = row + 1;
  }
  return { kind: "hash", rowCount: values.length, keys, places };
}

/** Writes the place of each value; 0 for null and for values without a row. */
export function findRows(index: RowIndex, values: Float64Array, found: Uint32Array): void {
  if (index.kind === "range") {
    const { base, places } = index;
    for (let row = 0; row < values.length; row++) {
      const value = values[row];
      // The difference of a fraction and `base` may be rounded to a whole number.
      found[row] = Number.isInteger(value) ? (places[value - base + 1] ?? 0) : 0;
    }
    return;
  }
  const { keys, places } = index;
  const slotOf = openSlots(keys, places);
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    found[row] = value === value ? places[slotOf(value)] : 0;
  }
}

/**
 * Returns a function that finds the slot that contains a value or, if there is none, the empty slot in which the value
 * belongs. The hash mixes the two halves of the double like MurmurHash3's fmix32.
 */
function openSlots(keys: Float64Array, places: Uint32Array): (value: number) => number {
  const mask = keys.length - 1;
  const bits = new Float64Array(1);
  const halves = new Uint32Array(bits.buffer);
  return (value) => {
    bits[0] = value + 0;
    let hash = Math.imul(halves[0], 0xcc9e2d51) ^ halves[1];
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    let slot = (hash ^ (hash >>> 16)) & mask;
    while (places[slot] > 0 && keys[slot] !== value) slot = (slot + 1) & mask;
    return slot;
  };
}

function sharedPlaces(count: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(count * 4));
}
