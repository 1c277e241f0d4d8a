/**
 * Powers of ten, by number of decimals. Numbers with more decimals than this list covers are not stored as whole
 * numbers.
 */
export const powersOfTen: readonly number[] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/**
 * Upper bound of |value * 10^decimals| for numbers with decimals. Up to this bound, the product is off by less than one
 * half, so rounding always returns the same whole number, whatever the rule for ties.
 */
const largestScaled = 2 ** 51;

/** Returns whether a value equals round(value * 10^decimals) / 10^decimals. */
export function fitsDecimals(value: number, decimals: number): boolean {
  if (decimals === 0) return Math.floor(value) === value;
  const power = powersOfTen[decimals];
  return Math.round(value * power) / power === value;
}

/** Returns `decimals` if values up to `largest` stay exact as whole numbers, otherwise -1. */
export function boundDecimals(decimals: number, largest: number): number {
  if (decimals <= 0) return largest <= Number.MAX_SAFE_INTEGER ? decimals : -1;
  return largest * powersOfTen[decimals] < largestScaled ? decimals : -1;
}
