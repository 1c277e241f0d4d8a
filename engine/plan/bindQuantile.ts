import type { BoundValue } from "../expressions/boundValue.ts";
import { boundsOf } from "./boundsOf.ts";
import type { BoundQuantile } from "./boundPlan.ts";
import type { PlanSource } from "./planSource.ts";

/**
 * Counters of a histogram: where a bucket holds one value; where it is a first step, as many as stay in the first cache, or
 * more when there are many groups.
 */
const exactCounters = 2 ** 20;
const roughCounters = 2 ** 13;
const leastBucketCount = 64;
const mostRoughCounters = 2 ** 22;

/** Tells in which buckets values are counted for percentiles; `canCount` is false where groups are too many, or a range is not finite. */
export function bindQuantile(
  { of, fractions }: { readonly of: BoundValue; readonly fractions: readonly number[] },
  capacity: number,
  source: PlanSource,
): { readonly bound: BoundQuantile; readonly canCount: boolean } {
  const bounds = boundsOf(of, source.columns);
  const none = { of, decimals: -1, low: 0, factor: 0, bucketCount: 1, isExact: false, fractions };
  if (!bounds) return { bound: none, canCount: false };
  const decimals = Math.max(-1, bounds.decimals);
  const unit = decimals > 0 ? 10 ** decimals : 1;
  const round = (value: number) => (decimals >= 0 ? Math.round(value * unit) : value);
  const isEmpty = bounds.minimum !== bounds.minimum;
  const low = isEmpty ? 0 : round(bounds.minimum);
  const range = isEmpty ? 0 : round(bounds.maximum) - low;
  if (!Number.isFinite(range)) return { bound: none, canCount: false };
  if (decimals >= 0 && (range + 1) * capacity <= exactCounters)
    return {
      bound: { of, decimals, low, factor: 1, bucketCount: range + 1, isExact: true, fractions },
      canCount: true,
    };
  const bucketCount = Math.max(leastBucketCount, Math.floor(roughCounters / capacity));
  const factor = bucketCount / range;
  if (range === 0 || !Number.isFinite(factor))
    return { bound: { ...none, decimals, low }, canCount: true };
  return {
    bound: { of, decimals, low, factor, bucketCount, isExact: false, fractions },
    canCount: bucketCount * capacity <= mostRoughCounters,
  };
}
