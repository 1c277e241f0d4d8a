import { one, power52 } from "./constants";
import { loadFour, loadFourSelected, loadOne, loadSpread, width } from "./stored";

/**
 * Returns an integer in which all bits are set if the kernel adds to the previous numbers, and no bits if this key is
 * the first.
 */
function kept(isFirst: i32): i32 {
  return isFirst ? 0 : -1;
}

/** Computes stride * (stored === 0 ? 0 : stored + offset) in four lanes. */
function numberOf(stored: v128, offset: v128, stride: v128): v128 {
  return i32x4.mul(
    v128.andnot(i32x4.add(stored, offset), i32x4.eq(stored, i32x4.splat(0))),
    stride,
  );
}

export function number<T>(
  values: usize,
  rowCount: i32,
  offset: i32,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const offsets = i32x4.splat(offset);
  const strides = i32x4.splat(stride);
  const keep = i32x4.splat(kept(isFirst));
  const spread = loadSpread();
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const added = numberOf(loadFour<T>(values, spread), offsets, strides);
    v128.store(numbers, i32x4.add(v128.and(v128.load(numbers), keep), added));
    values += 4 * width<T>();
    numbers += 16;
  }
}

export function numberSelected<T>(
  values: usize,
  selection: usize,
  rowCount: i32,
  offset: i32,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const keep = kept(isFirst);
  const offsets = i32x4.splat(offset);
  const strides = i32x4.splat(stride);
  const keeps = i32x4.splat(keep);
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const added = numberOf(loadFourSelected<T>(values, selection), offsets, strides);
    v128.store(numbers, i32x4.add(v128.and(v128.load(numbers), keeps), added));
    selection += 8;
    numbers += 16;
  }
  for (; row < rowCount; row++) {
    const stored = loadOne<T>(values + <usize>load<u16>(selection) * width<T>());
    const added = stored === 0 ? 0 : stride * (stored + offset);
    store<u32>(numbers, (load<u32>(numbers) & keep) + added);
    selection += 2;
    numbers += 4;
  }
}

export function numberLookup<T>(
  values: usize,
  rowCount: i32,
  table: usize,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const keep = kept(isFirst);
  const strides = i32x4.splat(stride);
  const keeps = i32x4.splat(keep);
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    let found = v128.load_zero<u32>(table + (loadOne<T>(values) << 2));
    found = v128.load_lane<u32>(table + (loadOne<T>(values, 1) << 2), found, 1);
    found = v128.load_lane<u32>(table + (loadOne<T>(values, 2) << 2), found, 2);
    found = v128.load_lane<u32>(table + (loadOne<T>(values, 3) << 2), found, 3);
    const before = v128.and(v128.load(numbers), keeps);
    v128.store(numbers, i32x4.add(before, i32x4.mul(found, strides)));
    values += 4 * width<T>();
    numbers += 16;
  }
  for (; row < rowCount; row++) {
    const added = stride * load<u32>(table + (loadOne<T>(values) << 2));
    store<u32>(numbers, (load<u32>(numbers) & keep) + added);
    values += width<T>();
    numbers += 4;
  }
}

export function numberLookupSelected<T>(
  values: usize,
  selection: usize,
  rowCount: i32,
  table: usize,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const keep = kept(isFirst);
  const strides = i32x4.splat(stride);
  const keeps = i32x4.splat(keep);
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const at0 = loadOne<T>(values + <usize>load<u16>(selection) * width<T>());
    const at1 = loadOne<T>(values + <usize>load<u16>(selection, 2) * width<T>());
    const at2 = loadOne<T>(values + <usize>load<u16>(selection, 4) * width<T>());
    const at3 = loadOne<T>(values + <usize>load<u16>(selection, 6) * width<T>());
    let found = v128.load_zero<u32>(table + (at0 << 2));
    found = v128.load_lane<u32>(table + (at1 << 2), found, 1);
    found = v128.load_lane<u32>(table + (at2 << 2), found, 2);
    found = v128.load_lane<u32>(table + (at3 << 2), found, 3);
    const before = v128.and(v128.load(numbers), keeps);
    v128.store(numbers, i32x4.add(before, i32x4.mul(found, strides)));
    selection += 8;
    numbers += 16;
  }
  for (; row < rowCount; row++) {
    const stored = loadOne<T>(values + <usize>load<u16>(selection) * width<T>());
    const added = stride * load<u32>(table + (stored << 2));
    store<u32>(numbers, (load<u32>(numbers) & keep) + added);
    selection += 2;
    numbers += 4;
  }
}

