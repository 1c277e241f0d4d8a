import type { Series } from "../frame/pivotRows.ts";
import { objectOf } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** Returns the indexes of the series that the options put on the second axis. */
export function secondAxis(options: Stored<"axis">, count: number): ReadonlySet<number> {
  const { active, measureIndexes } = objectOf(objectOf<"y2">(options.axis).y2);
  if (active !== true || !Array.isArray(measureIndexes)) return new Set();
  const found = new Set(
    measureIndexes.filter((index): index is number => Number.isInteger(index) && index < count),
  );
  return found.size < count ? found : new Set();
}

/** Returns the number format of an axis, and the range that the options fix. */
export function axisOptions(
  options: Stored<"axis">,
  name: "y" | "y2",
  series: readonly Series[],
  second: ReadonlySet<number>,
  isSecond: boolean,
) {
  const { manualAxesRange, type } = objectOf(objectOf(options.axis)[name]);
  const range = Array.isArray(manualAxesRange) ? manualAxesRange.map(Number) : [];
  const [low = NaN, high = NaN] = range;
  const fixed = type === "manual" && low < high ? ([low, high] as const) : undefined;
  const style = series.find((_, index) => second.has(index) === isSecond)?.measure.field ?? {};
  return { style, fixed };
}
