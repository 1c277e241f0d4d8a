import { padNumbers, highSets, joinSets, lowSets } from "./fewGroups";
import { loadFour, loadSpread, width } from "./stored";

/** Returns one byte for each of sixteen stored values: all bits are set if the value is null, otherwise none. */
function nullsOf<T>(values: usize, spread: v128): v128 {
  const zero = i32x4.splat(0);
  if (isFloat<T>() && sizeof<T>() === 8) {
    const rows0 = v128.load(values);
    const rows2 = v128.load(values, 16);
    const rows4 = v128.load(values, 32);
    const rows6 = v128.load(values, 48);
    const rows8 = v128.load(values, 64);
    const rows10 = v128.load(values, 80);
    const rows12 = v128.load(values, 96);
    const rows14 = v128.load(values, 112);
    return i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(
        v128.shuffle<u32>(f64x2.ne(rows0, rows0), f64x2.ne(rows2, rows2), 0, 2, 4, 6),
        v128.shuffle<u32>(f64x2.ne(rows4, rows4), f64x2.ne(rows6, rows6), 0, 2, 4, 6),
      ),
      i16x8.narrow_i32x4_s(
        v128.shuffle<u32>(f64x2.ne(rows8, rows8), f64x2.ne(rows10, rows10), 0, 2, 4, 6),
        v128.shuffle<u32>(f64x2.ne(rows12, rows12), f64x2.ne(rows14, rows14), 0, 2, 4, 6),
      ),
    );
  }
  if (isFloat<T>()) {
    const rows0 = v128.load(values);
    const rows4 = v128.load(values, 16);
    const rows8 = v128.load(values, 32);
    const rows12 = v128.load(values, 48);
    return i8x16.narrow_i16x8_s(
      i16x8.narrow_i32x4_s(f32x4.ne(rows0, rows0), f32x4.ne(rows4, rows4)),
      i16x8.narrow_i32x4_s(f32x4.ne(rows8, rows8), f32x4.ne(rows12, rows12)),
    );
  }
  if (width<T>() === 1) return i8x16.eq(v128.load(values), zero);
  if (width<T>() === 2) {
    return i8x16.narrow_i16x8_s(
      i16x8.eq(v128.load(values), zero),
      i16x8.eq(v128.load(values, 16), zero),
    );
  }
  return i8x16.narrow_i16x8_s(
    i16x8.narrow_i32x4_s(
      i32x4.eq(loadFour<T>(values, spread), zero),
      i32x4.eq(loadFour<T>(values + 4 * width<T>(), spread), zero),
    ),
    i16x8.narrow_i32x4_s(
      i32x4.eq(loadFour<T>(values + 8 * width<T>(), spread), zero),
      i32x4.eq(loadFour<T>(values + 12 * width<T>(), spread), zero),
    ),
  );
}

/** Writes and returns the group numbers of sixteen rows, in which rows with a null are excluded. */
function leaveBlock<T>(
  numbers: usize,
  values: usize,
  to: usize,
  row: i32,
  spread: v128,
): v128 {
  const nulls = nullsOf<T>(values + <usize>row * width<T>(), spread);
  const left = v128.or(v128.load(numbers + row), nulls);
  v128.store(to + row, left);
  return left;
}

/**
 * `leaveNulls` for values of type T. Inlined, because V8 optimizes a function only when its own loops have run long
 * enough. Alternates between the two halves of the rows, because reading from two places in memory is faster than
 * reading from one.
 */
@inline
export function leaveNulls<T>(numbers: usize, values: usize, rowCount: i32, to: usize): i32 {
  const spread = loadSpread();
  const lows = lowSets();
  const highs = highSets();
  let low = i8x16.splat(0);
  let high = low;
  const half = (rowCount >> 5) << 4;
  let row: i32 = 0;
  for (; row < half; row += 16) {
    const near = leaveBlock<T>(numbers, values, to, row, spread);
    const far = leaveBlock<T>(numbers, values, to, row + half, spread);
    low = v128.or(low, i8x16.relaxed_swizzle(lows, near));
    high = v128.or(high, i8x16.relaxed_swizzle(highs, near));
    low = v128.or(low, i8x16.relaxed_swizzle(lows, far));
    high = v128.or(high, i8x16.relaxed_swizzle(highs, far));
  }
  for (row = 2 * half; row < rowCount; row += 16) {
    leaveBlock<T>(numbers, values, to, row, spread);
    if (row + 16 > rowCount) padNumbers(to, rowCount);
    const left = v128.load(to + row);
    low = v128.or(low, i8x16.relaxed_swizzle(lows, left));
    high = v128.or(high, i8x16.relaxed_swizzle(highs, left));
  }
  padNumbers(to, rowCount);
  return joinSets(low, high);
}
