/** Rounds milliseconds to three decimals. */
export function milliseconds(time: number): number {
  return Math.round(time * 1000) / 1000;
}
