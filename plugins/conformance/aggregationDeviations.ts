import { hasAggregation, isAggregation, isOf } from "./concerns.ts";
import type { Deviation } from "./deviation.ts";

/** Known deviations in groups, aggregations and bins. */
export const aggregationDeviations: readonly Deviation[] = [
  {
    does: "omits the group of null",
    semantics: { groupsNulls: false },
    concerns: isOf("key"),
    touches: ({ options }) => options.pushdown,
  },
  {
    does: "returns rows instead of groups",
    semantics: { ignoresGrouping: true },
    concerns: isOf("key"),
    touches: ({ options }) => options.pushdown,
    isOnlyNamed: true,
  },
  {
    does: "counts nulls",
    semantics: { countsNulls: true },
    concerns: isAggregation("count", "distinctcount"),
    touches: hasAggregation("count", "distinctcount"),
  },
  {
    does: "counts distinct values instead of values",
    semantics: { countsDistinct: true },
    concerns: isAggregation("count"),
    touches: hasAggregation("count"),
    isOnlyNamed: true,
  },
  {
    does: "adds each distinct value once",
    semantics: { sumsDistinct: true },
    concerns: isAggregation("sum", "average"),
    touches: hasAggregation("sum", "cumulativesum", "average"),
    isOnlyNamed: true,
  },
  {
    does: "treats null as 0",
    semantics: { nullIsZero: true },
    concerns: isAggregation("average", "median", "percentile", "stddev"),
    touches: hasAggregation("average", "median", "percentile", "stddev", "corr"),
  },
  {
    does: "returns 0 for the sum of no values",
    semantics: { emptySumIsZero: true },
    concerns: isAggregation("sum"),
    touches: hasAggregation("sum", "cumulativesum"),
  },
  {
    does: "truncates averages to whole numbers",
    semantics: { roundAverage: Math.trunc },
    concerns: isAggregation("average"),
    touches: hasAggregation("average"),
  },
  {
    does: "rounds averages to whole numbers",
    semantics: { roundAverage: Math.round },
    concerns: isAggregation("average"),
    touches: hasAggregation("average"),
    isOnlyNamed: true,
  },
  {
    does: "rounds averages to two decimals",
    semantics: { roundAverage: (mean) => Math.round(mean * 100) / 100 },
    concerns: isAggregation("average"),
    touches: hasAggregation("average"),
    isOnlyNamed: true,
  },
  {
    does: "computes the population standard deviation",
    semantics: { populationDeviation: true },
    concerns: isAggregation("stddev"),
    touches: hasAggregation("stddev"),
  },
  {
    does: "returns the lower of two middle values",
    semantics: { lowerPercentiles: true },
    concerns: isAggregation("median", "percentile"),
    touches: hasAggregation("median", "percentile"),
  },
  {
    does: "treats NaN as the greatest number",
    semantics: { nanIsGreatest: true },
    concerns: isAggregation("max"),
  },
  {
    does: "rounds the starts of bins of negative numbers towards 0",
    semantics: { binsTowardsZero: true },
    concerns: isOf("bins"),
    touches: ({ columns }) => columns.some(({ bin }) => bin !== undefined),
  },
];
