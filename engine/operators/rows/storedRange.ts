import type { WholeSegment } from "../../column/segment/segment.ts";
import type { ComparisonOperator } from "../../types.ts";

/** Inclusive bounds. The range is empty if `low` is above `high`. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

const bits = new BigInt64Array(1);
const double = new Float64Array(bits.buffer);

/** Returns the range of doubles for which the comparison with `value` is true. */
export function valueRange(operator: ComparisonOperator, value: number): Range {
  switch (operator) {
    case "=":
      return { low: value, high: value };
    case "<":
      return { low: -Infinity, high: -nextAbove(-value) };
    case "<=":
      return { low: -Infinity, high: value };
    case ">":
      return { low: nextAbove(value), high: Infinity };
    case ">=":
      return { low: value, high: Infinity };
  }
}

/** Returns the range of the stored numbers whose values are within the given range. */
export function storedRange({ bias, scale, decimals }: WholeSegment, { low, high }: Range): Range {
  const unit = 10 ** decimals;
  const first = leastWhole(low, unit);
  const last = -leastWhole(-high, unit);
  return {
    low: Math.max(1, Math.ceil((first - bias) / scale)),
    high: Math.min(4_294_967_295, Math.floor((last - bias) / scale)),
  };
}

/**
 * Returns the least whole n with n / unit >= value. If n is so large that doubles skip whole numbers, returns a number
 * close to n. Stored numbers are never that large.
 */
function leastWhole(value: number, unit: number): number {
  let whole = Math.ceil(value * unit);
  if (unit === 1 || Math.abs(whole) > Number.MAX_SAFE_INTEGER) return whole;
  while ((whole - 1) / unit >= value) whole--;
  while (whole / unit < value) whole++;
  return whole;
}

/** Returns the least double that is greater than a finite double. */
function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0] += value > 0 ? 1n : -1n;
  return double[0];
}
