import type { Aggregation } from "../../client/index.ts";

/**
 * The columns for which menus offer each aggregation, in the order of the menus. `nowhere`: it takes another argument
 * or needs the order of the answer.
 */
export const offered = {
  sum: "numbers",
  average: "numbers",
  median: "numbers",
  min: "all",
  max: "all",
  count: "all",
  distinctcount: "all",
  stddev: "numbers",
  percentile: "nowhere",
  weightedaverage: "nowhere",
  cumulativesum: "nowhere",
} as const satisfies Record<Aggregation, "all" | "numbers" | "nowhere">;

/** Lists the aggregations that menus offer for a column. */
export function offeredAggregations(isNumber: boolean): readonly string[] {
  return Object.entries(offered)
    .filter(([, columns]) => columns === "all" || (columns === "numbers" && isNumber))
    .map(([aggregation]) => aggregation);
}
