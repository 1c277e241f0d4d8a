/** Returns whether a value is a whole number in a range that includes both bounds. */
export const isWhole = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
