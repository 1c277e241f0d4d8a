import type { BoundValue } from "../expressions/boundValue.ts";
import { boundsOf } from "./boundsOf.ts";
import type { BoundQuantile } from "./boundPlan.ts";
import type { PlanSource } from "./planSource.ts";

/**
 * Maximum number of histogram counters. If each bucket stands for one value, the counters must fit in the second-level
 * cache, because beyond that size two scans are faster than one. If a second scan follows, the counters must fit in the
 * first-level cache, or in a larger cache if there are many groups.
 */
const exactCounters = 2 ** 17;
const roughCounters = 10 * 2 ** 10;
const leastBucketCount = 64;
const mostRoughCounters = 2 ** 22;

/** Whole numbers are counted directly from their stored form if their range is below this limit. */
const largestRange = 2 ** 31;

/**
 * Chooses the buckets in which values are counted for percentiles. `canCount` is false if there are too many groups or
 * if the range is not finite.
 */
export function bindQuantile(
  { of, fractions }: { readonly of: BoundValue; readonly fractions: readonly number[] },
  capacity: number,
  source: PlanSource,
): { readonly bound: BoundQuantile; readonly canCount: boolean } {
  const bounds = boundsOf(of, source.columns);
  const none = { of, decimals: -1, low: 0, factor: 0, bucketCount: 2, shift: -1, fractions };
  if (!bounds) return { bound: none, canCount: false };
  const decimals = Math.max(-1, bounds.decimals);
  const unit = decimals > 0 ? 10 ** decimals : 1;
  const round = (value: number) => (decimals >= 0 ? Math.round(value * unit) : value);
  const isEmpty = bounds.minimum !== bounds.minimum;
  const low = isEmpty ? 0 : round(bounds.minimum);
  const range = isEmpty ? 0 : round(bounds.maximum) - low;
  if (!Number.isFinite(range)) return { bound: none, canCount: false };
  const most = Math.max(leastBucketCount, Math.floor(roughCounters / capacity));
  if (decimals >= 0 && range < largestRange) {
    const isExact = (range + 1) * capacity <= exactCounters;
    const shift = isExact ? 0 : shiftFor(range, most);
    const bucketCount = Math.floor(range / 2 ** shift) + 2;
    return {
      bound: { of, decimals, low, factor: 2 ** -shift, bucketCount, shift, fractions },
      canCount: isExact || bucketCount * capacity <= mostRoughCounters,
    };
  }
  const factor = most / range;
  if (range === 0 || !Number.isFinite(factor))
    return { bound: { ...none, decimals, low }, canCount: true };
  return {
    bound: { of, decimals, low, factor, bucketCount: most + 1, shift: -1, fractions },
    canCount: most * capacity <= mostRoughCounters,
  };
}

/** Returns the smallest shift with which the whole numbers from 0 to `range` fall into at most `most` buckets. */
function shiftFor(range: number, most: number): number {
  let shift = 0;
  while (Math.floor(range / 2 ** shift) >= most) shift++;
  return shift;
}
