import { one, power52 } from "./constants";

/** Adds two doubles to a slot. */
function add(slot: usize, pair: v128): void {
  v128.store(slot, f64x2.add(v128.load(slot), pair));
}

export function foldRows(
  numbers: usize,
  rowCount: i32,
  state: usize,
  strideBytes: usize,
  copyBytes: usize,
): void {
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  const step = one;
  for (; rowCount >= 4; rowCount -= 4) {
    const slot0 = state + load<u32>(numbers) * strideBytes;
    store<f64>(slot0, load<f64>(slot0) + step);
    const slot1 = second + load<u32>(numbers, 4) * strideBytes;
    store<f64>(slot1, load<f64>(slot1) + step);
    const slot2 = third + load<u32>(numbers, 8) * strideBytes;
    store<f64>(slot2, load<f64>(slot2) + step);
    const slot3 = fourth + load<u32>(numbers, 12) * strideBytes;
    store<f64>(slot3, load<f64>(slot3) + step);
    numbers += 16;
  }
  for (; rowCount > 0; rowCount--) {
    const slot = state + load<u32>(numbers) * strideBytes;
    store<f64>(slot, load<f64>(slot) + step);
    state += copyBytes;
    numbers += 4;
  }
}

export function foldCountSum(
  numbers: usize,
  vector: usize,
  rowCount: i32,
  state: usize,
  strideBytes: usize,
  copyBytes: usize,
): void {
  const ones = f64x2.splat(one);
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  for (; rowCount >= 4; rowCount -= 4) {
    let low = v128.load(vector);
    let high = v128.load(vector, 16);
    const isLow = f64x2.eq(low, low);
    const isHigh = f64x2.eq(high, high);
    low = v128.and(low, isLow);
    high = v128.and(high, isHigh);
    const lowOnes = v128.and(ones, isLow);
    const highOnes = v128.and(ones, isHigh);
    add(state + load<u32>(numbers) * strideBytes, v128.shuffle<u64>(lowOnes, low, 0, 2));
    add(second + load<u32>(numbers, 4) * strideBytes, v128.shuffle<u64>(lowOnes, low, 1, 3));
    add(third + load<u32>(numbers, 8) * strideBytes, v128.shuffle<u64>(highOnes, high, 0, 2));
    add(fourth + load<u32>(numbers, 12) * strideBytes, v128.shuffle<u64>(highOnes, high, 1, 3));
    numbers += 16;
    vector += 32;
  }
  for (; rowCount > 0; rowCount--) {
    const value = load<f64>(vector);
    if (value === value) {
      add(state + load<u32>(numbers) * strideBytes, f64x2.replace_lane(ones, 1, value));
    }
    state += copyBytes;
    numbers += 4;
    vector += 8;
  }
}

export function foldPair(
  numbers: usize,
  left: usize,
  right: usize,
  rowCount: i32,
  state: usize,
  strideBytes: usize,
  copyBytes: usize,
): void {
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  for (; rowCount >= 4; rowCount -= 4) {
    const left0 = v128.load(left);
    const left2 = v128.load(left, 16);
    const right0 = v128.load(right);
    const right2 = v128.load(right, 16);
    add(state + load<u32>(numbers) * strideBytes, v128.shuffle<u64>(left0, right0, 0, 2));
    add(second + load<u32>(numbers, 4) * strideBytes, v128.shuffle<u64>(left0, right0, 1, 3));
    add(third + load<u32>(numbers, 8) * strideBytes, v128.shuffle<u64>(left2, right2, 0, 2));
    add(fourth + load<u32>(numbers, 12) * strideBytes, v128.shuffle<u64>(left2, right2, 1, 3));
    numbers += 16;
    left += 32;
    right += 32;
  }
  for (; rowCount > 0; rowCount--) {
    const pair = f64x2.replace_lane(f64x2.splat(load<f64>(left)), 1, load<f64>(right));
    add(state + load<u32>(numbers) * strideBytes, pair);
    state += copyBytes;
    numbers += 4;
    left += 8;
    right += 8;
  }
}

/** slot = minimum of slot and [value, -value]; NaN is ignored. */
function lower(slot: usize, value: f64): void {
  const both = f64x2.replace_lane(f64x2.splat(value), 1, -value);
  v128.store(slot, f64x2.pmin(v128.load(slot), both));
}