/**
 * Counts the ascending thresholds that do not exceed a value. Does not branch, and takes as many steps as the number of
 * thresholds has bits.
 */
function countBelow(value: f64, thresholds: usize, thresholdCount: u32): u32 {
  let count: u32 = 0;
  for (let length = thresholdCount; length > 0;) {
    const half = (length + 1) >> 1;
    const isBelow = load<f64>(thresholds + ((count + half - 1) << 3)) <= value;
    count += half & -u32(isBelow);
    length -= half;
  }
  return count;
}

/**
 * Returns whether interpolation between the first and the last threshold is off by less than two positions for every
 * threshold.
 */
function areEven(thresholds: usize, thresholdCount: u32, least: f64, perUnit: f64): bool {
  for (let index: u32 = 0; index < thresholdCount; index++) {
    const place = (load<f64>(thresholds + (index << 3)) - least) * perUnit;
    if (!(abs(place - <f64>index) < 2)) return false;
  }
  return true;
}

/** Counts how many of the four thresholds that start at `near` do not exceed the value. */
function countNear(near: usize, value: v128): u32 {
  const low = f64x2.le(v128.load(near), value);
  const high = f64x2.le(v128.load(near, 16), value);
  return popcnt(i64x2.bitmask(low) | (i64x2.bitmask(high) << 2));
}

/**
 * Up to 16 thresholds are compared with every value. More thresholds are often evenly spaced, as calendar periods and
 * bins are. Interpolation then comes so close to a value's position that four comparisons find the position. If they
 * are not evenly spaced, a binary search finds the position.
 */
export function numberThresholds(
  vector: usize,
  rowCount: i32,
  thresholds: usize,
  thresholdCount: u32,
  first: u32,
  stride: u32,
  numbers: usize,
  isFirst: i32,
): void {
  const keep = kept(isFirst);
  if (thresholdCount <= 16) {
    const firsts = i64x2.splat(first);
    const strides = i32x4.splat(stride);
    const keeps = i32x4.splat(keep);
    for (; rowCount > 0; rowCount -= 4) {
      const low = v128.load(vector);
      const high = v128.load(vector, 16);
      let lowCounts = firsts;
      let highCounts = firsts;
      for (let index: u32 = 0; index < thresholdCount; index++) {
        const threshold = v128.load_splat<u64>(thresholds + (index << 3));
        lowCounts = i64x2.sub(lowCounts, f64x2.le(threshold, low));
        highCounts = i64x2.sub(highCounts, f64x2.le(threshold, high));
      }
      lowCounts = v128.and(lowCounts, f64x2.eq(low, low));
      highCounts = v128.and(highCounts, f64x2.eq(high, high));
      const counts = v128.shuffle<u32>(lowCounts, highCounts, 0, 2, 4, 6);
      const before = v128.and(v128.load(numbers), keeps);
      v128.store(numbers, i32x4.add(before, i32x4.mul(counts, strides)));
      vector += 32;
      numbers += 16;
    }
    return;
  }
  if (<u32>rowCount >= thresholdCount >> 2) {
    const least = load<f64>(thresholds);
    const span = load<f64>(thresholds + ((thresholdCount - 1) << 3)) - least;
    const perUnit = <f64>(thresholdCount - 1) / span;
    if (areEven(thresholds, thresholdCount, least, perUnit)) {
      const leasts = f64x2.splat(least);
      const perUnits = f64x2.splat(perUnit);
      const from = f64x2.splat(one);
      const to = f64x2.splat(<f64>(thresholdCount - 3));
      thresholds -= 8;
      for (; rowCount > 0; rowCount -= 2) {
        const values = v128.load(vector);
        const places = f64x2.mul(f64x2.sub(values, leasts), perUnits);
        // The position is clamped, and is 1 for NaN, so that the relaxed truncation returns the same result on every
        // processor.
        const guesses = i32x4.relaxed_trunc_f64x2_s_zero(f64x2.pmin(to, f64x2.pmax(from, places)));
        const guess0 = i32x4.extract_lane(guesses, 0);
        const guess1 = i32x4.extract_lane(guesses, 1);
        const isValue = i64x2.bitmask(f64x2.eq(values, values));
        const count0 = countNear(
          thresholds + (guess0 << 3),
          v128.shuffle<u64>(values, values, 0, 0),
        );
        const count1 = countNear(
          thresholds + (guess1 << 3),
          v128.shuffle<u64>(values, values, 1, 1),
        );
        const number0 = stride * ((first + guess0 - 1 + count0) & -(isValue & 1));
        const number1 = stride * ((first + guess1 - 1 + count1) & -(isValue >> 1));
        store<u32>(numbers, (load<u32>(numbers) & keep) + number0);
        store<u32>(numbers, (load<u32>(numbers, 4) & keep) + number1, 4);
        vector += 16;
        numbers += 8;
      }
      return;
    }
  }
  for (; rowCount > 0; rowCount--) {
    const value = load<f64>(vector);
    const count = first + countBelow(value, thresholds, thresholdCount);
    const number = stride * (count & -u32(value === value));
    store<u32>(numbers, (load<u32>(numbers) & keep) + number);
    vector += 8;
    numbers += 4;
  }
}

