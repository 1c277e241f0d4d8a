/** The known bounds of the numbers that an expression returns. */
export interface Bounds {
  /** The bounds, which are NaN if all values are null. */
  readonly minimum: number;
  readonly maximum: number;
  /** Number of decimals that is enough for all values; -1 if there is no such number. */
  readonly decimals: number;
  readonly hasNulls: boolean;
}

/** The bounds of an expression that is always null. */
export const nullBounds: Bounds = { minimum: NaN, maximum: NaN, decimals: 0, hasNulls: true };

/** Whole numbers below this limit are exact as doubles, and stay exact if they are multiplied by a power of ten. */
const exactLimit = 2 ** 51;

export const leastOf = (parts: readonly Bounds[]): number =>
  Math.min(...parts.map(({ minimum }) => minimum));
export const greatestOf = (parts: readonly Bounds[]): number =>
  Math.max(...parts.map(({ maximum }) => maximum));

/** Returns the number of decimals that is enough for the values of all parts; -1 if there is no such number. */
export function decimalsOf(parts: readonly Bounds[]): number {
  const decimals = parts.map((part) => part.decimals);
  return decimals.includes(-1) ? -1 : Math.max(...decimals);
}

/** Returns bounds only if they are finite, with decimals only if the values times 10^decimals are exact. */
export function checkBounds(bounds: Bounds): Bounds | undefined {
  const largest = Math.max(Math.abs(bounds.minimum), Math.abs(bounds.maximum));
  if (!Number.isFinite(largest)) return undefined;
  const isExact = largest * 10 ** Math.max(0, bounds.decimals) < exactLimit;
  return isExact ? bounds : { ...bounds, decimals: -1 };
}

/** Returns bounds for values each of which is within the bounds of a part. */
export function uniteBounds(parts: readonly Bounds[], hasNulls: boolean): Bounds | undefined {
  const known = parts.filter(({ minimum }) => minimum === minimum);
  if (known.length === 0) return nullBounds;
  return checkBounds({
    minimum: leastOf(known),
    maximum: greatestOf(known),
    decimals: decimalsOf(known),
    hasNulls,
  });
}
