import { exponent52, power52 } from "./constants";
import {
  highDoubles,
  loadFour,
  loadFourSelected,
  loadOne,
  loadSpread,
  lowDoubles,
  width,
} from "./stored";

export function decode<T>(
  values: usize,
  rowCount: i32,
  scale: f64,
  bias: f64,
  vector: usize,
): void {
  const scales = f64x2.splat(scale);
  const biases = f64x2.splat(bias);
  const exponents = i32x4.splat(exponent52);
  const powers = f64x2.splat(power52);
  const spread = loadSpread();
  for (let row: i32 = 0; row < rowCount; row += 4) {
    const stored = loadFour<T>(values, spread);
    // If `stored` is 0, the exponent becomes the exponent of a NaN, which propagates to the result.
    const heads = v128.or(exponents, i32x4.eq(stored, i32x4.splat(0)));
    const low = lowDoubles(stored, heads, powers);
    const high = highDoubles(stored, heads, powers);
    v128.store(vector, f64x2.add(biases, f64x2.mul(low, scales)));
    v128.store(vector, f64x2.add(biases, f64x2.mul(high, scales)), 16);
    values += 4 * width<T>();
    vector += 32;
  }
}

export function decodeSelected<T>(
  values: usize,
  selection: usize,
  rowCount: i32,
  scale: f64,
  bias: f64,
  vector: usize,
): void {
  const scales = f64x2.splat(scale);
  const biases = f64x2.splat(bias);
  const exponents = i32x4.splat(exponent52);
  const powers = f64x2.splat(power52);
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const stored = loadFourSelected<T>(values, selection);
    const heads = v128.or(exponents, i32x4.eq(stored, i32x4.splat(0)));
    const low = lowDoubles(stored, heads, powers);
    const high = highDoubles(stored, heads, powers);
    v128.store(vector, f64x2.add(biases, f64x2.mul(low, scales)));
    v128.store(vector, f64x2.add(biases, f64x2.mul(high, scales)), 16);
    selection += 8;
    vector += 32;
  }
  for (; row < rowCount; row++) {
    const stored = loadOne<T>(values + <usize>load<u16>(selection) * width<T>());
    store<f64>(vector, stored === 0 ? NaN : bias + <f64>stored * scale);
    selection += 2;
    vector += 8;
  }
}

export function decodeFloat4(values: usize, rowCount: i32, vector: usize): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.promote_low_f32x4(v128.load_zero<u64>(values)));
    v128.store(vector, f64x2.promote_low_f32x4(v128.load_zero<u64>(values, 8)), 16);
    values += 16;
    vector += 32;
  }
}

export function decodeFloat8(values: usize, rowCount: i32, vector: usize): void {
  memory.copy(vector, values, rowCount << 3);
}

export function decodeFloatSelected4(
  values: usize,
  selection: usize,
  rowCount: i32,
  vector: usize,
): void {
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const floats = loadFourSelected<u32>(values, selection);
    v128.store(vector, f64x2.promote_low_f32x4(floats));
    v128.store(vector, f64x2.promote_low_f32x4(v128.shuffle<u64>(floats, floats, 1, 1)), 16);
    selection += 8;
    vector += 32;
  }
  for (; row < rowCount; row++) {
    store<f64>(vector, <f64>load<f32>(values + ((<usize>load<u16>(selection)) << 2)));
    selection += 2;
    vector += 8;
  }
}

export function decodeFloatSelected8(
  values: usize,
  selection: usize,
  rowCount: i32,
  vector: usize,
): void {
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    store<u64>(vector, load<u64>(values + ((<usize>load<u16>(selection)) << 3)));
    store<u64>(vector, load<u64>(values + ((<usize>load<u16>(selection, 2)) << 3)), 8);
    store<u64>(vector, load<u64>(values + ((<usize>load<u16>(selection, 4)) << 3)), 16);
    store<u64>(vector, load<u64>(values + ((<usize>load<u16>(selection, 6)) << 3)), 24);
    selection += 8;
    vector += 32;
  }
  for (; row < rowCount; row++) {
    store<u64>(vector, load<u64>(values + ((<usize>load<u16>(selection)) << 3)));
    selection += 2;
    vector += 8;
  }
}

