import { one } from "./constants";

/*
 * Floats of selected rows go straight from their column to the states of few groups: each is loaded once, and never
 * written. A table has the offset of each group's state, since renumbered groups need not be neighbours.
 */

/** The slot of the group of a selected row. */
function slotOf(numbers: usize, row: usize, offsets: usize, state: usize): usize {
  return state + <usize>load<u32>(offsets + ((<usize>load<u8>(numbers + row)) << 2));
}

/** A stored float in both lanes. */
function loadBoth<V>(values: usize, row: usize): v128 {
  if (sizeof<V>() === 8) return v128.load_splat<u64>(values + (row << 3));
  return f64x2.splat(<f64>load<f32>(values + (row << 2)));
}

/** Adds one and a value to a slot, or nothing for NaN. */
function addValue(slot: usize, ones: v128, value: v128): void {
  const pair = v128.shuffle<u64>(ones, value, 0, 3);
  v128.store(slot, f64x2.add(v128.load(slot), v128.and(pair, f64x2.eq(value, value))));
}

/** Copies the stored float of a selected row as it is. */
function bring<V>(values: usize, row: usize, to: usize): void {
  store<V>(to, load<V>(values + row * sizeof<V>()));
}

/**
 * `foldFewFloat` for values of type V, inlined: V8 optimizes a function when loops of its own have run long enough.
 * While the rows of the first half are folded, those of the second are brought: a machine reads two places in memory
 * faster than one.
 */
@inline
export function foldFewFloat<V>(
  numbers: usize,
  values: usize,
  selection: usize,
  rowCount: i32,
  offsets: usize,
  state: usize,
  copyBytes: usize,
  scratch: usize,
): void {
  const ones = f64x2.splat(one);
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  const half = (rowCount >> 3) << 2;
  const end = selection + (<usize>half << 1);
  let far = end;
  for (let to = scratch; selection < end; to += 4 * sizeof<V>()) {
    const row0 = <usize>load<u16>(selection);
    const row1 = <usize>load<u16>(selection, 2);
    const row2 = <usize>load<u16>(selection, 4);
    const row3 = <usize>load<u16>(selection, 6);
    addValue(slotOf(numbers, row0, offsets, state), ones, loadBoth<V>(values, row0));
    addValue(slotOf(numbers, row1, offsets, second), ones, loadBoth<V>(values, row1));
    addValue(slotOf(numbers, row2, offsets, third), ones, loadBoth<V>(values, row2));
    addValue(slotOf(numbers, row3, offsets, fourth), ones, loadBoth<V>(values, row3));
    bring<V>(values, <usize>load<u16>(far), to);
    bring<V>(values, <usize>load<u16>(far, 2), to + sizeof<V>());
    bring<V>(values, <usize>load<u16>(far, 4), to + 2 * sizeof<V>());
    bring<V>(values, <usize>load<u16>(far, 6), to + 3 * sizeof<V>());
    selection += 8;
    far += 8;
  }
  for (let from = scratch; selection < far; from += 4 * sizeof<V>()) {
    const row0 = <usize>load<u16>(selection);
    const row1 = <usize>load<u16>(selection, 2);
    const row2 = <usize>load<u16>(selection, 4);
    const row3 = <usize>load<u16>(selection, 6);
    addValue(slotOf(numbers, row0, offsets, state), ones, loadBoth<V>(from, 0));
    addValue(slotOf(numbers, row1, offsets, second), ones, loadBoth<V>(from, 1));
    addValue(slotOf(numbers, row2, offsets, third), ones, loadBoth<V>(from, 2));
    addValue(slotOf(numbers, row3, offsets, fourth), ones, loadBoth<V>(from, 3));
    selection += 8;
  }
  for (let place = 2 * half; place < rowCount; place++) {
    const row = <usize>load<u16>(selection);
    const copy = state + <usize>(place & 3) * copyBytes;
    addValue(slotOf(numbers, row, offsets, copy), ones, loadBoth<V>(values, row));
    selection += 2;
  }
}

/** Adds two values that are not NaN to a slot. */
function addPair(slot: usize, left: usize, right: usize, row: usize): void {
  const pair = v128.load_lane<u64>(right + (row << 3), v128.load_zero<u64>(left + (row << 3)), 1);
  v128.store(slot, f64x2.add(v128.load(slot), pair));
}

export function foldFewPair(
  numbers: usize,
  left: usize,
  right: usize,
  selection: usize,
  rowCount: i32,
  offsets: usize,
  state: usize,
  copyBytes: usize,
): void {
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  for (; rowCount >= 4; rowCount -= 4) {
    const row0 = <usize>load<u16>(selection);
    const row1 = <usize>load<u16>(selection, 2);
    const row2 = <usize>load<u16>(selection, 4);
    const row3 = <usize>load<u16>(selection, 6);
    addPair(slotOf(numbers, row0, offsets, state), left, right, row0);
    addPair(slotOf(numbers, row1, offsets, second), left, right, row1);
    addPair(slotOf(numbers, row2, offsets, third), left, right, row2);
    addPair(slotOf(numbers, row3, offsets, fourth), left, right, row3);
    selection += 8;
  }
  for (; rowCount > 0; rowCount--) {
    const row = <usize>load<u16>(selection);
    addPair(slotOf(numbers, row, offsets, state), left, right, row);
    state += copyBytes;
    selection += 2;
  }
}
