import Type, { type Static } from "typebox";
import { DataType } from "./dataType.ts";
import { Derived } from "./expression.ts";
import { Filter, Having } from "./filter.ts";
import { QueryColumn } from "./queryColumn.ts";
import { named, oneOf, readonlyArray } from "./schemas.ts";

/** A sort key. Nulls sort last in both directions; text sorts by code point. */
export const Order = Type.Object({
  /** Index into the query's `columns`. */
  column: Type.Integer({ minimum: 0 }),
  /** Direction of the sort. */
  order: oneOf(["asc", "desc"]),
});
export interface Order extends Readonly<Static<typeof Order>> {}

/** The part of the rows that the answer contains. It is applied after all other clauses. */
export const Limit = Type.Object({
  /**
   * Maximum number of rows.
   * @minimum 0
   */
  by: Type.Integer({ minimum: 0 }),
  /**
   * Number of rows to skip first.
   * @minimum 0
   * @default 0
   */
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
});
export interface Limit extends Readonly<Static<typeof Limit>> {}

/**
 * A limit for each set of rows that have equal values in some columns. It is applied after having and cumulative
 * sums, in the order of the answer, and before `limit`. Null equals null.
 */
export const GroupLimit = Type.Object({
  /** Indexes into the query's `columns`, of columns without an aggregation. */
  columns: Type.Unsafe<readonly number[]>(
    Type.Array(Type.Integer({ minimum: 0 }), { minItems: 1 }),
  ),
  /**
   * Maximum number of rows for each combination of the values of `columns`.
   * @minimum 0
   */
  by: Type.Integer({ minimum: 0 }),
  /**
   * Number of rows of each combination to skip first.
   * @minimum 0
   * @default 0
   */
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
});
export interface GroupLimit extends Readonly<Static<typeof GroupLimit>> {}

/** Settings that apply to a whole query. */
export const QueryOptions = Type.Object({
  /**
   * Whether rows are grouped. `true`: one row per combination of the columns without aggregation. `false`: plain rows,
   * without any aggregation.
   */
  pushdown: Type.Boolean(),
  /**
   * IANA name of the time zone in which datetimes are truncated.
   * @default "UTC"
   */
  timezone_id: Type.Optional(Type.String()),
  /** Milliseconds for which the caller will wait. Absent if the time is not known. */
  query_timeout: Type.Optional(Type.Number()),
});
export interface QueryOptions extends Readonly<Static<typeof QueryOptions>> {}

/** A column of a joined dataset. Its id must differ from the ids of all other columns of the query. */
export const JoinedColumn = Type.Object({
  /** Id of the column in the query. */
  id: Type.String(),
  /** Id of the column in the joined dataset. */
  column_id: Type.String(),
  /** Logical type of the column. */
  type: DataType,
});
export interface JoinedColumn extends Readonly<Static<typeof JoinedColumn>> {}

/** Two columns of a join whose values must be equal. */
export const ColumnPair = Type.Object({
  /** As `left` of the join. */
  left: Type.String(),
  /** As `right` of the join. */
  right: Type.String(),
});
export interface ColumnPair extends Readonly<Static<typeof ColumnPair>> {}

/**
 * A many-to-one left join: each row is joined to the row of the joined dataset whose `right` equals its `left`. If
 * there is no such row, or if `left` is null, the joined columns are null. The ids of joined columns may be used
 * wherever a `column_id` may.
 */
export const QueryJoin = Type.Object({
  /** Id of the joined dataset. */
  id: Type.String(),
  /** Id of a column of the query's dataset, or of a column that an earlier join adds to the query. */
  left: Type.String(),
  /**
   * Id of a column of the joined dataset. It has the same type as `left`. If a value occurs twice in the filtered rows,
   * the query fails with PLUGIN_JOIN_AMBIGUOUS.
   */
  right: Type.String(),
  /**
   * Further columns of the key, all of which must be equal too. The key is then unique if no two rows have equal values
   * in all of its columns; rows with null in one of them match no row. Only for plugins that promise `compositeJoins`.
   */
  and: Type.Optional(
    Type.Unsafe<readonly ColumnPair[]>(Type.Array(named<ColumnPair>(ColumnPair), { minItems: 1 })),
  ),
  /**
   * Columns computed per row of the joined dataset, for use in `filters`. Their ids must differ from the ids of that
   * dataset's columns.
   */
  derived: Type.Optional(readonlyArray(named<Derived>(Derived))),
  /**
   * Filters on the joined dataset's own columns and on `derived`, joined by AND and applied before the join. Only for
   * plugins that promise `joinFilters`.
   * @default []
   */
  filters: Type.Optional(readonlyArray(Filter)),
  /** The columns that the join adds to the query. */
  columns: readonlyArray(named<JoinedColumn>(JoinedColumn)),
});
export interface QueryJoin extends Readonly<Static<typeof QueryJoin>> {}

/** Lists the columns of a join whose values must be equal. */
export function pairsOf({ left, right, and = [] }: QueryJoin): readonly ColumnPair[] {
  return [{ left, right }, ...and];
}

/**
 * A query of one dataset and the datasets joined to it, as a plugin receives it in /query of `manifold-1`. The cells of
 * a row are in the order of `columns`. Without `order`, the rows may be in any order.
 */
export const Query = Type.Object({
  /** Id of the dataset. */
  id: Type.String(),
  /** The joins, which are carried out in this order, before derived columns and filters. */
  joins: Type.Optional(readonlyArray(named<QueryJoin>(QueryJoin))),
  /** Derived columns, which are computed per row after the joins and before all other clauses. */
  derived: Type.Optional(readonlyArray(named<Derived>(Derived))),
  /** The columns of the answer. */
  columns: readonlyArray(named<QueryColumn>(QueryColumn)),
  /** Filters on rows, joined by AND. */
  filters: readonlyArray(Filter),
  /** Filters on groups, joined by AND. */
  having: Type.Optional(readonlyArray(Having)),
  /** The sort keys, most significant first. */
  order: Type.Optional(readonlyArray(named<Order>(Order))),
  /**
   * A limit for each set of rows that have equal values in some columns. Only for plugins that promise `groupLimit`.
   * Absent: the answer contains all of these rows.
   */
  groupLimit: Type.Optional(named<GroupLimit>(GroupLimit)),
  /**
   * The maximum number of rows in the answer, and the number of rows to skip first. Absent: the answer contains all
   * rows.
   */
  limit: Type.Optional(named<Limit>(Limit)),
  /** Settings that apply to the whole query. */
  options: named<QueryOptions>(QueryOptions),
});
export interface Query extends Readonly<Static<typeof Query>> {}
