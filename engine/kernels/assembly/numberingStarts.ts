import { loadFour, loadFourSelected, loadOne, loadSpread, width } from "./stored";

/** Lanes compare signed in one instruction, so both sides are moved by half the range. */
const half: u32 = 0x80000000;

/** first + how many starts are at most the stored number, and 0 for null. */
function countOne(stored: u32, starts: usize, startCount: i32, first: u32): u32 {
  if (stored === 0) return 0;
  let count = first;
  for (; startCount > 0; startCount--) {
    count += u32(load<u32>(starts) <= stored);
    starts += 4;
  }
  return count;
}

/**
 * The loop of `numberStarts` (S is void) and `numberStartsSelected` (S is u16) for numbers stored as T. Inlined, since
 * V8 optimizes a function only when its own loops have run long enough.
 */
@inline
function numberByStarts<T, S>(
  values: usize,
  selection: usize,
  rowCount: i32,
  starts: usize,
  startCount: i32,
  first: u32,
  stride: u32,
  numbers: usize,
  isFirst: i32,
): void {
  const zero = i32x4.splat(0);
  const firsts = i32x4.splat(first);
  const strides = i32x4.splat(stride);
  const keep = i32x4.splat(isFirst ? 0 : -1);
  const halves = i32x4.splat(half);
  const spread = loadSpread();
  const end = starts + (<usize>startCount << 2);
  const least = isVoid<S>() ? 0 : 7;
  for (; rowCount > least; rowCount -= 8) {
    let low: v128;
    let high: v128;
    if (isVoid<S>()) {
      low = loadFour<T>(values, spread);
      high = loadFour<T>(values + 4 * width<T>(), spread);
      values += 8 * width<T>();
    } else {
      low = loadFourSelected<T>(values, selection);
      high = loadFourSelected<T>(values, selection + 8);
      selection += 16;
    }
    const signedLow = v128.xor(low, halves);
    const signedHigh = v128.xor(high, halves);
    let lowCounts = firsts;
    let highCounts = firsts;
    for (let start = starts; start < end; start += 4) {
      const before = i32x4.splat(load<u32>(start) - 1 - half);
      lowCounts = i32x4.sub(lowCounts, i32x4.gt_s(signedLow, before));
      highCounts = i32x4.sub(highCounts, i32x4.gt_s(signedHigh, before));
    }
    lowCounts = i32x4.mul(v128.andnot(lowCounts, i32x4.eq(low, zero)), strides);
    highCounts = i32x4.mul(v128.andnot(highCounts, i32x4.eq(high, zero)), strides);
    v128.store(numbers, i32x4.add(v128.and(v128.load(numbers), keep), lowCounts));
    v128.store(numbers, i32x4.add(v128.and(v128.load(numbers, 16), keep), highCounts), 16);
    numbers += 32;
  }
  if (!isVoid<S>()) {
    for (; rowCount > 0; rowCount--) {
      const stored = loadOne<T>(values + <usize>load<u16>(selection) * width<T>());
      const added = countOne(stored, starts, startCount, first) * stride;
      store<u32>(numbers, (isFirst ? 0 : load<u32>(numbers)) + added);
      selection += 2;
      numbers += 4;
    }
  }
}

@inline
export function numberStarts<T>(
  values: usize,
  rowCount: i32,
  starts: usize,
  startCount: i32,
  first: u32,
  stride: u32,
  numbers: usize,
  isFirst: i32,
): void {
  numberByStarts<T, void>(values, 0, rowCount, starts, startCount, first, stride, numbers, isFirst);
}

@inline
export function numberStartsSelected<T>(
  values: usize,
  selection: usize,
  rowCount: i32,
  starts: usize,
  startCount: i32,
  first: u32,
  stride: u32,
  numbers: usize,
  isFirst: i32,
): void {
  numberByStarts<T, u16>(values, selection, rowCount, starts, startCount, first, stride, numbers, isFirst);
}
