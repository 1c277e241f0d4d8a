/**
 * Powers of two that sums are taken of a second time where they may pass the doubles on the way: what is multiplied
 * by one and divided by it keeps its bits. The second result counts where the first is not finite, so other answers
 * stay as they are.
 */
export const scales = {
  /** For sums of up to 2^60 values. */
  sum: 2 ** -64,
  /** For values whose squares, or products with weights, are added up. */
  square: 2 ** -560,
} as const;

/** Returns `value`, else `scaled` without its scale, else NaN where that passes the doubles too. */
export function finiteOf(value: number, scaled: number | undefined, scale: number): number {
  if (Number.isFinite(value)) return value;
  const whole = (scaled ?? NaN) / scale;
  return Number.isFinite(whole) ? whole : NaN;
}
