import { loadFour, loadOne, loadSpread, width } from "./stored";

/** Returns the sum of the unsigned 32-bit lanes. */
function sumLanes(lanes: v128): u64 {
  const sums = i64x2.add(i64x2.extend_low_i32x4_u(lanes), i64x2.extend_high_i32x4_u(lanes));
  return i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
}

/**
 * Number of rows summed in narrow lanes before the lanes are added to the wide sum. It is so small that no lane can
 * overflow.
 */
const blockRows: i32 = 1024;

/**
 * The loop of `total` (M is void) and `totalMasked` (M is u8) for values of type T. With a mask, rows with 0 count as
 * null, and T must be u8 or u16.
 */
function totalWhole<T, M>(values: usize, mask: usize, rowCount: i32, out: usize): void {
  let sum: u64 = 0;
  let nulls: u64 = 0;
  let row: i32 = 0;
  const zero = i32x4.splat(0);
  const spread = loadSpread();
  while (row + 16 <= rowCount) {
    const end = min(rowCount - 15, row + blockRows);
    // Nulls are counted by adding -1 in lanes of 8, 16 or 32 bits.
    let minusNulls = zero;
    let sums = zero;
    let others = zero;
    for (; row < end; row += 16) {
      if (!isSigned<T>() && sizeof<T>() === 1) {
        let stored = v128.load(values);
        if (!isVoid<M>()) stored = v128.and(stored, i8x16.neg(v128.load(mask)));
        sums = i16x8.add(sums, i16x8.extadd_pairwise_i8x16_u(stored));
        minusNulls = i8x16.add(minusNulls, i8x16.eq(stored, zero));
      } else if (!isSigned<T>() && sizeof<T>() === 2) {
        let first = v128.load(values);
        let second = v128.load(values, 16);
        if (!isVoid<M>()) {
          const bytes = i8x16.neg(v128.load(mask));
          first = v128.and(first, i16x8.extend_low_i8x16_s(bytes));
          second = v128.and(second, i16x8.extend_high_i8x16_s(bytes));
        }
        sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(first));
        others = i32x4.add(others, i32x4.extadd_pairwise_i16x8_u(second));
        minusNulls = i16x8.add(
          minusNulls,
          i16x8.add(i16x8.eq(first, zero), i16x8.eq(second, zero)),
        );
      } else {
        const first = loadFour<T>(values, spread);
        const second = loadFour<T>(values + 4 * width<T>(), spread);
        const third = loadFour<T>(values + 8 * width<T>(), spread);
        const fourth = loadFour<T>(values + 12 * width<T>(), spread);
        if (isSigned<T>()) {
          sums = i32x4.add(sums, i32x4.add(first, second));
          others = i32x4.add(others, i32x4.add(third, fourth));
        } else {
          const half = i64x2.splat(0xffffffff);
          sums = i64x2.add(sums, i64x2.add(v128.and(first, half), v128.and(second, half)));
          others = i64x2.add(others, i64x2.add(i64x2.shr_u(first, 32), i64x2.shr_u(second, 32)));
          sums = i64x2.add(sums, i64x2.add(v128.and(third, half), v128.and(fourth, half)));
          others = i64x2.add(others, i64x2.add(i64x2.shr_u(third, 32), i64x2.shr_u(fourth, 32)));
        }
        minusNulls = i32x4.add(
          minusNulls,
          i32x4.add(
            i32x4.add(i32x4.eq(first, zero), i32x4.eq(second, zero)),
            i32x4.add(i32x4.eq(third, zero), i32x4.eq(fourth, zero)),
          ),
        );
      }
      values += 16 * width<T>();
      if (!isVoid<M>()) mask += 16;
    }
    if (!isSigned<T>() && sizeof<T>() === 1) {
      sum += sumLanes(i32x4.extadd_pairwise_i16x8_u(sums));
      const counts = i8x16.sub(zero, minusNulls);
      nulls += sumLanes(i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(counts)));
    } else if (!isSigned<T>() && sizeof<T>() === 2) {
      sum += sumLanes(sums) + sumLanes(others);
      nulls += sumLanes(i32x4.extadd_pairwise_i16x8_u(i16x8.sub(zero, minusNulls)));
    } else {
      if (isSigned<T>()) {
        sum += sumLanes(sums) + sumLanes(others);
      } else {
        const both = i64x2.add(sums, others);
        sum += i64x2.extract_lane(both, 0) + i64x2.extract_lane(both, 1);
      }
      nulls += sumLanes(i32x4.sub(zero, minusNulls));
    }
  }
  for (; row < rowCount; row++) {
    let stored = loadOne<T>(values);
    if (!isVoid<M>()) {
      stored &= -(<u32>load<u8>(mask));
      mask++;
    }
    sum += stored;
    if (stored === 0) nulls++;
    values += width<T>();
  }
  store<f64>(out, <f64>sum);
  store<f64>(out, <f64>(<u64>rowCount - nulls), 8);
}

