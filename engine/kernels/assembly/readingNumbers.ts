/** 2^53: whole numbers below it are exact as doubles. */
const exactBound: i64 = 9007199254740992;
const latestMs: f64 = 8.64e15;

function isNull(levels: usize, row: u32): bool {
  return levels !== 0 && load<u8>(levels + row) === 0;
}

export function readNumbers<T>(from: usize, levels: usize, count: u32, to: usize): u32 {
  let row: u32 = 0;
  if (sizeof<T>() === 8 && isFloat<T>() && levels === 0) {
    const zero = f64x2.splat(0);
    for (; row + 2 <= count; row += 2) {
      const pair = v128.load(from + (row << 3));
      if (!i64x2.all_true(f64x2.eq(f64x2.sub(pair, pair), zero))) break;
      v128.store(to + (row << 3), f64x2.add(pair, zero));
    }
  }
  for (; row < count; row++) {
    let value = <f64>load<T>(from + row * sizeof<T>());
    if (isNull(levels, row)) value = NaN;
    // This comparison is false only for NaN and the infinities.
    else if (isFloat<T>() && value - value !== 0) return row;
    store<f64>(to + (row << 3), value + 0);
  }
  return count;
}

export function readInt64(from: usize, levels: usize, count: u32, to: usize): u32 {
  for (let row: u32 = 0; row < count; row++) {
    const value = load<i64>(from + (row << 3));
    if (isNull(levels, row)) {
      store<f64>(to + (row << 3), NaN);
      continue;
    }
    if (value >= exactBound || value <= -exactBound) return row;
    store<f64>(to + (row << 3), <f64>value);
  }
  return count;
}

export function readUint64(from: usize, levels: usize, count: u32, to: usize): u32 {
  for (let row: u32 = 0; row < count; row++) {
    const value = load<u64>(from + (row << 3));
    if (isNull(levels, row)) {
      store<f64>(to + (row << 3), NaN);
      continue;
    }
    if (value >= <u64>exactBound) return row;
    store<f64>(to + (row << 3), <f64>value);
  }
  return count;
}

function readInstants(
  from: usize,
  levels: usize,
  count: u32,
  divisor: i64,
  factor: f64,
  to: usize,
): u32 {
  for (let row: u32 = 0; row < count; row++) {
    if (isNull(levels, row)) {
      store<f64>(to + (row << 3), NaN);
      continue;
    }
    const stored = load<i64>(from + (row << 3));
    let whole = stored;
    if (divisor !== 1) {
      whole = stored / divisor;
      // Division truncates, so a negative number is rounded down here.
      whole -= <i64>(whole * divisor > stored);
    }
    const value = <f64>whole * factor;
    if (abs(value) > latestMs) return row;
    store<f64>(to + (row << 3), value);
  }
  return count;
}

export function readSeconds(from: usize, levels: usize, count: u32, to: usize): u32 {
  return readInstants(from, levels, count, 1, 1000, to);
}
export function readMilliseconds(from: usize, levels: usize, count: u32, to: usize): u32 {
  return readInstants(from, levels, count, 1, 1, to);
}
export function readMicroseconds(from: usize, levels: usize, count: u32, to: usize): u32 {
  return readInstants(from, levels, count, 1000, 1, to);
}
export function readNanoseconds(from: usize, levels: usize, count: u32, to: usize): u32 {
  return readInstants(from, levels, count, 1000000, 1, to);
}

export function readDays(from: usize, levels: usize, count: u32, to: usize): u32 {
  for (let row: u32 = 0; row < count; row++) {
    const days = <f64>load<i32>(from + (row << 2));
    if (isNull(levels, row)) {
      store<f64>(to + (row << 3), NaN);
      continue;
    }
    if (abs(days) > 1e8) return row;
    store<f64>(to + (row << 3), days * 86400000);
  }
  return count;
}

export function readDecimal32(from: usize, levels: usize, count: u32, to: usize, power: f64): u32 {
  for (let row: u32 = 0; row < count; row++) {
    const value = <f64>load<i32>(from + (row << 2)) / power;
    store<f64>(to + (row << 3), isNull(levels, row) ? NaN : value);
  }
  return count;
}

/** Reads decimals of 64 or more bits. Their low word is exact as a double, so the division rounds only once. */
export function readWideDecimals<T>(
  from: usize,
  levels: usize,
  count: u32,
  to: usize,
  power: f64,
): u32 {
  for (let row: u32 = 0; row < count; row++) {
    const low = load<i64>(from + row * sizeof<T>());
    if (isNull(levels, row)) {
      store<f64>(to + (row << 3), NaN);
      continue;
    }
    if (low >= exactBound || low <= -exactBound) return row;
    if (sizeof<T>() === 16 && load<i64>(from + row * sizeof<T>(), 8) !== low >> 63) return row;
    store<f64>(to + (row << 3), <f64>low / power);
  }
  return count;
}
