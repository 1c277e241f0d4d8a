import { width } from "./stored";

/*
 * Converts row groups to their narrowest forms. Ties may be rounded in any direction, because a value half-way between
 * two whole numbers equals neither of them.
 */

const dayMs: f64 = 86400000;
const highestDecimals: i32 = 6;
const halfBits: i64 = 26;

function powerOfTen(decimals: i32): f64 {
  let power: f64 = 1;
  for (let index = 0; index < decimals; index++) power *= 10;
  return power;
}

function fits(value: f64, decimals: i32): bool {
  if (decimals === 0) return floor(value) === value;
  const power = powerOfTen(decimals);
  return nearest(value * power) / power === value;
}

export function zoneNumbers(values: usize, rowCount: u32, decimals: i32, out: usize): void {
  let presentCounts = i64x2.splat(0);
  let minima = f64x2.splat(Infinity);
  let maxima = f64x2.splat(-Infinity);
  let negativeZeros = i64x2.splat(0);
  const negativeZero = i64x2.splat(i64.MIN_VALUE);
  let power = powerOfTen(decimals);
  let row: u32 = 0;
  for (; row + 2 <= rowCount; row += 2) {
    const pair = v128.load(values + (row << 3));
    const isPresent = f64x2.eq(pair, pair);
    // A lane of a mask is -1 where the comparison is true. A NaN is neither less nor greater than a number.
    presentCounts = i64x2.sub(presentCounts, isPresent);
    minima = f64x2.pmin(minima, pair);
    maxima = f64x2.pmax(maxima, pair);
    negativeZeros = i64x2.sub(negativeZeros, i64x2.eq(pair, negativeZero));
    if (decimals < 0) continue;
    const powers = f64x2.splat(power);
    const isExact = f64x2.eq(f64x2.div(f64x2.nearest(f64x2.mul(pair, powers)), powers), pair);
    if (!v128.any_true(v128.andnot(isPresent, isExact))) continue;
    decimals = countDecimals(f64x2.extract_lane(pair, 0), decimals);
    decimals = countDecimals(f64x2.extract_lane(pair, 1), decimals);
    power = powerOfTen(max(decimals, 0));
  }
  let presentCount = i64x2.extract_lane(presentCounts, 0) + i64x2.extract_lane(presentCounts, 1);
  let negativeCount = i64x2.extract_lane(negativeZeros, 0) + i64x2.extract_lane(negativeZeros, 1);
  let minimum = min(f64x2.extract_lane(minima, 0), f64x2.extract_lane(minima, 1));
  let maximum = max(f64x2.extract_lane(maxima, 0), f64x2.extract_lane(maxima, 1));
  if (row < rowCount) {
    const value = load<f64>(values + (row << 3));
    if (value === value) {
      presentCount++;
      minimum = min(minimum, value);
      maximum = max(maximum, value);
      negativeCount += <i64>(reinterpret<i64>(value) === i64.MIN_VALUE);
      decimals = countDecimals(value, decimals);
    }
  }
  store<f64>(out, <f64>(<i64>rowCount - presentCount));
  // Returns 0 instead of -0, whichever occurs first.
  store<f64>(out, presentCount === 0 ? NaN : minimum + 0, 8);
  store<f64>(out, presentCount === 0 ? NaN : maximum + 0, 16);
  store<f64>(out, decimals, 24);
  store<f64>(out, <f64>negativeCount, 32);
}

function countDecimals(value: f64, decimals: i32): i32 {
  if (decimals < 0 || value !== value) return decimals;
  while (decimals <= highestDecimals && !fits(value, decimals)) decimals++;
  return decimals > highestDecimals ? -1 : decimals;
}

