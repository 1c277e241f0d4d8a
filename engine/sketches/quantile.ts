/**
 * The indices, from 0, of the two sorted values around a percentile, and the percentile's position between them: at
 * least 0 and below 1.
 */
export interface PercentileRank {
  readonly lower: number;
  readonly upper: number;
  readonly weight: number;
}

/**
 * Returns the ranks of a percentile among `count` values. `count` is at least 1, and `fraction` is between 0 and 1.
 */
export function percentileRank(count: number, fraction: number): PercentileRank {
  const place = (count - 1) * fraction;
  const lower = Math.floor(place);
  return { lower, upper: Math.ceil(place), weight: place - lower };
}

/**
 * Interpolates between neighbours like SQL's `percentile_cont`, without overflow. If the neighbours are equal, the
 * result is exactly their value.
 */
export function interpolate(lower: number, upper: number, weight: number): number {
  if (lower === upper || weight === 0) return lower;
  return lower * (1 - weight) + upper * weight;
}

/**
 * Computes the exact percentile of the values from index `start` to below `end`, which must not be NaN. Returns NaN if
 * the range is empty. Reorders the values. Takes O(values).
 */
export function percentile(
  values: Float64Array,
  start: number,
  end: number,
  fraction: number,
): number {
  if (end <= start) return NaN;
  const { lower, upper, weight } = percentileRank(end - start, fraction);
  const least = selectNth(values, start, end, start + lower);
  if (upper === lower) return least;
  let next = Infinity;
  for (let index = start + upper; index < end; index++)
    if (values[index] < next) next = values[index];
  return interpolate(least, next, weight);
}

/**
 * Partly sorts the values from `start` to below `end`: moves the value that sorting would put at index `nth` to that
 * index, and returns it. Smaller or equal values are moved before it, and all others after it. Values must not be NaN.
 * Takes O(values) on average and O(values * log values) at worst: after too many bad pivots, the remaining values are
 * sorted (D. Musser, Introspective Sorting and Selection Algorithms, 1997).
 */
export function selectNth(values: Float64Array, start: number, end: number, nth: number): number {
  let low = start;
  let high = end - 1;
  let rounds = 2 * Math.ceil(Math.log2(high - low + 2));
  while (high - low > 24) {
    if (rounds-- === 0) {
      values.subarray(low, high + 1).sort();
      return values[nth];
    }
    const pivot = medianOfThree(values[low], values[(low + high) >>> 1], values[high]);
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left] < pivot) left++;
      while (values[right] > pivot) right--;
      if (left <= right) {
        const value = values[left];
        values[left++] = values[right];
        values[right--] = value;
      }
    }
    if (nth <= right) high = right;
    else if (nth >= left) low = left;
    else return values[nth];
  }
  for (let index = low + 1; index <= high; index++) {
    const value = values[index];
    let place = index - 1;
    while (place >= low && values[place] > value) values[place + 1] = values[place--];
    values[place + 1] = value;
  }
  return values[nth];
}

function medianOfThree(first: number, second: number, third: number): number {
  if (first < second) return second < third ? second : Math.max(first, third);
  return first < third ? first : Math.max(second, third);
}
