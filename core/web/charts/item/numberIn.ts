/** Returns a number within its bounds; undefined for any other value. */
export function numberIn(value: unknown, low: number, high: number): number | undefined {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.max(low, Math.min(high, value))
    : undefined;
}
