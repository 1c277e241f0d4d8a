import type { DataType } from "../../plugins/protocol/index.ts";
import { cell, sql, type Fragment, type SqlAggregation } from "../../plugins/sql/index.ts";

/** Writes an aggregation of PostgreSQL; sums of whole and decimal numbers are exact. */
export function aggregate(
  aggregation: SqlAggregation,
  expression: Fragment | undefined,
  type: DataType,
  fraction?: number,
  weight?: Fragment,
): Fragment | undefined {
  if (!expression) return aggregation === "count" ? sql`count(*)` : undefined;
  switch (aggregation) {
    case "count":
      return sql`count(${expression})`;
    case "distinctcount":
      return sql`count(distinct ${expression})`;
    case "min":
      return sql`min(${expression})`;
    case "max":
      return sql`max(${expression})`;
    case "average":
    case "median":
    case "percentile":
    case "stddev":
    case "sum":
    case "weightedaverage":
      return type === "numeric" ? ofNumbers(aggregation, expression, fraction, weight) : undefined;
  }
}

function ofNumbers(
  aggregation: Exclude<SqlAggregation, "count" | "distinctcount" | "min" | "max">,
  number: Fragment,
  fraction: number | undefined,
  weight: Fragment | undefined,
): Fragment | undefined {
  switch (aggregation) {
    case "sum":
      return sql`sum(${number})`;
    case "average":
      return sql`sum(${number})::float8 / nullif(count(${number}), 0)::float8`;
    case "median":
      return sql`percentile_cont(0.5) within group (order by (${number})::float8)`;
    case "percentile":
      return fraction === undefined
        ? undefined
        : sql`percentile_cont(${cell("numeric", fraction)}) within group (order by (${number})::float8)`;
    case "stddev":
      return sql`stddev_samp((${number})::float8)`;
    case "weightedaverage":
      return weight && weightedAverage(number, weight);
    default:
      return aggregation satisfies never;
  }
}

function weightedAverage(number: Fragment, weight: Fragment): Fragment {
  const weighed = sql`case when ${number} is not null then (${weight})::float8 end`;
  return sql`sum((${number})::float8 * (${weight})::float8) / nullif(sum(${weighed}), 0)`;
}
