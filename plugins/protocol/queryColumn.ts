import Type, { type Static } from "typebox";
import { DataType } from "./dataType.ts";
import { named, oneOf } from "./schemas.ts";

/** Calendar periods, coarsest first. Weeks start on Monday. */
export const levels = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "millisecond",
] as const;
export const Level = oneOf(levels);
export type Level = Static<typeof Level>;

/**
 * The ways to fold the values of a group into one. Nulls are skipped; over no values counts are 0 and all others null.
 * `median` and `percentile` are exact and interpolate between neighbours, as percentile_cont of SQL does. `stddev` is
 * the sample's, null for one value. `weightedaverage` is sum(value * weight) / sum(weight) over the rows where neither
 * is null; it is null when the weights sum to 0. `cumulativesum` is the running total of `sum` over the answer's rows,
 * in their order, after `having` and before `limit`; a null adds nothing.
 */
export const aggregations = [
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
  "cumulativesum",
] as const;
export const Aggregation = oneOf(aggregations);
export type Aggregation = Static<typeof Aggregation>;

/**
 * Bins of equal width. A number becomes the start of its bin: the greatest limit that is not above it.
 * `limitsOf` computes the limits, the decimal values of origin + k * width. For whole widths and the origin 0 the start
 * is floor(number / width) * width.
 */
export const Bin = Type.Object({
  width: Type.Number({ exclusiveMinimum: 0 }),
  origin: Type.Number(),
});
export interface Bin extends Readonly<Static<typeof Bin>> {}

/**
 * One column of the answer. Without `aggregation` it is a group key or, with `options.pushdown` false, a plain column.
 * `column_id: "*"` with `count` counts rows; `count` of a column counts its values that are not null.
 */
export const QueryColumn = Type.Object({
  column_id: Type.String(),
  /** Truncates a datetime to its period in `options.timezone_id`. */
  level: Type.Optional(Level),
  /** Bins a number. */
  bin: Type.Optional(named<Bin>(Bin)),
  aggregation: Type.Optional(Aggregation),
  /** For `percentile` alone. */
  fraction: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** For `weightedaverage` alone: the id of a numeric column. */
  weight: Type.Optional(Type.String()),
  type: Type.Optional(DataType),
});
export interface QueryColumn extends Readonly<Static<typeof QueryColumn>> {}
