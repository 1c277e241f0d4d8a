const dayMs = 86_400_000;
/**
 * Average length of a period in milliseconds by level: 1 year, 2 quarter, 3 month, 5 day, 6 hour, 7 minute, 8 second.
 */
const lengths: ReadonlyMap<number, number> = new Map([
  [1, 365.25 * dayMs],
  [2, 91.3125 * dayMs],
  [3, 30.4375 * dayMs],
  [5, dayMs],
  [6, 3_600_000],
  [7, 60_000],
  [8, 1_000],
]);
const fewEnough = 60;

/** Returns the average length of a period of a level in milliseconds. */
export const periodMs = (level: number): number => lengths.get(level) ?? dayMs;

/** Returns the finest level that divides a range of instants into at most 60 periods; years for longer ranges. */
export function levelOfRange(least: unknown, most: unknown, isDate: boolean): number {
  const rangeMs = Date.parse(String(most)) - Date.parse(String(least));
  if (Number.isNaN(rangeMs)) return 1;
  const fitting = [...lengths].filter(
    ([level, length]) => rangeMs / length <= fewEnough && (!isDate || level <= 5),
  );
  return fitting.at(-1)?.[0] ?? 1;
}
