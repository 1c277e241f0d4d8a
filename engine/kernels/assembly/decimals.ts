/** 2^53: whole numbers below it are exact as doubles. */
const exactBound: u64 = 9007199254740992;
/** The largest exponent of a power of ten that is exact as a double. */
const exactPower: i32 = 22;
/** The largest exponent, positive or negative, of the powers of five in the table. */
const largestPower: i32 = 64;
/** Offset of the powers of five, after the 23 powers of ten. */
const fivesAt: usize = 23 * 8;
const implicitBit: u64 = 1 << 52;

/** Returns the high half of the product of two 64-bit numbers. */
function highProduct(left: u64, right: u64): u64 {
  const leftLow = left & 0xffffffff;
  const leftHigh = left >> 32;
  const rightLow = right & 0xffffffff;
  const rightHigh = right >> 32;
  const low = leftLow * rightLow;
  const middle = leftHigh * rightLow + (low >> 32);
  const other = leftLow * rightHigh + (middle & 0xffffffff);
  return leftHigh * rightHigh + (middle >> 32) + (other >> 32);
}

/**
 * Returns the double nearest to `digits` * 10^`power`, or NaN if this method cannot decide. If both factors are exact
 * doubles, one operation rounds only once (Clinger 1990). Otherwise multiplies the digits by the first 128 bits of the
 * power of five (Lemire, "Number parsing at a gigabyte per second", 2021). `powers` is the table that `decimalPowers`
 * creates.
 */
export function scaleDigits(digits: u64, power: i32, powers: usize): f64 {
  if (digits < exactBound) {
    if (power === 0) return <f64>digits;
    if (power < 0 && power >= -exactPower)
      return <f64>digits / load<f64>(powers + ((<usize>-power) << 3));
    if (power > 0 && power <= exactPower)
      return <f64>digits * load<f64>(powers + ((<usize>power) << 3));
    if (digits === 0) return 0;
  }
  if (power < -largestPower || power > largestPower) return NaN;
  const zeros = clz(digits);
  const shifted = digits << zeros;
  const five = powers + fivesAt + ((<usize>(power + largestPower)) << 4);
  const fiveHigh = load<u64>(five);
  let low = shifted * fiveHigh;
  let high = highProduct(shifted, fiveHigh);
  if ((high & 0x1ff) === 0x1ff) {
    const rest = highProduct(shifted, load<u64>(five, 8));
    low += rest;
    if (low < rest) high++;
  }
  if (low === 0xffffffffffffffff && (power < -27 || power > 55)) return NaN;
  const upper = high >> 63;
  let mantissa = high >> (upper + 9);
  let exponent = <i64>((217706 * power) >> 16) + 1086 + <i64>upper - <i64>zeros;
  // Ties round to even. They are only possible for small powers.
  if (low <= 1 && power >= -4 && power <= 23 && (mantissa & 3) === 1)
    if (mantissa << (upper + 9) === high) mantissa &= ~1;
  mantissa = (mantissa + (mantissa & 1)) >> 1;
  if (mantissa === implicitBit << 1) {
    mantissa = implicitBit;
    exponent++;
  }
  return reinterpret<f64>((mantissa & ~implicitBit) | ((<u64>exponent) << 52));
}

/** Returns whether the eight bytes of a word are digits. */
export function areDigits(word: u64): bool {
  return (
    ((word & 0xf0f0f0f0f0f0f0f0) | (((word + 0x0606060606060606) & 0xf0f0f0f0f0f0f0f0) >> 4)) ===
    0x3333333333333333
  );
}

/** Returns the number that eight digits represent, combining them pair by pair (Lemire 2018, after Muła). */
export function eightDigits(word: u64): u64 {
  const digits = word - 0x3030303030303030;
  const pairs = digits * 10 + (digits >> 8);
  return (
    ((pairs & 0x000000ff000000ff) * 0x000f424000000064 +
      ((pairs >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
    32
  );
}
