const powers = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const splitter = 2 ** 27 + 1;

/**
 * Returns (high * 10^lowDigits + low) * 10^exponent, correctly rounded, or NaN if this method cannot decide. `high` and
 * `low` are whole and below 10^9. If the digits are below 2^53, one operation on exact doubles rounds only once
 * (Clinger 1990). If they are up to 10^18, the quotient is computed with an error term (Dekker 1971). It is used if the
 * error of that term cannot change the rounding.
 */
export function scaleDecimal(
  high: number,
  low: number,
  lowDigits: number,
  exponent: number,
): number {
  const shifted = high * powers[lowDigits];
  const mantissa = shifted + low;
  if (exponent > 22 || exponent < -22) return mantissa === 0 ? 0 : NaN;
  if (mantissa < 9_007_199_254_740_992) {
    return exponent < 0 ? mantissa / powers[-exponent] : mantissa * powers[exponent];
  }
  if (exponent > 0) return NaN;
  // mantissa + rest is the exact value, since both parts are exact doubles and `shifted` is the larger one.
  const rest = low - (mantissa - shifted);
  const divisor = powers[-exponent];
  const quotient = mantissa / divisor;
  const product = quotient * divisor;
  const quotientHigh = splitter * quotient - (splitter * quotient - quotient);
  const quotientLow = quotient - quotientHigh;
  const divisorHigh = splitter * divisor - (splitter * divisor - divisor);
  const divisorLow = divisor - divisorHigh;
  const productRest =
    quotientHigh * divisorHigh -
    product +
    quotientHigh * divisorLow +
    quotientLow * divisorHigh +
    quotientLow * divisorLow;
  const correction = (mantissa - product - productRest + rest) / divisor;
  const doubt = Math.abs(correction) * 2 ** -40;
  const least = quotient + (correction - doubt);
  return least === quotient + (correction + doubt) ? least : NaN;
}
