import { inSteps } from "../task/inSteps.ts";

/** The states of covariances of groups. */
export interface Covariances {
  readonly groupCount: number;
  /** Returns one of the six doubles of a covariance slot, one value per group. */
  covariance(slot: number, place: number): Float64Array;
}

/** The places of doubles in the state of a covariance; see `foldCovariance`. */
const places = { count: 0, products: 1, left: 2, right: 3, leftSquares: 4, rightSquares: 5 };

/** The number of doubles in the state of a covariance. */
const width = 6;

/**
 * Merges the covariance of one group of numbers into another. Merging in the same order always gives the same bits.
 * Source: P. Pébay, Formulas for Robust, One-Pass Parallel Computation of Covariances (2008).
 */
export function mergeCovariance(
  target: Float64Array<ArrayBufferLike>,
  into: number,
  other: Float64Array<ArrayBufferLike>,
  of: number,
): void {
  const added = other[of];
  if (added === 0) return;
  const count = target[into];
  const total = count + added;
  const left = other[of + places.left] - target[into + places.left];
  const right = other[of + places.right] - target[into + places.right];
  const share = added / total;
  target[into] = total;
  target[into + places.left] += left * share;
  target[into + places.right] += right * share;
  target[into + places.products] += other[of + places.products] + left * right * count * share;
  target[into + places.leftSquares] += other[of + places.leftSquares] + left * left * count * share;
  target[into + places.rightSquares] +=
    other[of + places.rightSquares] + right * right * count * share;
}

/** Merges the covariances of `groupCount` groups, which start at `other`, into those that start at `target`. */
export function mergeCovariances(
  f64: Float64Array<ArrayBufferLike>,
  target: number,
  other: number,
  groupCount: number,
): void {
  for (let group = 0; group < groupCount; group++)
    mergeCovariance(f64, target + group * width, f64, other + group * width);
}

/**
 * Computes the correlation of each group from the first of the slots whose sums are finite. The correlation is null for
 * fewer than two pairs, or if the squares of one number sum to 0.
 */
export function correlations(slots: readonly number[], values: Covariances): Float64Array {
  const column = new Float64Array(values.groupCount).fill(NaN);
  for (const slot of slots) {
    const counts = values.covariance(slot, places.count);
    const products = values.covariance(slot, places.products);
    const lefts = values.covariance(slot, places.leftSquares);
    const rights = values.covariance(slot, places.rightSquares);
    inSteps(values.groupCount, (from, to) => {
      for (let group = from; group < to; group++) {
        if (counts[group] < 2 || column[group] === column[group]) continue;
        const isVarying = lefts[group] > 0 && rights[group] > 0;
        const isFinite = lefts[group] < Infinity && rights[group] < Infinity;
        if (!isVarying || !isFinite) continue;
        // Dividing twice avoids the product of the sums, which may overflow.
        const value = products[group] / Math.sqrt(lefts[group]) / Math.sqrt(rights[group]);
        column[group] = Math.max(-1, Math.min(1, value)) + 0;
      }
    });
  }
  return column;
}
