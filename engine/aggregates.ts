/** The argument and the result of an aggregate. */
interface AggregateShape {
  /** The type of its expression; `none`: it takes no expression. */
  readonly argument: "number" | "any" | "none";
  readonly takes?: "fraction" | "weight";
  /** `T`: the type of its expression. */
  readonly result: "number" | "T";
}

/**
 * The table of aggregates. They skip nulls. Over no values `count`, `distinctcount` and `approximatedistinctcount` are
 * 0, all others null.
 * `rows` counts rows. `median` is `percentile` at 0.5; a percentile is exact and interpolates between neighbours as
 * SQL's `percentile_cont` does. `stddev` is of the sample: null for one value. `weightedaverage` is sum(x * weight) /
 * sum(weight) over rows where neither is null, null when the weights sum to 0. `cumulativesum` adds up `sum` over the
 * rows of the answer, in the order of the answer, after `having` and before `limit`; a null adds nothing.
 * `approximatedistinctcount` (HyperLogLog, about 1 % off) and `approximatepercentile` (t-digest) are for callers that
 * ask for them.
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
  weightedaverage: { argument: "number", takes: "weight", result: "number" },
  cumulativesum: { argument: "number", result: "number" },
  approximatedistinctcount: { argument: "any", result: "number" },
  approximatepercentile: { argument: "number", takes: "fraction", result: "number" },
} as const satisfies Readonly<Record<string, AggregateShape>>;

/** The rows of the table, as their types: a caller compares them with its own. */
export type Aggregates = typeof table;

/** The name of an aggregate; the table of `aggregates.ts` says what each takes. */
export type AggregateFunction = keyof Aggregates;

/** The arguments and the result of each aggregate, by name. */
export const aggregates: Readonly<Record<AggregateFunction, AggregateShape>> = table;