/**
 * Returns value - base + 1 of two rows; 0 for NaN. Each result is in the low half of a 64-bit lane, as the low word of
 * a double of at least 2^52.
 */
function wholeOf(values: v128, base: v128, offset: v128): v128 {
  return v128.and(f64x2.add(f64x2.sub(values, base), offset), f64x2.eq(values, values));
}

export function numberWhole(
  vector: usize,
  rowCount: i32,
  base: f64,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const bases = f64x2.splat(base);
  const offsets = f64x2.splat(power52 + 1);
  const strides = i32x4.splat(stride);
  const keep = i32x4.splat(kept(isFirst));
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const whole = v128.shuffle<u32>(
      wholeOf(v128.load(vector), bases, offsets),
      wholeOf(v128.load(vector, 16), bases, offsets),
      0,
      2,
      4,
      6,
    );
    const before = v128.and(v128.load(numbers), keep);
    v128.store(numbers, i32x4.add(before, i32x4.mul(whole, strides)));
    vector += 32;
    numbers += 16;
  }
}

export function place<T>(
  values: usize,
  rowCount: i32,
  scale: i32,
  offset: i32,
  limit: i32,
  places: usize,
): void {
  const scales = i32x4.splat(scale);
  const offsets = i32x4.splat(offset);
  const limits = i32x4.splat(limit);
  const zero = i32x4.splat(0);
  const spread = loadSpread();
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const stored = loadFour<T>(values, spread);
    const found = i32x4.add(i32x4.mul(stored, scales), offsets);
    const isFound = v128.andnot(i32x4.lt_u(found, limits), i32x4.eq(stored, zero));
    v128.store(places, v128.and(found, isFound));
    values += 4 * width<T>();
    places += 16;
  }
}

/** Returns value - base + 1 of two rows as low words of doubles from 2^52 up; 0 for rows without a place. */
function placeOf(values: v128, base: v128, limit: v128): v128 {
  const one64 = f64x2.splat(one);
  const found = f64x2.add(f64x2.sub(values, base), one64);
  const isWhole = f64x2.eq(f64x2.floor(values), values);
  const isWithin = v128.and(f64x2.ge(found, one64), f64x2.lt(found, limit));
  return v128.and(f64x2.add(found, f64x2.splat(power52)), v128.and(isWhole, isWithin));
}

