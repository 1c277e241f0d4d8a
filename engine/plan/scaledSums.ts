/**
 * Powers of two by which values are scaled for a second sum, if the plain sum may overflow. Scaling by a power of two
 * keeps all bits. The second sum is used only if the plain sum is not finite.
 */
export const scales = {
  /** For sums of up to 2^60 values. */
  sum: 2 ** -64,
  /** For values whose squares, or products with weights, are added up. */
  square: 2 ** -560,
} as const;

/** Returns `value` if it is finite, otherwise `scaled` divided by its scale; NaN if that result overflows too. */
export function finiteOf(value: number, scaled: number | undefined, scale: number): number {
  if (Number.isFinite(value)) return value;
  const whole = (scaled ?? NaN) / scale;
  return Number.isFinite(whole) ? whole : NaN;
}
