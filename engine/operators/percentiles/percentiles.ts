import type { BoundQuantile } from "../../plan/boundPlan.ts";
import type { GatheredValues } from "./gatheredValues.ts";
import { interpolate, percentileRank, selectNth } from "../../sketches/quantile.ts";

/** A wanted bucket of a group: its values are needed, because it contains a rank that a percentile requires. */
interface WantedBucket {
  readonly group: number;
  readonly bucket: number;
  /** Number of the group's values in earlier buckets. */
  readonly before: number;
}

/** The buckets whose values a second scan gathers. */
export interface WantedValues {
  /** Index in `buckets` plus one, by group and bucket; 0 for buckets that are not wanted. */
  readonly table: Uint32Array;
  readonly buckets: readonly WantedBucket[];
}

/**
 * A request to a task for the wanted buckets. The task returns either their values, bucket by bucket, or `counterCount`
 * counters that say how often each whole number occurs.
 */
export type CollectRequest =
  | {
      readonly kind: "values";
      readonly quantile: number;
      readonly table: Uint32Array;
      readonly cursors: Uint32Array;
      readonly valueCount: number;
    }
  | {
      readonly kind: "counts";
      readonly quantile: number;
      readonly table: Uint32Array;
      readonly counterCount: number;
    };

/**
 * Two numbers of counters: below the first, whole numbers are always counted; above the second, they are never counted,
 * however many values there are.
 */
const fewCounters = 4096;
const mostCounters = 2 ** 22;
/** Number of counters that cost as much as gathering one value and moving it to its place. */
const countersPerValue = 4;

/** Adds up the histograms of all tasks. */
export function addHistograms(histograms: readonly Uint32Array[]): Uint32Array {
  const sum = histograms[0].slice();
  for (const other of histograms.slice(1))
    for (let index = 0; index < sum.length; index++) sum[index] += other[index];
  return sum;
}

/**
 * Reads percentiles from a histogram in which each bucket stands for one value. Returns one array per fraction, by
 * group.
 */
export function readPercentiles(
  { bucketCount, low, decimals, fractions }: BoundQuantile,
  histogram: Uint32Array,
  capacity: number,
): Float64Array[] {
  const unit = decimals > 0 ? 10 ** decimals : 1;
  return percentilesBy(fractions, histogram, capacity, bucketCount, (group, rank) => {
    const { bucket } = bucketOf(histogram, group * bucketCount, rank);
    return (low + bucket - 1) / unit;
  });
}

/** Finds the buckets that contain the wanted ranks. */
export function wantValues(
  { bucketCount, fractions }: BoundQuantile,
  histogram: Uint32Array,
  capacity: number,
): WantedValues {
  const table = new Uint32Array(new SharedArrayBuffer(capacity * bucketCount * 4));
  const buckets: WantedBucket[] = [];
  percentilesBy(fractions, histogram, capacity, bucketCount, (group, rank) => {
    const { bucket, before } = bucketOf(histogram, group * bucketCount, rank);
    const at = group * bucketCount + bucket;
    if (table[at] === 0) table[at] = buckets.push({ group, bucket, before });
    return 0;
  });
  return { table, buckets };
}

/** Returns whether counting the whole numbers in the wanted buckets costs less than gathering them. */
export function canCountWanted(
  { shift, bucketCount }: BoundQuantile,
  { buckets }: WantedValues,
  histogram: Uint32Array,
): boolean {
  const counterCount = buckets.length * 2 ** shift;
  if (shift < 0 || counterCount > mostCounters) return false;
  let valueCount = 0;
  for (const { group, bucket } of buckets) valueCount += histogram[group * bucketCount + bucket];
  return counterCount <= Math.max(fewCounters, valueCount * countersPerValue);
}

/** Creates the request that counts how often each whole number in the wanted buckets occurs. */
export function requestCounts(
  quantile: number,
  { table, buckets }: WantedValues,
  shift: number,
): CollectRequest {
  return { kind: "counts", quantile, table, counterCount: buckets.length * 2 ** shift };
}

/**
 * Creates the request for the values of each wanted bucket. A task's histogram determines where the task writes these
 * values.
 */
export function requestValues(
  quantile: number,
  { table, buckets }: WantedValues,
  histogram: Uint32Array,
  bucketCount: number,
): Extract<CollectRequest, { kind: "values" }> {
  const cursors = new Uint32Array(buckets.length);
  let valueCount = 0;
  buckets.forEach(({ group, bucket }, index) => {
    cursors[index] = valueCount;
    valueCount += histogram[group * bucketCount + bucket];
  });
  return { kind: "values", quantile, table, cursors, valueCount };
}

/** Selects percentiles from the gathered values, and reorders the values. Returns one array per fraction, by group. */
export function selectPercentiles(
  quantile: BoundQuantile,
  histogram: Uint32Array,
  capacity: number,
  wanted: WantedValues,
  { values, starts }: GatheredValues,
): Float64Array[] {
  return wantedPercentiles(quantile, histogram, capacity, wanted, (index, rank) =>
    selectNth(values, starts[index], starts[index + 1], starts[index] + rank),
  );
}

/** Finds percentiles in the total counts of all tasks. Returns one array per fraction, by group. */
export function locatePercentiles(
  quantile: BoundQuantile,
  histogram: Uint32Array,
  capacity: number,
  wanted: WantedValues,
  counts: Uint32Array,
): Float64Array[] {
  const { low, shift } = quantile;
  const width = 2 ** shift;
  return wantedPercentiles(quantile, histogram, capacity, wanted, (index, rank) => {
    const place = bucketOf(counts, index * width - 1, rank).bucket - 1;
    return low + (wanted.buckets[index].bucket - 1) * width + place;
  });
}

/** Computes percentiles. `valueAt` returns the value at a rank within a wanted bucket. */
function wantedPercentiles(
  { bucketCount, decimals, fractions }: BoundQuantile,
  histogram: Uint32Array,
  capacity: number,
  { table, buckets }: WantedValues,
  valueAt: (index: number, rank: number) => number,
): Float64Array[] {
  const unit = decimals > 0 ? 10 ** decimals : 1;
  return percentilesBy(fractions, histogram, capacity, bucketCount, (group, rank) => {
    const { bucket } = bucketOf(histogram, group * bucketCount, rank);
    const index = table[group * bucketCount + bucket] - 1;
    return valueAt(index, rank - buckets[index].before) / unit;
  });
}

function percentilesBy(
  fractions: readonly number[],
  histogram: Uint32Array,
  capacity: number,
  bucketCount: number,
  valueAt: (group: number, rank: number) => number,
): Float64Array[] {
  const columns = fractions.map(() => new Float64Array(capacity).fill(NaN));
  for (let group = 0; group < capacity; group++) {
    let count = 0;
    const from = group * bucketCount;
    for (let bucket = from + 1; bucket < from + bucketCount; bucket++) count += histogram[bucket];
    if (count === 0) continue;
    fractions.forEach((fraction, index) => {
      const { lower, upper, weight } = percentileRank(count, fraction);
      const least = valueAt(group, lower);
      columns[index][group] =
        upper === lower ? least : interpolate(least, valueAt(group, upper), weight);
    });
  }
  return columns;
}

/** Returns the bucket, at least 1, that contains the value at a rank, and the number of values before the bucket. */
function bucketOf(
  histogram: Uint32Array,
  from: number,
  rank: number,
): { readonly bucket: number; readonly before: number } {
  let before = 0;
  let bucket = 1;
  while (before + histogram[from + bucket] <= rank) before += histogram[from + bucket++];
  return { bucket, before };
}
