import type { Aggregation } from "../../client/index.ts";
import { textOf } from "../language/index.ts";

interface OfferedAggregation {
  readonly name: { readonly en: string };
  /**
   * Columns for which menus offer the aggregation. Absent if the aggregation needs a second argument or depends on the
   * order of the answer.
   */
  readonly columns?: "all" | "numbers";
  /** Parameters in formulas; absent if formulas cannot use the aggregation. */
  readonly parameters?: string;
}

/** All aggregations, in the order of the menus. */
export const aggregations = {
  sum: { name: { en: "Sum" }, columns: "numbers", parameters: "number" },
  average: { name: { en: "Average" }, columns: "numbers", parameters: "number" },
  median: { name: { en: "Median" }, columns: "numbers", parameters: "number" },
  min: { name: { en: "Least" }, columns: "all", parameters: "value" },
  max: { name: { en: "Greatest" }, columns: "all", parameters: "value" },
  count: { name: { en: "Count" }, columns: "all", parameters: "value" },
  distinctcount: { name: { en: "Distinct count" }, columns: "all", parameters: "value" },
  stddev: { name: { en: "Standard deviation" }, columns: "numbers", parameters: "number" },
  corr: { name: { en: "Correlation" }, parameters: "number, other" },
  percentile: { name: { en: "Percentile" }, parameters: "number, fraction" },
  weightedaverage: { name: { en: "Weighted average" } },
  cumulativesum: { name: { en: "Running total" } },
} as const satisfies Record<Aggregation, OfferedAggregation>;

const entries: Readonly<Record<string, OfferedAggregation>> = aggregations;

/** Returns the readable name of an aggregation; the given name if the aggregation is unknown. */
export const nameOfAggregation = (aggregation: string): string =>
  textOf(entries[aggregation]?.name) || aggregation;

/** Lists the aggregations that menus offer for a column. */
export const offeredAggregations = (isNumber: boolean): readonly string[] =>
  Object.entries(entries).flatMap(([aggregation, { columns }]) =>
    columns === "all" || (columns === "numbers" && isNumber) ? [aggregation] : [],
  );

/** The aggregations available in formulas, as `name(parameter, …)`. */
export const aggregationSignatures: readonly string[] = Object.entries(entries).flatMap(
  ([aggregation, { parameters }]) => (parameters ? [`${aggregation}(${parameters})`] : []),
);
