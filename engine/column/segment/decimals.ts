/** Powers of ten by the count of decimals. Numbers with more decimals are not stored as whole numbers. */
export const powersOfTen: readonly number[] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/**
 * Bound of |value * 10^decimals| when there are decimals. Up to here the product is off by less than a half, so
 * rounding gives one and only one whole number, however the tie is broken.
 */
const largestScaled = 2 ** 51;

/** Returns whether a value is exactly round(value * 10^decimals) / 10^decimals. */
export function fitsDecimals(value: number, decimals: number): boolean {
  if (decimals === 0) return Math.floor(value) === value;
  const power = powersOfTen[decimals];
  return Math.round(value * power) / power === value;
}

/** Returns `decimals` when values up to `largest` stay exact as whole numbers, else -1. */
export function boundDecimals(decimals: number, largest: number): number {
  if (decimals <= 0) return largest <= Number.MAX_SAFE_INTEGER ? decimals : -1;
  return largest * powersOfTen[decimals] < largestScaled ? decimals : -1;
}
