// Written by `npm run calls` from the declarations.
/** The name of an aggregation. */
export type Aggregation =
  | "sum"
  | "min"
  | "max"
  | "count"
  | "distinctcount"
  | "average"
  | "median"
  | "percentile"
  | "stddev"
  | "weightedaverage"
  | "cumulativesum";