export function placeDoubles(
  vector: usize,
  rowCount: i32,
  base: f64,
  limit: f64,
  places: usize,
): void {
  const bases = f64x2.splat(base);
  const limits = f64x2.splat(limit);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const low = placeOf(v128.load(vector), bases, limits);
    const high = placeOf(v128.load(vector, 16), bases, limits);
    v128.store(places, v128.shuffle<u32>(low, high, 0, 2, 4, 6));
    vector += 32;
    places += 16;
  }
}

/** Returns the slot at which the search for a double starts. Equals the hash in `joins/rowIndex.ts`. */
function firstSlot(value: f64, slotMask: u32): u32 {
  const bits = reinterpret<u64>(value + 0);
  let hash = (<u32>bits * 0xcc9e2d51) ^ <u32>(bits >> 32);
  hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
  return (hash ^ (hash >> 16)) & slotMask;
}

export function findRows(
  vector: usize,
  rowCount: i32,
  keys: usize,
  places: usize,
  slotMask: u32,
  found: usize,
): void {
  for (; rowCount > 0; rowCount--) {
    const value = load<f64>(vector);
    let place: u32 = 0;
    if (value === value) {
      let slot = firstSlot(value, slotMask);
      place = load<u32>(places + (slot << 2));
      while (place !== 0 && load<f64>(keys + (slot << 3)) !== value) {
        slot = (slot + 1) & slotMask;
        place = load<u32>(places + (slot << 2));
      }
    }
    store<u32>(found, place);
    vector += 8;
    found += 4;
  }
}

/** Loads the entry of a day: its number, and the times at which the next numbers start. */
function loadDay(days: usize, place: i32, table: usize): v128 {
  return v128.load(table + loadOne<u32>(days, place) * 12);
}

export function numberDayTime(
  days: usize,
  times: usize,
  rowCount: i32,
  table: usize,
  stride: i32,
  numbers: usize,
  isFirst: i32,
): void {
  const keep = kept(isFirst);
  const keeps = i32x4.splat(keep);
  const strides = i32x4.splat(stride);
  for (; rowCount >= 4; rowCount -= 4) {
    const day0 = loadDay(days, 0, table);
    const day1 = loadDay(days, 1, table);
    const day2 = loadDay(days, 2, table);
    const day3 = loadDay(days, 3, table);
    const low01 = v128.shuffle<u32>(day0, day1, 0, 4, 1, 5);
    const low23 = v128.shuffle<u32>(day2, day3, 0, 4, 1, 5);
    const high01 = v128.shuffle<u32>(day0, day1, 2, 6, 3, 7);
    const high23 = v128.shuffle<u32>(day2, day3, 2, 6, 3, 7);
    const firsts = v128.shuffle<u64>(low01, low23, 0, 2);
    const seconds = v128.shuffle<u64>(low01, low23, 1, 3);
    const thirds = v128.shuffle<u64>(high01, high23, 0, 2);
    const time = v128.load(times);
    const steps = i32x4.add(i32x4.ge_u(time, seconds), i32x4.ge_u(time, thirds));
    const isNull = i32x4.eq(v128.load(days), i32x4.splat(0));
    const found = v128.andnot(i32x4.sub(firsts, steps), isNull);
    const before = v128.and(v128.load(numbers), keeps);
    v128.store(numbers, i32x4.add(before, i32x4.mul(found, strides)));
    days += 16;
    times += 16;
    numbers += 16;
  }
  for (; rowCount > 0; rowCount--) {
    const day = load<u32>(days);
    const time = load<u32>(times);
    const entry = table + day * 12;
    const found =
      load<u32>(entry) + u32(time >= load<u32>(entry, 4)) + u32(time >= load<u32>(entry, 8));
    const number = stride * (found & -u32(day !== 0));
    store<u32>(numbers, (load<u32>(numbers) & keep) + number);
    days += 4;
    times += 4;
    numbers += 4;
  }
}
