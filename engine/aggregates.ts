/** The type of an aggregate's argument, and the type of its result. */
interface AggregateShape {
  /** The type of the aggregated expression; `none` if the aggregate takes no expression. */
  readonly argument: "number" | "any" | "none";
  readonly takes?: "fraction" | "weight" | "other";
  /** `T` stands for the type of the aggregated expression. */
  readonly result: "number" | "T";
}

/**
 * The table of aggregates. Every aggregate skips nulls. If there are no values, `count`, `distinctcount` and
 * `approximatedistinctcount` return 0, and all other aggregates return null.
 *
 * `rows` counts rows. `median` is `percentile` at 0.5; percentiles are exact and interpolate between neighbours like
 * SQL's `percentile_cont`. `stddev` is the sample standard deviation: null for a single value. `corr` is Pearson's
 * correlation over the rows where neither number is null: null for fewer than two such rows, and if either number is
 * the same in all of them. `weightedaverage` is sum(x * weight) / sum(weight) over the rows where neither is null, and
 * null if the weights sum to 0. `cumulativesum` is the running total of `sum` over the rows of the answer, in their
 * order, after `having` and before `limit`; nulls add nothing. `approximatedistinctcount` (HyperLogLog, about 1 %
 * error) and `approximatepercentile` (t-digest) are used only if a caller requests them by name.
 */
const table = {
  rows: { argument: "none", result: "number" },
  count: { argument: "any", result: "number" },
  sum: { argument: "number", result: "number" },
  average: { argument: "number", result: "number" },
  min: { argument: "any", result: "T" },
  max: { argument: "any", result: "T" },
  distinctcount: { argument: "any", result: "number" },
  median: { argument: "number", result: "number" },
  percentile: { argument: "number", takes: "fraction", result: "number" },
  stddev: { argument: "number", result: "number" },
  corr: { argument: "number", takes: "other", result: "number" },
  weightedaverage: { argument: "number", takes: "weight", result: "number" },
  cumulativesum: { argument: "number", result: "number" },
  approximatedistinctcount: { argument: "any", result: "number" },
  approximatepercentile: { argument: "number", takes: "fraction", result: "number" },
} as const satisfies Readonly<Record<string, AggregateShape>>;

/** Type of the table of aggregates. Other tables with one entry per aggregate can be checked against it. */
export type Aggregates = typeof table;

/** The name of an aggregate. The table in `aggregates.ts` documents the aggregates. */
export type AggregateFunction = keyof Aggregates;

/** The arguments and the result of each aggregate, by name. */
export const aggregates: Readonly<Record<AggregateFunction, AggregateShape>> = table;
