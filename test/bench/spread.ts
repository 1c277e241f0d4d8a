/** Minimum, median and maximum of measurements. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Summarizes measurements. The median of an even number of measurements is the lower of the two middle values. */
export function spreadOf(measured: readonly number[]): Spread {
  const sorted = measured.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  const [min, median, max] = [at(0), at(0.5), at(1)];
  if (min === undefined || median === undefined || max === undefined)
    throw new Error("there are no measurements");
  return { min, median, max };
}

export function shownSpread({ min, median, max }: Spread): string {
  return `${median.toFixed(1).padStart(9)} ${min.toFixed(1).padStart(9)} ${max.toFixed(1).padStart(9)}`;
}

/** Measures a function in milliseconds: `warmUps` uncounted runs, then `runs` counted runs. */
export async function timed(
  run: () => Promise<unknown>,
  { warmUps = 2, runs = 9 } = {},
): Promise<Spread> {
  for (let index = 0; index < warmUps; index++) await run();
  const measured: number[] = [];
  for (let index = 0; index < runs; index++) {
    const startedAt = performance.now();
    await run();
    measured.push(performance.now() - startedAt);
  }
  return spreadOf(measured);
}

/** Returns a quantile: the value that a fraction of the measurements, `part` from 0 to 1, does not exceed. */
export function quantile(measured: readonly number[], part: number): number {
  const sorted = measured.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  if (value === undefined) throw new Error("there are no measurements");
  return value;
}
