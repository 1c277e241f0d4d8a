import Type, { type Static } from "typebox";
import { Aggregation } from "./aggregations.ts";
import { DataType } from "./dataType.ts";
import { Level } from "./levels.ts";
import { named } from "./schemas.ts";

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
  /** For aggregations that take a fraction: `percentile`. */
  fraction: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /** For aggregations that take a weight, `weightedaverage`: the id of a numeric column. */
  weight: Type.Optional(Type.String()),
  type: Type.Optional(DataType),
});
export interface QueryColumn extends Readonly<Static<typeof QueryColumn>> {}
