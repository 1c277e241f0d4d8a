/** Rounds milliseconds to the thousandth. */
export function milliseconds(time: number): number {
  return Math.round(time * 1000) / 1000;
}
