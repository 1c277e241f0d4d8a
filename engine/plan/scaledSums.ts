/**
 * Powers of two. If the plain sum may overflow, values are multiplied by one of them for a second sum. Scaling by a
 * power of two keeps all bits. The second sum is used only if the plain sum is not finite.
 */
export const scales = {
  /** The scale for sums of up to 2^60 values. */
  sum: 2 ** -64,
  /** The scale for values whose squares, or products with weights, are added up. */
  square: 2 ** -560,
} as const;

/** Returns `value` if it is finite, otherwise `scaled` divided by its scale; NaN if that result also overflows. */
export function finiteOf(value: number, scaled: number | undefined, scale: number): number {
  if (Number.isFinite(value)) return value;
  const whole = (scaled ?? NaN) / scale;
  return Number.isFinite(whole) ? whole : NaN;
}
