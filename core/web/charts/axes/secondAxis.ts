import { listOf, objectOf } from "../item/readItem.ts";
import type { Stored } from "../item/stored.ts";

/** Returns the indexes of the series that the options put on the second axis. */
export function secondAxis(options: Stored<"axis">, count: number): ReadonlySet<number> {
  const { active, measureIndexes } = objectOf<"active" | "measureIndexes">(
    objectOf<"y2">(options.axis).y2,
  );
  if (active !== true) return new Set();
  // The index of the second measure is the default of the option.
  const found = new Set(
    (measureIndexes === undefined ? [1] : listOf(measureIndexes)).filter(
      (index): index is number =>
        typeof index === "number" && Number.isInteger(index) && index >= 0 && index < count,
    ),
  );
  return found.size < count ? found : new Set();
}
