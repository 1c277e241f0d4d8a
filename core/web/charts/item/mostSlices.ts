import type { ChartItem } from "./item.ts";
import { objectOf } from "./readItem.ts";

/** Maximum number of slices that people can compare. */
const usualSlices = 6;

/** Returns the maximum number of slices of an item, with the slice of all others. */
export function mostSlices({ options }: ChartItem): number {
  const { maxNumber } = objectOf<"maxNumber">(options.slices);
  return typeof maxNumber === "number" && maxNumber > 1 ? Math.min(maxNumber, 10) : usualSlices;
}