export function zoneCodes(codes: usize, rowCount: u32, out: usize): void {
  let nulls = i32x4.splat(0);
  let minima = i32x4.splat(-1);
  let maxima = i32x4.splat(0);
  const ones = i32x4.splat(1);
  let row: u32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const four = v128.load(codes + (row << 2));
    nulls = i32x4.sub(nulls, i32x4.eq(four, i32x4.splat(0)));
    // Subtracting 1 turns null (0) into the greatest number, which never is the minimum.
    minima = i32x4.min_u(minima, i32x4.sub(four, ones));
    maxima = i32x4.max_u(maxima, four);
  }
  let nullCount: u32 = 0;
  let minimum: u32 = u32.MAX_VALUE;
  let maximum: u32 = 0;
  for (; row < rowCount; row++) {
    const code = load<u32>(codes + (row << 2));
    nullCount += <u32>(code === 0);
    minimum = min<u32>(minimum, code - 1);
    maximum = max<u32>(maximum, code);
  }
  nullCount += i32x4.extract_lane(nulls, 0) + i32x4.extract_lane(nulls, 1);
  nullCount += i32x4.extract_lane(nulls, 2) + i32x4.extract_lane(nulls, 3);
  minimum = min<u32>(minimum, i32x4.extract_lane(minima, 0));
  minimum = min<u32>(minimum, i32x4.extract_lane(minima, 1));
  minimum = min<u32>(minimum, i32x4.extract_lane(minima, 2));
  minimum = min<u32>(minimum, i32x4.extract_lane(minima, 3));
  maximum = max<u32>(maximum, i32x4.extract_lane(maxima, 0));
  maximum = max<u32>(maximum, i32x4.extract_lane(maxima, 1));
  maximum = max<u32>(maximum, i32x4.extract_lane(maxima, 2));
  maximum = max<u32>(maximum, i32x4.extract_lane(maxima, 3));
  store<f64>(out, nullCount);
  store<f64>(out, maximum === 0 ? NaN : <f64>minimum + 1, 8);
  store<f64>(out, maximum === 0 ? NaN : maximum, 16);
}

function storeWord<T>(address: usize, word: u32): void {
  if (isSigned<T>()) {
    store<u16>(address, <u16>word);
    store<u8>(address, <u8>(word >>> 16), 2);
  } else store<T>(address, <T>word);
}

export function sealWhole<T>(
  values: usize,
  rowCount: u32,
  power: f64,
  bias: f64,
  scale: f64,
  to: usize,
): void {
  const powers = f64x2.splat(power);
  const biases = f64x2.splat(bias);
  const scales = f64x2.splat(scale);
  for (let row: u32 = 0; row < rowCount; row += 2) {
    const pair = v128.load(values + (row << 3));
    let steps = f64x2.sub(f64x2.nearest(f64x2.mul(pair, powers)), biases);
    if (scale !== 1) steps = f64x2.div(steps, scales);
    // The conversion turns NaN into 0.
    const words = i32x4.trunc_sat_f64x2_u_zero(steps);
    storeWord<T>(to + row * width<T>(), i32x4.extract_lane(words, 0));
    if (row + 1 < rowCount) storeWord<T>(to + (row + 1) * width<T>(), i32x4.extract_lane(words, 1));
  }
}

export function sealWords<T>(words: usize, rowCount: u32, to: usize): void {
  for (let row: u32 = 0; row < rowCount; row++)
    storeWord<T>(to + row * width<T>(), load<u32>(words + (row << 2)));
}

export function sealFloat4(values: usize, rowCount: u32, to: usize): u32 {
  for (let row: u32 = 0; row < rowCount; row++) {
    const value = load<f64>(values + (row << 3));
    const narrow = <f32>value;
    if (value === value && <f64>narrow !== value) return row;
    store<f32>(to + (row << 2), narrow);
  }
  return rowCount;
}

export function splitDayTime(
  values: usize,
  rowCount: u32,
  bias: f64,
  days: usize,
  times: usize,
): void {
  const biases = f64x2.splat(bias);
  const dayLengths = f64x2.splat(dayMs);
  for (let row: u32 = 0; row < rowCount; row += 2) {
    const pair = v128.load(values + (row << 3));
    const starts = f64x2.floor(f64x2.div(pair, dayLengths));
    // The conversion turns NaN into 0.
    const stored = i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(starts, biases));
    const rest = i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(pair, f64x2.mul(starts, dayLengths)));
    if (row + 1 < rowCount) {
      v128.store_lane<u64>(days + (row << 2), stored, 0);
      v128.store_lane<u64>(times + (row << 2), rest, 0);
    } else {
      v128.store_lane<u32>(days + (row << 2), stored, 0);
      v128.store_lane<u32>(times + (row << 2), rest, 0);
    }
  }
}

