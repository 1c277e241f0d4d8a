import type { AggregateFunction } from "../../engine/index.ts";

/** The arguments of an aggregate as SQL expressions. */
export interface DuckdbArguments {
  /** The fraction for `percentile`, from 0 to 1. */
  readonly fraction?: number | undefined;
  /** The weight for `weightedaverage`, as SQL. */
  readonly weight?: string | undefined;
  /** The other number for `corr`, as SQL. */
  readonly other?: string | undefined;
}

/** Returns an aggregate as DuckDB SQL. A running total becomes a sum over one group. */
export function duckdbAggregate(
  name: AggregateFunction,
  x: string,
  { fraction = 0, weight = "null", other = "null" }: DuckdbArguments = {},
): string {
  switch (name) {
    case "rows":
      return "count(*)::double";
    case "count":
      return `count(${x})::double`;
    case "distinctcount":
      return `count(distinct ${x})::double`;
    case "sum":
    case "cumulativesum":
      return `sum(${x})`;
    case "average":
      return `avg(${x})`;
    case "min":
    case "max":
      return `${name}(${x})`;
    case "median":
      return `quantile_cont(${x}, 0.5)`;
    case "percentile":
      return `quantile_cont(${x}, ${fraction})`;
    case "stddev":
      return `stddev_samp(${x})`;
    case "corr": {
      const both = `filter (where ${x} is not null and ${other} is not null)`;
      const varies = (side: string) => `max(${side}) ${both} > min(${side}) ${both}`;
      return `case when ${varies(x)} and ${varies(other)} then corr(${x}, ${other}) end`;
    }
    case "weightedaverage": {
      const both = `filter (where ${x} is not null and ${weight} is not null)`;
      return `(sum(${x} * ${weight}) ${both} / nullif(sum(${weight}) ${both}, 0))`;
    }
    case "approximatedistinctcount":
    case "approximatepercentile":
      throw new Error(`${name} has no exact SQL`);
  }
}
