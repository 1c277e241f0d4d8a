import { everyOperator, levels, type Aggregation, type Capabilities } from "../protocol/index.ts";

/** The capabilities of a dialect that writes everything that `compileQuery` asks of it; others take members away. */
export const sqlCapabilities = {
  projection: true,
  filters: {
    operators: everyOperator,
    nested: true,
    levels: true,
  },
  grouping: {
    aggregations: [
      "sum",
      "min",
      "max",
      "count",
      "distinctcount",
      "average",
      "median",
      "percentile",
      "stddev",
      "weightedaverage",
    ],
    levels,
    timezones: true,
  },
  levelsAnywhere: true,
  bins: true,
  having: true,
  order: true,
  limit: true,
} as const satisfies Capabilities;

/** The aggregations that a dialect writes; the host computes the others. */
export type SqlAggregation = (typeof sqlCapabilities.grouping.aggregations)[number];

/** Returns whether a dialect is asked to write an aggregation. */
export function isSqlAggregation(aggregation: Aggregation): aggregation is SqlAggregation {
  return sqlCapabilities.grouping.aggregations.some((each) => each === aggregation);
}