export function total<T>(values: usize, rowCount: i32, out: usize): void {
  totalWhole<T, void>(values, 0, rowCount, out);
}

/** Adds the two 32-bit halves of each 64-bit lane. */
function addHalves(lanes: v128): v128 {
  return i64x2.add(v128.and(lanes, i64x2.splat(0xffffffff)), i64x2.shr_u(lanes, 32));
}

/**
 * The loop of `totalMasked` for wider values. Kept short, so that it is inlined into its only caller: V8 optimizes a
 * function only when its own loops have run long enough.
 */
function totalMaskedWide<T>(values: usize, mask: usize, rowCount: i32, out: usize): void {
  const zero = i32x4.splat(0);
  const spread = loadSpread();
  let sums = zero;
  let minusNulls = zero;
  let row: i32 = 0;
  for (; row + 16 <= rowCount; row += 16) {
    const bytes = i8x16.neg(v128.load(mask));
    const low = i16x8.extend_low_i8x16_s(bytes);
    const high = i16x8.extend_high_i8x16_s(bytes);
    const first = v128.and(loadFour<T>(values, spread), i32x4.extend_low_i16x8_s(low));
    const second = v128.and(
      loadFour<T>(values + 4 * width<T>(), spread),
      i32x4.extend_high_i16x8_s(low),
    );
    const third = v128.and(
      loadFour<T>(values + 8 * width<T>(), spread),
      i32x4.extend_low_i16x8_s(high),
    );
    const fourth = v128.and(
      loadFour<T>(values + 12 * width<T>(), spread),
      i32x4.extend_high_i16x8_s(high),
    );
    if (isSigned<T>()) {
      // The sum of four 24-bit numbers fits in 32 bits.
      const lanes = i32x4.add(i32x4.add(first, second), i32x4.add(third, fourth));
      sums = i64x2.add(sums, addHalves(lanes));
    } else {
      sums = i64x2.add(sums, i64x2.add(addHalves(first), addHalves(second)));
      sums = i64x2.add(sums, i64x2.add(addHalves(third), addHalves(fourth)));
    }
    minusNulls = i32x4.add(
      minusNulls,
      i32x4.add(
        i32x4.add(i32x4.eq(first, zero), i32x4.eq(second, zero)),
        i32x4.add(i32x4.eq(third, zero), i32x4.eq(fourth, zero)),
      ),
    );
    values += 16 * width<T>();
    mask += 16;
  }
  let sum = i64x2.extract_lane(sums, 0) + i64x2.extract_lane(sums, 1);
  let nulls = sumLanes(i32x4.neg(minusNulls));
  for (; row < rowCount; row++) {
    const stored = loadOne<T>(values) & -(<u32>load<u8>(mask));
    sum += stored;
    if (stored === 0) nulls++;
    values += width<T>();
    mask++;
  }
  store<f64>(out, <f64>(<u64>sum));
  store<f64>(out, <f64>(<u64>rowCount - nulls), 8);
}

