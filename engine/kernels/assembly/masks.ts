import { fifteen } from "./constants";
import { bitsOf, sumBytes } from "./maskBits";
import { loadFour, loadOne, loadSpread, width } from "./stored";

/** Narrows four masks of 32-bit lanes to sixteen bytes of 0 or 1. */
function narrowWords(first: v128, second: v128, third: v128, fourth: v128): v128 {
  return i8x16.abs(
    i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(first, second), i16x8.narrow_i32x4_s(third, fourth)),
  );
}

/** Narrows four masks of 64-bit lanes to eight bytes of 0 or 1, in the low half. */
function narrowDoubles(first: v128, second: v128, third: v128, fourth: v128): v128 {
  const words = i16x8.narrow_i32x4_s(
    v128.shuffle<u32>(first, second, 0, 2, 4, 6),
    v128.shuffle<u32>(third, fourth, 0, 2, 4, 6),
  );
  return i8x16.abs(i8x16.narrow_i16x8_s(words, words));
}

export function range<T>(values: usize, rowCount: i32, low: f64, high: f64, mask: usize): void {
  const most: f64 = isSigned<T>() ? 16777215 : <f64>(<u32>(0xffffffff >>> (32 - 8 * sizeof<T>())));
  low = ceil(max(low, 0));
  high = floor(min(high, most));
  const isAll = low === 0 && high === most;
  if (isAll || !(low <= high)) {
    memory.fill(mask, isAll ? 1 : 0, rowCount);
    return;
  }
  // low <= stored <= high (unsigned) is equivalent to stored - low < high - low + 1 with wrapping. One instruction
  // compares lanes as signed numbers, so both sides are shifted by half the range.
  const least = <u32>low;
  const count = <u32>(high - low) + 1;
  const spread = loadSpread();
  for (let row: i32 = 0; row < rowCount; row += 16) {
    if (!isSigned<T>() && sizeof<T>() === 1) {
      const from = i8x16.splat(<i8>(least + 0x80));
      const end = i8x16.splat(<i8>(count - 0x80));
      v128.store(mask, i8x16.abs(i8x16.gt_s(end, i8x16.sub(v128.load(values), from))));
    } else if (!isSigned<T>() && sizeof<T>() === 2) {
      const from = i16x8.splat(<i16>(least + 0x8000));
      const end = i16x8.splat(<i16>(count - 0x8000));
      const first = i16x8.gt_s(end, i16x8.sub(v128.load(values), from));
      const second = i16x8.gt_s(end, i16x8.sub(v128.load(values, 16), from));
      v128.store(mask, i8x16.abs(i8x16.narrow_i16x8_s(first, second)));
    } else {
      const from = i32x4.splat(least + 0x80000000);
      const end = i32x4.splat(count - 0x80000000);
      v128.store(
        mask,
        narrowWords(
          i32x4.gt_s(end, i32x4.sub(loadFour<T>(values, spread), from)),
          i32x4.gt_s(end, i32x4.sub(loadFour<T>(values + 4 * width<T>(), spread), from)),
          i32x4.gt_s(end, i32x4.sub(loadFour<T>(values + 8 * width<T>(), spread), from)),
          i32x4.gt_s(end, i32x4.sub(loadFour<T>(values + 12 * width<T>(), spread), from)),
        ),
      );
    }
    values += 16 * width<T>();
    mask += 16;
  }
}

/** Returns the least float that is not below `bound`. */
function floatFrom(bound: f64): f32 {
  const nearest = <f32>bound;
  if (!(<f64>nearest < bound)) return nearest;
  if (nearest === 0) return reinterpret<f32>(1);
  const bits = reinterpret<i32>(nearest);
  return reinterpret<f32>(nearest > 0 ? bits + 1 : bits - 1);
}

export function rangeFloat4(values: usize, rowCount: i32, low: f64, high: f64, mask: usize): void {
  const from = f32x4.splat(floatFrom(low));
  const to = f32x4.splat(-floatFrom(-high));
  for (let row: i32 = 0; row < rowCount; row += 16) {
    const first = v128.load(values);
    const second = v128.load(values, 16);
    const third = v128.load(values, 32);
    const fourth = v128.load(values, 48);
    v128.store(
      mask,
      narrowWords(
        v128.and(f32x4.ge(first, from), f32x4.le(first, to)),
        v128.and(f32x4.ge(second, from), f32x4.le(second, to)),
        v128.and(f32x4.ge(third, from), f32x4.le(third, to)),
        v128.and(f32x4.ge(fourth, from), f32x4.le(fourth, to)),
      ),
    );
    values += 64;
    mask += 16;
  }
}

export function rangeFloat8(values: usize, rowCount: i32, low: f64, high: f64, mask: usize): void {
  const from = f64x2.splat(low);
  const to = f64x2.splat(high);
  for (let row: i32 = 0; row < rowCount; row += 8) {
    const first = v128.load(values);
    const second = v128.load(values, 16);
    const third = v128.load(values, 32);
    const fourth = v128.load(values, 48);
    v128.store_lane<u64>(
      mask,
      narrowDoubles(
        v128.and(f64x2.ge(first, from), f64x2.le(first, to)),
        v128.and(f64x2.ge(second, from), f64x2.le(second, to)),
        v128.and(f64x2.ge(third, from), f64x2.le(third, to)),
        v128.and(f64x2.ge(fourth, from), f64x2.le(fourth, to)),
      ),
      0,
    );
    values += 64;
    mask += 8;
  }
}