export function shareStep(values: usize, rowCount: u32, power: f64, low: f64, step: f64): u32 {
  const powers = f64x2.splat(power);
  const lows = f64x2.splat(low);
  const steps = f64x2.splat(step);
  for (let row: u32 = 0; row < rowCount; row += 2) {
    let pair = v128.load(values + (row << 3));
    if (row + 1 === rowCount) pair = f64x2.replace_lane(pair, 1, NaN);
    const distances = f64x2.sub(f64x2.nearest(f64x2.mul(pair, powers)), lows);
    const whole = f64x2.mul(f64x2.floor(f64x2.div(distances, steps)), steps);
    if (v128.any_true(v128.andnot(f64x2.eq(pair, pair), f64x2.eq(whole, distances)))) return 0;
  }
  return 1;
}

export function shareStepWords(words: usize, rowCount: u32, step: u32): u32 {
  for (let row: u32 = 0; row < rowCount; row++)
    if (load<u32>(words + (row << 2)) % step !== 0) return 0;
  return 1;
}

export function divideWords(words: usize, rowCount: u32, step: u32): u32 {
  let maxima = i32x4.splat(0);
  const steps = f64x2.splat(step);
  let row: u32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const at = words + (row << 2);
    let four = v128.load(at);
    if (step !== 1) {
      // The quotient of two 32-bit numbers is never rounded up to a whole number.
      const low = f64x2.div(f64x2.convert_low_i32x4_u(four), steps);
      const high = f64x2.div(
        f64x2.convert_low_i32x4_u(v128.shuffle<u32>(four, four, 2, 3, 2, 3)),
        steps,
      );
      four = v128.shuffle<u64>(
        i32x4.trunc_sat_f64x2_u_zero(low),
        i32x4.trunc_sat_f64x2_u_zero(high),
        0,
        2,
      );
      v128.store(at, four);
    }
    maxima = i32x4.max_u(maxima, four);
  }
  let largest = max<u32>(i32x4.extract_lane(maxima, 0), i32x4.extract_lane(maxima, 1));
  largest = max<u32>(largest, i32x4.extract_lane(maxima, 2));
  largest = max<u32>(largest, i32x4.extract_lane(maxima, 3));
  for (; row < rowCount; row++) {
    const word = load<u32>(words + (row << 2)) / step;
    store<u32>(words + (row << 2), word);
    largest = max<u32>(largest, word);
  }
  return largest;
}

export function sumScaled(values: usize, rowCount: u32, power: f64, out: usize): void {
  // All numbers are whole and below 2^53, so nothing is rounded.
  const halfRange: f64 = <f64>((<i64>1) << halfBits);
  const powers = f64x2.splat(power);
  const ranges = f64x2.splat(halfRange);
  const shares = f64x2.splat(1 / halfRange);
  let highs = f64x2.splat(0);
  let lows = f64x2.splat(0);
  for (let row: u32 = 0; row < rowCount; row += 2) {
    let pair = v128.load(values + (row << 3));
    if (row + 1 === rowCount) pair = f64x2.replace_lane(pair, 1, NaN);
    const scaled = v128.and(f64x2.nearest(f64x2.mul(pair, powers)), f64x2.eq(pair, pair));
    const high = f64x2.floor(f64x2.mul(scaled, shares));
    highs = f64x2.add(highs, high);
    lows = f64x2.add(lows, f64x2.sub(scaled, f64x2.mul(high, ranges)));
  }
  store<f64>(out, f64x2.extract_lane(highs, 0) + f64x2.extract_lane(highs, 1));
  store<f64>(out, f64x2.extract_lane(lows, 0) + f64x2.extract_lane(lows, 1), 8);
}