export function widen<T>(values: usize, rowCount: i32, numbers: usize): void {
  const spread = loadSpread();
  for (let row: i32 = 0; row < rowCount; row += 8) {
    v128.store(numbers, loadFour<T>(values, spread));
    v128.store(numbers, loadFour<T>(values + 4 * width<T>(), spread), 16);
    values += 8 * width<T>();
    numbers += 32;
  }
}

export function widenSelected<T>(
  values: usize,
  selection: usize,
  rowCount: i32,
  numbers: usize,
): void {
  let row: i32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    v128.store(numbers, loadFourSelected<T>(values, selection));
    selection += 8;
    numbers += 16;
  }
  for (; row < rowCount; row++) {
    store<u32>(numbers, loadOne<T>(values + <usize>load<u16>(selection) * width<T>()));
    selection += 2;
    numbers += 4;
  }
}

export function gather<T>(values: usize, rowCount: i32, table: usize, vector: usize): void {
  let row: i32 = 0;
  for (; row + 2 <= rowCount; row += 2) {
    const low = v128.load_zero<u64>(table + ((<usize>loadOne<T>(values)) << 3));
    v128.store(vector, v128.load_lane<u64>(table + ((<usize>loadOne<T>(values, 1)) << 3), low, 1));
    values += 2 * width<T>();
    vector += 16;
  }
  if (row < rowCount) store<u64>(vector, load<u64>(table + ((<usize>loadOne<T>(values)) << 3)));
}

export function addVector(vector: usize, other: usize, rowCount: i32): void {
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.add(v128.load(vector), v128.load(other)));
    v128.store(vector, f64x2.add(v128.load(vector, 16), v128.load(other, 16)), 16);
    vector += 32;
    other += 32;
  }
}

export function scaleRound(values: usize, rowCount: i32, factor: f64, vector: usize): void {
  const factors = f64x2.splat(factor);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.nearest(f64x2.mul(v128.load(values), factors)));
    v128.store(vector, f64x2.nearest(f64x2.mul(v128.load(values, 16), factors)), 16);
    values += 32;
    vector += 32;
  }
}

export function divideVector(values: usize, rowCount: i32, divisor: f64, vector: usize): void {
  const divisors = f64x2.splat(divisor);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.div(v128.load(values), divisors));
    v128.store(vector, f64x2.div(v128.load(values, 16), divisors), 16);
    values += 32;
    vector += 32;
  }
}

/** Returns the greatest of three consecutive limits that does not exceed the value; NaN if that limit is not finite. */
function greatestLimit(values: v128, before: v128, limit: v128, after: v128): v128 {
  const start = v128.bitselect(before, limit, f64x2.gt(limit, values));
  const own = v128.bitselect(after, start, f64x2.le(after, values));
  // A NaN has all bits set.
  return v128.or(own, f64x2.ne(f64x2.sub(own, own), f64x2.splat(0)));
}

export function binStarts(
  values: usize,
  rowCount: i32,
  width: f64,
  origin: f64,
  base: f64,
  step: f64,
  scale: f64,
  vector: usize,
): void {
  const widths = f64x2.splat(width);
  const origins = f64x2.splat(origin);
  const bases = f64x2.splat(base);
  const steps = f64x2.splat(step);
  const scales = f64x2.splat(scale);
  const ones = f64x2.splat(1);
  for (let row: i32 = 0; row < rowCount; row += 2) {
    const value = v128.load(values);
    const place = f64x2.floor(f64x2.div(f64x2.sub(value, origins), widths));
    let before = f64x2.add(bases, f64x2.mul(f64x2.sub(place, ones), steps));
    let limit = f64x2.add(bases, f64x2.mul(place, steps));
    let after = f64x2.add(bases, f64x2.mul(f64x2.add(place, ones), steps));
    if (scale != 1) {
      before = f64x2.div(before, scales);
      limit = f64x2.div(limit, scales);
      after = f64x2.div(after, scales);
    }
    v128.store(vector, greatestLimit(value, before, limit, after));
    values += 16;
    vector += 16;
  }
}

export function countSteps(
  values: usize,
  rowCount: i32,
  base: f64,
  step: f64,
  vector: usize,
): void {
  const bases = f64x2.splat(base);
  const steps = f64x2.splat(step);
  for (let row: i32 = 0; row < rowCount; row += 4) {
    v128.store(vector, f64x2.div(f64x2.sub(v128.load(values), bases), steps));
    v128.store(vector, f64x2.div(f64x2.sub(v128.load(values, 16), bases), steps), 16);
    values += 32;
    vector += 32;
  }
}
