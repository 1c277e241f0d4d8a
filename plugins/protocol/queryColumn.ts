import Type, { type Static } from "typebox";
import { Aggregation } from "./aggregations.ts";
import { DataType } from "./dataType.ts";
import { Level } from "./levels.ts";
import { named } from "./schemas.ts";

/**
 * Bins of equal width. Each number is replaced by the start of its bin, which is the greatest limit that is not above
 * the number. The limits are the decimal values of origin + k * width, as computed by `limitsOf`. If the width is a
 * whole number and the origin is 0, the start is floor(number / width) * width.
 */
export const Bin = Type.Object({
  /** Width of each bin, greater than 0. */
  width: Type.Number({ exclusiveMinimum: 0 }),
  /** A number at which a bin starts. */
  origin: Type.Number(),
});
export interface Bin extends Readonly<Static<typeof Bin>> {}

/**
 * One column of the answer. Without `aggregation` it is a group key or, if `options.pushdown` is false, a plain column.
 */
export const QueryColumn = Type.Object({
  /**
   * Id of a column of the dataset, of a join or of `derived`. `"*"` with `count` counts rows; `count` of a column
   * counts its values that are not null.
   */
  column_id: Type.String(),
  /**
   * Truncates a datetime to the start of its period in `options.timezone_id`. Absent: the datetime is not truncated.
   */
  level: Type.Optional(Level),
  /** Replaces a number by the start of its bin. Absent: the number is not binned. */
  bin: Type.Optional(named<Bin>(Bin)),
  /** Folds the values of each group into one. Absent: the column is a group key or a plain column. */
  aggregation: Type.Optional(Aggregation),
  /** The fraction of `percentile`, from 0 to 1. Required for this aggregation, and not allowed for others. */
  fraction: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  /**
   * Id of the numeric column with the weights of `weightedaverage`. Required for this aggregation, and not allowed for
   * others.
   */
  weight: Type.Optional(Type.String()),
  /** Id of the other numeric column of `corr`. Required for this aggregation, and not allowed for others. */
  other: Type.Optional(Type.String()),
  /**
   * Indexes into the query's `columns`, of columns without an aggregation. `cumulativesum` starts again for each
   * combination of their values; null equals null. Not allowed for other aggregations. Only for plugins that promise
   * `cumulativePer`. Absent: the sum runs through the whole answer.
   */
  per: Type.Optional(
    Type.Unsafe<readonly number[]>(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 })),
  ),
  /** Logical type of the column. Absent if the host does not know it. */
  type: Type.Optional(DataType),
});
export interface QueryColumn extends Readonly<Static<typeof QueryColumn>> {}

/**
 * Returns the id of the second column that an aggregation reads: the weights, or the other column. Undefined if it
 * reads only one column.
 */
export function secondColumnId({ weight, other }: QueryColumn): string | undefined {
  return weight ?? other;
}
