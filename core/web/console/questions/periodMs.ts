const dayMs = 86_400_000;

/** Average length of a period in milliseconds by datetime level, from the year (1) to the second (8). */
export const periodLengths: ReadonlyMap<number, number> = new Map([
  [1, 365.25 * dayMs],
  [2, 91.3125 * dayMs],
  [3, 30.4375 * dayMs],
  [4, 7 * dayMs],
  [5, dayMs],
  [6, 3_600_000],
  [7, 60_000],
  [8, 1_000],
]);

/** Returns the average length of a period of a level in milliseconds; that of a day for an unknown level. */
export const periodMs = (level: number): number => periodLengths.get(level) ?? dayMs;