export function nullFloat4(values: usize, rowCount: i32, mask: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 16) {
    const first = v128.load(values);
    const second = v128.load(values, 16);
    const third = v128.load(values, 32);
    const fourth = v128.load(values, 48);
    v128.store(
      mask,
      narrowWords(
        f32x4.ne(first, first),
        f32x4.ne(second, second),
        f32x4.ne(third, third),
        f32x4.ne(fourth, fourth),
      ),
    );
    values += 64;
    mask += 16;
  }
}

export function nullFloat8(values: usize, rowCount: i32, mask: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 8) {
    const first = v128.load(values);
    const second = v128.load(values, 16);
    const third = v128.load(values, 32);
    const fourth = v128.load(values, 48);
    v128.store_lane<u64>(
      mask,
      narrowDoubles(
        f64x2.ne(first, first),
        f64x2.ne(second, second),
        f64x2.ne(third, third),
        f64x2.ne(fourth, fourth),
      ),
      0,
    );
    values += 64;
    mask += 8;
  }
}

export function lookup<T>(values: usize, rowCount: i32, table: usize, mask: usize): void {
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const first = load<u8>(table + loadOne<T>(values));
    const second = load<u8>(table + loadOne<T>(values, 1));
    const third = load<u8>(table + loadOne<T>(values, 2));
    const fourth = load<u8>(table + loadOne<T>(values, 3));
    store<u8>(mask, first);
    store<u8>(mask, second, 1);
    store<u8>(mask, third, 2);
    store<u8>(mask, fourth, 3);
    values += 4 * width<T>();
    mask += 4;
  }
  for (; row < rowCount; row++) {
    store<u8>(mask, load<u8>(table + loadOne<T>(values)));
    values += width<T>();
    mask++;
  }
}

/**
 * Bit `x` of the set is bit x & 7 of byte x >> 3. A swizzle of the set, or of each half of the set, finds the byte. A
 * swizzle of the powers of two finds the bit (W. Muła, "SIMD-ized check which bytes are in a set", 2018, with rows and
 * columns exchanged). For numbers below 16, one swizzle is enough.
 */
export function member(values: usize, rowCount: i32, set: usize, bound: i32, mask: usize): void {
  const low = v128.load(set);
  const high = v128.load(set, 16);
  const powers = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const lowest = i8x16.splat(<i8>fifteen);
  const one = i8x16.splat(<i8>(fifteen >> 3));
  if (bound <= 16) {
    const held = i8x16.swizzle(low, i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1));
    const passes = i8x16.min_u(v128.and(held, powers), one);
    for (let row: i32 = 0; row < rowCount; row += 16) {
      v128.store(mask, i8x16.relaxed_swizzle(passes, v128.load(values)));
      values += 16;
      mask += 16;
    }
    return;
  }
  if (bound <= 128) {
    for (let row: i32 = 0; row < rowCount; row += 16) {
      const bytes = v128.load(values);
      const held = i8x16.relaxed_swizzle(low, v128.and(i16x8.shr_u(bytes, 3), lowest));
      const bit = i8x16.relaxed_swizzle(powers, v128.and(bytes, lowest));
      v128.store(mask, i8x16.min_u(v128.and(held, bit), one));
      values += 16;
      mask += 16;
    }
    return;
  }
  for (let row: i32 = 0; row < rowCount; row += 16) {
    const bytes = v128.load(values);
    const place = v128.and(i16x8.shr_u(bytes, 3), lowest);
    const held = v128.bitselect(
      i8x16.relaxed_swizzle(high, place),
      i8x16.relaxed_swizzle(low, place),
      i8x16.shr_s(bytes, 7),
    );
    const bit = i8x16.relaxed_swizzle(powers, v128.and(bytes, lowest));
    v128.store(mask, i8x16.min_u(v128.and(held, bit), one));
    values += 16;
    mask += 16;
  }
}

export function andMask(left: usize, right: usize, rowCount: i32, mask: usize): i32 {
  let sums = i32x4.splat(0);
  let others = sums;
  let row: i32 = 0;
  for (; row + 32 <= rowCount; row += 32) {
    const first = v128.and(v128.load(left), v128.load(right));
    const second = v128.and(v128.load(left, 16), v128.load(right, 16));
    v128.store(mask, first);
    v128.store(mask, second, 16);
    sums = i8x16.add(sums, first);
    others = i8x16.add(others, second);
    left += 32;
    right += 32;
    mask += 32;
  }
  let count = sumBytes(sums, others);
  for (; row < rowCount; row += 16) {
    const bytes = v128.and(v128.load(left), v128.load(right));
    v128.store(mask, bytes);
    count += popcnt(bitsOf(bytes, rowCount - row));
    left += 16;
    right += 16;
    mask += 16;
  }
  return count;
}

export function orMask(left: usize, right: usize, rowCount: i32, mask: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 16) {
    v128.store(mask, v128.or(v128.load(left), v128.load(right)));
    left += 16;
    right += 16;
    mask += 16;
  }
}

export function notMask(masked: usize, rowCount: i32, mask: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 16) {
    v128.store(mask, v128.xor(v128.load(masked), i8x16.splat(1)));
    masked += 16;
    mask += 16;
  }
}