export function totalMasked<T>(values: usize, mask: usize, rowCount: i32, out: usize): void {
  if (sizeof<T>() <= 2) totalWhole<T, u8>(values, mask, rowCount, out);
  else totalMaskedWide<T>(values, mask, rowCount, out);
}

/** Loads two stored floats as doubles. */
function loadPair<T>(address: usize): v128 {
  if (sizeof<T>() === 4) return f64x2.promote_low_f32x4(v128.load_zero<u64>(address));
  return v128.load(address);
}

/** Adds row i to running sum i % 8; out[0] = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7)). */
export function totalFloat<T>(values: usize, rowCount: i32, out: usize): void {
  let sums0 = f64x2.splat(0);
  let sums2 = sums0;
  let sums4 = sums0;
  let sums6 = sums0;
  let minusCounts = i64x2.splat(0);
  for (let left: i64 = rowCount; left > 0; left -= 8) {
    const first = loadPair<T>(values);
    const second = loadPair<T>(values + 2 * sizeof<T>());
    const third = loadPair<T>(values + 4 * sizeof<T>());
    const fourth = loadPair<T>(values + 6 * sizeof<T>());
    let is0 = f64x2.eq(first, first);
    let is2 = f64x2.eq(second, second);
    let is4 = f64x2.eq(third, third);
    let is6 = f64x2.eq(fourth, fourth);
    if (left < 8) {
      const rows = i64x2.splat(left);
      is0 = v128.and(is0, i64x2.lt_s(i64x2(0, 1), rows));
      is2 = v128.and(is2, i64x2.lt_s(i64x2(2, 3), rows));
      is4 = v128.and(is4, i64x2.lt_s(i64x2(4, 5), rows));
      is6 = v128.and(is6, i64x2.lt_s(i64x2(6, 7), rows));
    }
    sums0 = f64x2.add(sums0, v128.and(first, is0));
    sums2 = f64x2.add(sums2, v128.and(second, is2));
    sums4 = f64x2.add(sums4, v128.and(third, is4));
    sums6 = f64x2.add(sums6, v128.and(fourth, is6));
    minusCounts = i64x2.add(minusCounts, i64x2.add(i64x2.add(is0, is2), i64x2.add(is4, is6)));
    values += 8 * sizeof<T>();
  }
  const sum0 = f64x2.extract_lane(sums0, 0) + f64x2.extract_lane(sums0, 1);
  const sum2 = f64x2.extract_lane(sums2, 0) + f64x2.extract_lane(sums2, 1);
  const sum4 = f64x2.extract_lane(sums4, 0) + f64x2.extract_lane(sums4, 1);
  const sum6 = f64x2.extract_lane(sums6, 0) + f64x2.extract_lane(sums6, 1);
  store<f64>(out, sum0 + sum2 + (sum4 + sum6));
  const minusCount = i64x2.extract_lane(minusCounts, 0) + i64x2.extract_lane(minusCounts, 1);
  store<f64>(out, <f64>-minusCount, 8);
}

export function extent(vector: usize, rowCount: i32, out: usize): void {
  let least = f64x2.splat(Infinity);
  let otherLeast = least;
  let most = f64x2.splat(-Infinity);
  let otherMost = most;
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const low = v128.load(vector);
    const high = v128.load(vector, 16);
    least = f64x2.pmin(least, low);
    most = f64x2.pmax(most, low);
    otherLeast = f64x2.pmin(otherLeast, high);
    otherMost = f64x2.pmax(otherMost, high);
    vector += 32;
  }
  for (; row < rowCount; row++) {
    const value = v128.load_splat<u64>(vector);
    least = f64x2.pmin(least, value);
    most = f64x2.pmax(most, value);
    vector += 8;
  }
  least = f64x2.min(least, otherLeast);
  most = f64x2.max(most, otherMost);
  store<f64>(out, min(f64x2.extract_lane(least, 0), f64x2.extract_lane(least, 1)));
  store<f64>(out, -max(f64x2.extract_lane(most, 0), f64x2.extract_lane(most, 1)), 8);
}
