/** Maximum number of decimals that the quotient may have beyond those of the range. */
const mostDecimals = 12;

/**
 * Returns the width of `count` equal parts of a range. Computes in decimals, because doubles are inexact: a tenth of
 * the range 0 to 0.7 is exactly 0.07. Uses doubles if the quotient has endless decimals.
 */
export function divideRange(low: number, high: number, count: number): number {
  const [from, to] = [decimalOf(low), decimalOf(high)];
  const decimals = Math.max(from.decimals, to.decimals);
  if (decimals > 300) return (high - low) / count;
  const scaled = ({ digits, decimals: own }: Decimal) => digits * 10n ** BigInt(decimals - own);
  const span = (scaled(to) - scaled(from)) * 10n ** BigInt(mostDecimals);
  if (span % BigInt(count) !== 0n) return (high - low) / count;
  return Number(`${span / BigInt(count)}e-${decimals + mostDecimals}`);
}

/** A decimal number: `digits` divided by 10 to the power of `decimals`. */
interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const digits = BigInt(mantissa.replace(".", ""));
  const decimals = (mantissa.split(".")[1]?.length ?? 0) - Number(power);
  return decimals >= 0
    ? { digits, decimals }
    : { digits: digits * 10n ** BigInt(-decimals), decimals: 0 };
}
