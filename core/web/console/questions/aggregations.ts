import type { Aggregation } from "../../client/index.ts";
import { textOf } from "../language/index.ts";

interface OfferedAggregation {
  readonly name: { readonly en: string };
  /** The columns for which menus offer it; absent: it takes another argument or needs the order of the answer. */
  readonly columns?: "all" | "numbers";
}

/** The aggregations, in the order of the menus. */
export const aggregations = {
  sum: { name: { en: "Sum" }, columns: "numbers" },
  average: { name: { en: "Average" }, columns: "numbers" },
  median: { name: { en: "Median" }, columns: "numbers" },
  min: { name: { en: "Least" }, columns: "all" },
  max: { name: { en: "Greatest" }, columns: "all" },
  count: { name: { en: "Count" }, columns: "all" },
  distinctcount: { name: { en: "Distinct count" }, columns: "all" },
  stddev: { name: { en: "Standard deviation" }, columns: "numbers" },
  percentile: { name: { en: "Percentile" } },
  weightedaverage: { name: { en: "Weighted average" } },
  cumulativesum: { name: { en: "Running total" } },
} as const satisfies Record<Aggregation, OfferedAggregation>;

const entries: Readonly<Record<string, OfferedAggregation>> = aggregations;

/** Returns the name of an aggregation for people; of an unknown one, its own. */
export const nameOfAggregation = (aggregation: string): string =>
  textOf(entries[aggregation]?.name) || aggregation;

/** Lists the aggregations that menus offer for a column. */
export const offeredAggregations = (isNumber: boolean): readonly string[] =>
  Object.entries(entries).flatMap(([aggregation, { columns }]) =>
    columns === "all" || (columns === "numbers" && isNumber) ? [aggregation] : [],
  );
