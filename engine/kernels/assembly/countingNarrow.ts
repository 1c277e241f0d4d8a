import { count } from "./counters";
import { loadFour, loadSpread, width } from "./stored";

/*
 * With at most 65,536 counters, the index of a counter has 16 bits, so a vector has eight. The indices of 512 rows are
 * computed first, in vectors; a row then takes two loads and a store.
 */

const blockRows: i32 = 512;

/** The buckets of four rows. */
function bucketsOf<V>(values: usize, spread: v128, offsets: v128, shift: u32): v128 {
  const stored = loadFour<V>(values, spread);
  const places = i32x4.shr_u(i32x4.add(stored, offsets), shift);
  return v128.andnot(places, i32x4.eq(stored, i32x4.splat(0)));
}

/** The numbers of eight rows. */
function numbersOf<N>(numbers: usize): v128 {
  if (sizeof<N>() === 1) return v128.load_ext<u8>(numbers);
  if (sizeof<N>() === 2) return v128.load(numbers);
  return i16x8.narrow_i32x4_u(v128.load(numbers), v128.load(numbers, 16));
}

/**
 * `countNarrow` for group numbers of type N and values of type V. Inlined, since V8 optimizes a function only when its
 * own loops have run long enough.
 */
@inline
export function countNarrow<N, V>(
  numbers: usize,
  values: usize,
  rowCount: i32,
  offset: u32,
  shift: u32,
  counts: usize,
  stride: u32,
  scratch: usize,
): void {
  const spread = loadSpread();
  const offsets = i32x4.splat(offset);
  const strides = i16x8.splat(<i16>stride);
  for (; rowCount > 0; rowCount -= blockRows) {
    const rows = min(rowCount, blockRows);
    for (let at = scratch, end = scratch + (<usize>rows << 1); at < end; at += 16) {
      const low = bucketsOf<V>(values, spread, offsets, shift);
      const high = bucketsOf<V>(values + 4 * width<V>(), spread, offsets, shift);
      const groups = i16x8.mul(numbersOf<N>(numbers), strides);
      v128.store(at, i16x8.add(i16x8.narrow_i32x4_u(low, high), groups));
      numbers += 8 * sizeof<N>();
      values += 8 * width<V>();
    }
    let at = scratch;
    for (const end = scratch + (<usize>(rows & -4) << 1); at < end; at += 8) {
      count(counts + (<usize>load<u16>(at) << 2));
      count(counts + (<usize>load<u16>(at, 2) << 2));
      count(counts + (<usize>load<u16>(at, 4) << 2));
      count(counts + (<usize>load<u16>(at, 6) << 2));
    }
    for (const end = scratch + (<usize>rows << 1); at < end; at += 2) {
      count(counts + (<usize>load<u16>(at) << 2));
    }
  }
}
