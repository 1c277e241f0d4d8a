import type { Aggregation, AggregationWith } from "../protocol/index.ts";
import { cell, sql, type Fragment } from "./fragment.ts";

/** How a database writes numbers inside an aggregation. */
export interface NumberForms {
  /**
   * Writes a number as a double, for use in quotients and products.
   * @default the number unchanged
   */
  double(number: Fragment): Fragment;
  /**
   * Writes a number, and replaces it by null unless it is a finite double.
   * @default the number unchanged
   */
  finite(number: Fragment): Fragment;
  /**
   * Writes the sum of numbers over the rows of a group. If there are no values, the sum must be null.
   * @default `sum(…)`
   */
  sum(number: Fragment): Fragment;
}

type Arguments<Name extends Aggregation> =
  Name extends AggregationWith<"takes", "fraction">
    ? readonly [value: Fragment, fraction: number]
    : Name extends AggregationWith<"takes", "weight" | "other">
      ? readonly [value: Fragment, second: Fragment]
      : readonly [value: Fragment];

/**
 * For each aggregation, a function that writes the aggregation of a value. Undefined for an aggregation that the host
 * must compute.
 */
export type Aggregates = {
  readonly [Name in Aggregation]: ((...values: Arguments<Name>) => Fragment) | undefined;
};

/**
 * Creates the aggregations of standard SQL. Members of `own` replace the aggregations of the same name. The median is
 * the percentile at 0.5.
 */
export function createAggregates(
  { double, finite, sum }: NumberForms,
  own: Partial<Aggregates> = {},
): Aggregates {
  const percentile = "percentile" in own ? own.percentile : percentileOf(double, finite);
  return {
    count: (value) => sql`count(${value})`,
    distinctcount: (value) => sql`count(distinct ${value})`,
    min: (value) => sql`min(${value})`,
    max: (value) => sql`max(${value})`,
    sum: (value) => finite(sum(value)),
    average: (value) => finite(sql`(${double(sum(value))} / count(${value}))`),
    median: percentile && ((value) => percentile(value, 0.5)),
    percentile,
    stddev: (value) => finite(sql`stddev_samp(${double(value)})`),
    weightedaverage(value, weight) {
      const products = sum(sql`${double(value)} * ${double(weight)}`);
      const weights = sum(sql`case when ${value} is not null then ${double(weight)} end`);
      return finite(sql`(${products} / nullif(${weights}, 0))`);
    },
    // Many databases do not have `corr`, or do not compute it in a stable way.
    corr: undefined,
    // The host computes a cumulative sum over the rows of the answer.
    cumulativesum: undefined,
    ...own,
  };
}

function percentileOf(
  double: NumberForms["double"],
  finite: NumberForms["finite"],
): Aggregates["percentile"] {
  return (value, fraction) =>
    finite(
      sql`percentile_cont(${cell("numeric", fraction)}) within group (order by ${double(value)})`,
    );
}
