import { interpolate, percentile } from "./quantile.ts";

const compression = 200;
/**
 * Maximum number of centroids. The scale has compression / 2 steps, and two neighbouring centroids together span more
 * than one step. There are therefore at most compression + 1 centroids.
 */
const centroidLimit = compression + 2;
const bufferSize = 512;
const meansAt = 5;
const weightsAt = meansAt + centroidLimit;
const bufferAt = weightsAt + centroidLimit;

/** Number of doubles per digest. A new digest is all zeros. A digest can be in shared memory. */
export const digestDoubles = bufferAt + bufferSize;

/*
 * Layout: 0 number of centroids, 1 number of buffered values, 2 minimum, 3 maximum, 4 number of values, then means,
 * weights and buffer. As long as no centroid exists, the buffer contains every value and percentiles are exact.
 */

/**
 * Adds values to a digest and skips NaN (null). A digest summarizes a distribution for percentiles and is exact up to
 * 512 values. Adding and merging the same values in the same order gives the same digest. Source: T. Dunning and O.
 * Ertl, Computing Extremely Accurate Quantiles Using t-Digests (arXiv:1902.04023, 2019): the merging digest with scale
 * function k1.
 */
export function addToDigest(digest: Float64Array, values: Float64Array, rowCount: number): void {
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    if (value === value) addValue(digest, value);
  }
}

/** Adds one value, which must not be NaN, to a digest. */
export function addValue(digest: Float64Array, value: number): void {
  if (digest[1] === bufferSize) compress(digest, undefined);
  if (digest[4] === 0 || value < digest[2]) digest[2] = value;
  if (digest[4] === 0 || value > digest[3]) digest[3] = value;
  digest[4]++;
  digest[bufferAt + digest[1]++] = value;
}

/** Adds the values of another digest, which stays unchanged. */
export function mergeDigest(digest: Float64Array, other: Float64Array): void {
  if (other[4] === 0) return;
  const isSmall = other[0] === 0 && digest[1] + other[1] <= bufferSize;
  if (digest[4] === 0) {
    digest.set(other.subarray(0, digestDoubles));
    return;
  }
  digest[2] = Math.min(digest[2], other[2]);
  digest[3] = Math.max(digest[3], other[3]);
  digest[4] += other[4];
  if (isSmall) {
    digest.set(other.subarray(bufferAt, bufferAt + other[1]), bufferAt + digest[1]);
    digest[1] += other[1];
  } else compress(digest, other);
}

/**
 * Merges the centroids and the buffer of a digest into new centroids. If another digest is given, also merges the
 * centroids and the buffer of that digest.
 */
function compress(digest: Float64Array, other: Float64Array | undefined): void {
  const means: number[] = [];
  const weights: number[] = [];
  for (const from of other ? [digest, other] : [digest]) {
    for (let index = 0; index < from[0]; index++) {
      means.push(from[meansAt + index]);
      weights.push(from[weightsAt + index]);
    }
    for (let index = 0; index < from[1]; index++) {
      means.push(from[bufferAt + index]);
      weights.push(1);
    }
  }
  const order = Uint32Array.from(means.keys()).sort(
    (left, right) => means[left] - means[right] || left - right,
  );
  let total = 0;
  for (const weight of weights) total += weight;
  let count = 0;
  let done = 0;
  let mean = means[order[0]];
  let weight = weights[order[0]];
  let limit = total * nextQuantile(0);
  const close = () => {
    digest[meansAt + count] = mean;
    digest[weightsAt + count] = weight;
    count++;
    done += weight;
  };
  for (let place = 1; place < order.length; place++) {
    const nextMean = means[order[place]];
    const nextWeight = weights[order[place]];
    if (done + weight + nextWeight <= limit) {
      weight += nextWeight;
      mean = Math.min(nextMean, interpolate(mean, nextMean, nextWeight / weight));
    } else {
      close();
      limit = total * nextQuantile(done / total);
      mean = nextMean;
      weight = nextWeight;
    }
  }
  close();
  digest[0] = count;
  digest[1] = 0;
}

/**
 * Returns the quantile up to which a centroid that starts at `quantile` may extend. Between these two quantiles, k1
 * grows by one.
 */
function nextQuantile(quantile: number): number {
  const scaled = (compression / (2 * Math.PI)) * Math.asin(2 * quantile - 1) + 1;
  const angle = (scaled * 2 * Math.PI) / compression;
  return angle >= Math.PI / 2 ? 1 : (Math.sin(angle) + 1) / 2;
}

/**
 * Estimates a percentile for a `fraction` between 0 and 1. Returns NaN for a digest without values. May compress the
 * digest.
 */
export function estimatePercentile(digest: Float64Array, fraction: number): number {
  if (digest[4] === 0) return NaN;
  if (digest[0] === 0) return percentile(digest.slice(bufferAt), 0, digest[1], fraction);
  if (digest[1] > 0) compress(digest, undefined);
  const [count, , least, greatest, total] = digest;
  const place = fraction * (total - 1);
  if (place <= 0) return least;
  if (place >= total - 1) return greatest;
  // A centroid represents the values around its middle rank. The minimum and maximum have ranks 0 and total - 1.
  let before = least;
  let beforeRank = 0;
  let started = 0;
  for (let index = 0; index <= count; index++) {
    const isEnd = index === count;
    const weight = isEnd ? 0 : digest[weightsAt + index];
    const next = isEnd ? greatest : digest[meansAt + index];
    const nextRank = isEnd ? total - 1 : started + (weight - 1) / 2;
    if (place <= nextRank && nextRank > beforeRank) {
      return interpolate(before, next, (place - beforeRank) / (nextRank - beforeRank));
    }
    before = next;
    beforeRank = nextRank;
    started += weight;
  }
  return greatest;
}
