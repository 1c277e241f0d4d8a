import { exponent52, power52 } from "./constants";
import { highDoubles, loadFour, loadSpread, lowDoubles, width } from "./stored";

const dayMs: f64 = 86400000;

/* Converts sealed row groups back to values and words, so that they can be sealed again. */

/** Converts a batch's codes to stored codes. */
export function nextWords(words: usize, rowCount: u32): void {
  const ones = i32x4.splat(1);
  let row: u32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    const at = words + (row << 2);
    v128.store(at, i32x4.add(v128.load(at), ones));
  }
  for (; row < rowCount; row++) {
    const at = words + (row << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
}

export function translateWords(words: usize, rowCount: u32, table: usize): void {
  for (let row: u32 = 0; row < rowCount; row++) {
    const at = words + (row << 2);
    const word = load<u32>(at);
    // For null, this reads the word before the table.
    const code = load<u32>(table + (word << 2) - 4);
    store<u32>(at, word === 0 ? 0 : code + 1);
  }
}

export function joinDayTimes(
  days: usize,
  times: usize,
  rowCount: u32,
  bias: f64,
  timeScale: f64,
  values: usize,
): void {
  for (let row: u32 = 0; row < rowCount; row++) {
    const day = load<u32>(days + (row << 2));
    const time = <f64>load<u32>(times + (row << 2));
    const value = (bias + <f64>day) * dayMs + time * timeScale;
    store<f64>(values + (row << 3), day === 0 ? NaN : value);
  }
}

/**
 * Converts stored whole numbers to doubles. Nulls become JavaScript's NaN, because the doubles may be sealed as floats,
 * whose bytes are written to disk.
 */
export function unsealWhole<T>(
  stored: usize,
  rowCount: u32,
  bias: f64,
  scale: f64,
  power: f64,
  values: usize,
): void {
  const biases = f64x2.splat(bias);
  const scales = f64x2.splat(scale);
  const divisors = f64x2.splat(power);
  const nulls = f64x2.splat(NaN);
  const heads = i32x4.splat(exponent52);
  const powers = f64x2.splat(power52);
  const spread = loadSpread();
  for (let row: u32 = 0; row < rowCount; row += 4) {
    const four = loadFour<T>(stored, spread);
    const isNull = i32x4.eq(four, i32x4.splat(0));
    const low = f64x2.mul(lowDoubles(four, heads, powers), scales);
    const high = f64x2.mul(highDoubles(four, heads, powers), scales);
    const first = f64x2.div(f64x2.add(biases, low), divisors);
    const second = f64x2.div(f64x2.add(biases, high), divisors);
    v128.store(values, v128.bitselect(nulls, first, i64x2.extend_low_i32x4_s(isNull)));
    v128.store(values, v128.bitselect(nulls, second, i64x2.extend_high_i32x4_s(isNull)), 16);
    stored += 4 * width<T>();
    values += 32;
  }
}
