import Type, { type Static } from "typebox";
import { Level } from "./levels.ts";
import { Operator } from "./operators.ts";
import { named, readonlyArray } from "./schemas.ts";
import { treeOf } from "./tree.ts";

/** A cell on the wire: a number, a string or null. A datetime is sent as an ISO instant in UTC. */
export const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);
export type Cell = Static<typeof Cell>;

const test = {
  /** The operator. */
  expression: Operator,
  /**
   * The values with which the operator compares, as a list even for a single value. Absent for `is null` and `is not
   * null`. Only the lists of `in` and `not in` may contain null.
   */
  value: Type.Optional(readonlyArray(Cell)),
};

/**
 * A test of one column, before grouping. `value` is a list even for a single value, and absent for null tests. The list
 * of `in` may contain null. With an empty list, `in` passes no rows and `not in` passes all rows. `like` (contains),
 * `starts with` and `ends with` ignore case and have no wildcards. `=` and `in` compare strings exactly.
 */
export const ColumnFilter = Type.Object({
  /** Id of a column of the dataset, of a join or of `derived`. */
  column_id: Type.String(),
  ...test,
  /** Truncates the datetime before the test, in the query's time zone. Absent: the datetime is not truncated. */
  level: Type.Optional(Level),
});
export interface ColumnFilter extends Readonly<Static<typeof ColumnFilter>> {}

/** A tree of tests of columns, applied before grouping. */
export const Filter = treeOf("Filter", named<ColumnFilter>(ColumnFilter));
export type Filter = Static<typeof Filter>;

/** A test of one answer column, after grouping. */
export const OutputFilter = Type.Object({
  /** Index into the query's `columns`. */
  column: Type.Integer({ minimum: 0 }),
  ...test,
});
export interface OutputFilter extends Readonly<Static<typeof OutputFilter>> {}

/** A tree of tests of answer columns, applied after grouping. */
export const Having = treeOf("Having", named<OutputFilter>(OutputFilter));
export type Having = Static<typeof Having>;
