import { width } from "./stored";

/*
 * Row groups into their narrowest forms. Rounding to even is as good as any here: what lies half-way between two whole
 * numbers is neither of them.
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
  let nullCount: u32 = 0;
  let minimum: f64 = Infinity;
  let maximum: f64 = -Infinity;
  let negativeZeros: u32 = 0;
  let power = powerOfTen(decimals);
  for (let row: u32 = 0; row < rowCount; row++) {
    const value = load<f64>(values + (row << 3));
    if (value !== value) {
      nullCount++;
      continue;
    }
    // Not min and max, which tell -0 from 0.
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
    negativeZeros += <u32>(reinterpret<i64>(value) === i64.MIN_VALUE);
    if (decimals < 0) continue;
    if (decimals === 0 ? floor(value) === value : nearest(value * power) / power === value)
      continue;
    while (decimals <= highestDecimals && !fits(value, decimals)) decimals++;
    if (decimals > highestDecimals) decimals = -1;
    else power = powerOfTen(decimals);
  }
  store<f64>(out, nullCount);
  store<f64>(out, nullCount === rowCount ? NaN : minimum, 8);
  store<f64>(out, nullCount === rowCount ? NaN : maximum, 16);
  store<f64>(out, decimals, 24);
  store<f64>(out, negativeZeros, 32);
}

export function zoneCodes(codes: usize, rowCount: u32, out: usize): void {
  let nullCount: u32 = 0;
  let minimum: u32 = u32.MAX_VALUE;
  let maximum: u32 = 0;
  for (let row: u32 = 0; row < rowCount; row++) {
    const code = load<u32>(codes + (row << 2));
    nullCount += <u32>(code === 0);
    // Null wraps around and is the greatest.
    minimum = min<u32>(minimum, code - 1);
    maximum = max<u32>(maximum, code);
  }
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

function sealWhole<T>(
  values: usize,
  rowCount: u32,
  power: f64,
  bias: f64,
  scale: f64,
  to: usize,
): void {
  for (let row: u32 = 0; row < rowCount; row++) {
    const value = load<f64>(values + (row << 3));
    let word: u32 = 0;
    if (value === value) {
      const step = nearest(value * power) - bias;
      word = <u32>(scale === 1 ? step : step / scale);
    }
    storeWord<T>(to + row * width<T>(), word);
  }
}

export function sealWhole1(
  values: usize,
  rowCount: u32,
  power: f64,
  bias: f64,
  scale: f64,
  to: usize,
): void {
  sealWhole<u8>(values, rowCount, power, bias, scale, to);
}
export function sealWhole2(
  values: usize,
  rowCount: u32,
  power: f64,
  bias: f64,
  scale: f64,
  to: usize,
): void {
  sealWhole<u16>(values, rowCount, power, bias, scale, to);
}
export function sealWhole3(
  values: usize,
  rowCount: u32,
  power: f64,
  bias: f64,
  scale: f64,
  to: usize,
): void {
  sealWhole<i32>(values, rowCount, power, bias, scale, to);
}
export function sealWhole4(
  values: usize,
  rowCount: u32,
  power: f64,
  bias: f64,
  scale: f64,
  to: usize,
): void {
  sealWhole<u32>(values, rowCount, power, bias, scale, to);
}

function sealWords<T>(words: usize, rowCount: u32, to: usize): void {
  for (let row: u32 = 0; row < rowCount; row++)
    storeWord<T>(to + row * width<T>(), load<u32>(words + (row << 2)));
}

export function sealWords1(words: usize, rowCount: u32, to: usize): void {
  sealWords<u8>(words, rowCount, to);
}
export function sealWords2(words: usize, rowCount: u32, to: usize): void {
  sealWords<u16>(words, rowCount, to);
}
export function sealWords3(words: usize, rowCount: u32, to: usize): void {
  sealWords<i32>(words, rowCount, to);
}
export function sealWords4(words: usize, rowCount: u32, to: usize): void {
  sealWords<u32>(words, rowCount, to);
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
  for (let row: u32 = 0; row < rowCount; row++) {
    const value = load<f64>(values + (row << 3));
    let stored: u32 = 0;
    let time: u32 = 0;
    if (value === value) {
      const day = floor(value / dayMs);
      stored = <u32>(day - bias);
      time = <u32>(value - day * dayMs);
    }
    store<u32>(days + (row << 2), stored);
    store<u32>(times + (row << 2), time);
  }
}

export function shareStep(values: usize, rowCount: u32, power: f64, low: f64, step: f64): u32 {
  for (let row: u32 = 0; row < rowCount; row++) {
    const value = load<f64>(values + (row << 3));
    if (value !== value) continue;
    const distance = nearest(value * power) - low;
    if (floor(distance / step) * step !== distance) return 0;
  }
  return 1;
}

export function shareStepWords(words: usize, rowCount: u32, step: u32): u32 {
  for (let row: u32 = 0; row < rowCount; row++)
    if (load<u32>(words + (row << 2)) % step !== 0) return 0;
  return 1;
}

export function divideWords(words: usize, rowCount: u32, step: u32): u32 {
  let largest: u32 = 0;
  for (let row: u32 = 0; row < rowCount; row++) {
    const word = load<u32>(words + (row << 2)) / step;
    store<u32>(words + (row << 2), word);
    largest = max<u32>(largest, word);
  }
  return largest;
}

export function sumScaled(values: usize, rowCount: u32, power: f64, out: usize): void {
  let high: i64 = 0;
  let low: i64 = 0;
  for (let row: u32 = 0; row < rowCount; row++) {
    const value = load<f64>(values + (row << 3));
    if (value !== value) continue;
    const scaled = <i64>nearest(value * power);
    high += scaled >> halfBits;
    low += scaled & ((1 << halfBits) - 1);
  }
  store<f64>(out, <f64>high);
  store<f64>(out, <f64>low, 8);
}