export function foldExtent(
  numbers: usize,
  vector: usize,
  rowCount: i32,
  state: usize,
  strideBytes: usize,
  copyBytes: usize,
): void {
  const second = state + copyBytes;
  const third = second + copyBytes;
  const fourth = third + copyBytes;
  for (; rowCount >= 4; rowCount -= 4) {
    lower(state + load<u32>(numbers) * strideBytes, load<f64>(vector));
    lower(second + load<u32>(numbers, 4) * strideBytes, load<f64>(vector, 8));
    lower(third + load<u32>(numbers, 8) * strideBytes, load<f64>(vector, 16));
    lower(fourth + load<u32>(numbers, 12) * strideBytes, load<f64>(vector, 24));
    numbers += 16;
    vector += 32;
  }
  for (; rowCount > 0; rowCount--) {
    lower(state + load<u32>(numbers) * strideBytes, load<f64>(vector));
    state += copyBytes;
    numbers += 4;
    vector += 8;
  }
}

export function foldVariance(
  numbers: usize,
  vector: usize,
  rowCount: i32,
  state: usize,
  strideBytes: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const value = load<f64>(vector);
    if (value === value) {
      const slot = state + load<u32>(numbers) * strideBytes;
      const count = load<f64>(slot) + 1;
      const mean = load<f64>(slot, 8);
      const difference = value - mean;
      const newMean = mean + difference / count;
      store<f64>(slot, count);
      store<f64>(slot, newMean, 8);
      store<f64>(slot, load<f64>(slot, 16) + difference * (value - newMean), 16);
    }
    numbers += 4;
    vector += 8;
  }
}

export function foldCovariance(
  numbers: usize,
  left: usize,
  right: usize,
  rowCount: i32,
  state: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const x = load<f64>(left);
    const y = load<f64>(right);
    if (x === x && y === y) {
      const slot = state + load<u32>(numbers) * 48;
      const values = f64x2.replace_lane(f64x2.splat(x), 1, y);
      const count = load<f64>(slot) + 1;
      const means = v128.load(slot, 16);
      const differences = f64x2.sub(values, means);
      const newMeans = f64x2.add(means, f64x2.div(differences, f64x2.splat(count)));
      const newDifferences = f64x2.sub(values, newMeans);
      const squares = f64x2.mul(differences, newDifferences);
      const product = f64x2.extract_lane(differences, 0) * f64x2.extract_lane(newDifferences, 1);
      store<f64>(slot, count);
      store<f64>(slot, load<f64>(slot, 8) + product, 8);
      v128.store(slot, newMeans, 16);
      v128.store(slot, f64x2.add(v128.load(slot, 32), squares), 32);
    }
    numbers += 4;
    left += 8;
    right += 8;
  }
}

/**
 * Returns the bucket, at least 1, in the low halves of 64-bit lanes; 0 for NaN. Positions are clamped to 0 to `last`.
 */
function bucketOf(values: v128, low: v128, factor: v128, last: v128, powers: v128): v128 {
  const place = f64x2.floor(f64x2.mul(f64x2.sub(values, low), factor));
  const whole = f64x2.pmax(f64x2.splat(0), f64x2.pmin(last, place));
  return v128.andnot(f64x2.add(whole, powers), f64x2.ne(values, values));
}

export function bucket(
  vector: usize,
  rowCount: i32,
  low: f64,
  factor: f64,
  bucketCount: u32,
  buckets: usize,
): void {
  const lows = f64x2.splat(low);
  const factors = f64x2.splat(factor);
  const last = f64x2.splat(<f64>bucketCount - 2);
  const powers = f64x2.splat(power52 + 1);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(
      buckets,
      v128.shuffle<u32>(
        bucketOf(v128.load(vector), lows, factors, last, powers),
        bucketOf(v128.load(vector, 16), lows, factors, last, powers),
        0,
        2,
        4,
        6,
      ),
    );
    vector += 32;
    buckets += 16;
  }
}

export function foldHistogram(
  numbers: usize,
  buckets: usize,
  rowCount: i32,
  counts: usize,
  bucketCount: u32,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const count = counts + ((load<u32>(numbers) * bucketCount + load<u32>(buckets)) << 2);
    store<u32>(count, load<u32>(count) + 1);
    numbers += 4;
    buckets += 4;
  }
}

export function collect(
  numbers: usize,
  buckets: usize,
  vector: usize,
  rowCount: i32,
  wanted: usize,
  bucketCount: u32,
  cursors: usize,
  out: usize,
): void {
  for (let row: i32 = 0; row < rowCount; row++) {
    const at = load<u32>(numbers) * bucketCount + load<u32>(buckets);
    const slot = load<u32>(wanted + (at << 2));
    if (slot !== 0) {
      const cursor = cursors + ((slot - 1) << 2);
      const place = load<u32>(cursor);
      store<f64>(out + (place << 3), load<f64>(vector));
      store<u32>(cursor, place + 1);
    }
    numbers += 4;
    buckets += 4;
    vector += 8;
  }
}
