import Type, { type Static } from "typebox";
import { DataType } from "./dataType.ts";
import { Derived } from "./expression.ts";
import { Filter, Having } from "./filter.ts";
import { QueryColumn } from "./queryColumn.ts";
import { named, oneOf, readonlyArray } from "./schemas.ts";

/** Nulls sort last in both directions; text sorts by code point. */
export const Order = Type.Object({
  /** Index in `columns`. */
  column: Type.Integer({ minimum: 0 }),
  order: oneOf(["asc", "desc"]),
});
export interface Order extends Readonly<Static<typeof Order>> {}

export const Limit = Type.Object({
  by: Type.Integer({ minimum: 0 }),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
});
export interface Limit extends Readonly<Static<typeof Limit>> {}

export const QueryOptions = Type.Object({
  /** true: one row per combination of the columns without aggregation. false: plain rows, no aggregation. */
  pushdown: Type.Boolean(),
  /** IANA name; UTC when absent. */
  timezone_id: Type.Optional(Type.String()),
  /** Milliseconds that the caller will wait. */
  query_timeout: Type.Optional(Type.Number()),
});
export interface QueryOptions extends Readonly<Static<typeof QueryOptions>> {}

/** A column of a joined dataset, under an id that no other column of the query has. */
export const JoinedColumn = Type.Object({
  /** Its id in the query. */
  id: Type.String(),
  /** Its id in the joined dataset. */
  column_id: Type.String(),
  type: DataType,
});
export interface JoinedColumn extends Readonly<Static<typeof JoinedColumn>> {}

/**
 * A left join, many-to-one: each row meets the one row of the joined dataset whose `right` equals its `left`. Without
 * such a row, or when `left` is null, the joined columns are null. Their ids are allowed wherever a `column_id` is.
 */
export const QueryJoin = Type.Object({
  /** The joined dataset's id. */
  id: Type.String(),
  /** A column of the query's dataset, or of an earlier join under the query's id for it. */
  left: Type.String(),
  /**
   * A column of the joined dataset, of the type of `left`. A value that occurs twice in its filtered rows is
   * PLUGIN_JOIN_AMBIGUOUS.
   */
  right: Type.String(),
  /** Columns computed per row of the joined dataset, for its `filters`. Their ids are none of its columns'. */
  derived: Type.Optional(readonlyArray(named<Derived>(Derived))),
  /**
   * ANDed tests of the joined dataset's own columns and of `derived`, before the join: rows that fail are not met.
   * Only for plugins that promise `joinFilters`.
   */
  filters: Type.Optional(readonlyArray(Filter)),
  columns: readonlyArray(named<JoinedColumn>(JoinedColumn)),
});
export interface QueryJoin extends Readonly<Static<typeof QueryJoin>> {}

/**
 * A query of one dataset and the datasets joined to it, as a plugin receives it in /query of `manifold-1`. Cells come
 * in the order of `columns`. Without `order` the rows come in any order.
 */
export const Query = Type.Object({
  /** The dataset's id. */
  id: Type.String(),
  /** In order: before derived columns and filters. */
  joins: Type.Optional(readonlyArray(named<QueryJoin>(QueryJoin))),
  /** Columns that are computed per row, before anything else but joins. */
  derived: Type.Optional(readonlyArray(named<Derived>(Derived))),
  columns: readonlyArray(named<QueryColumn>(QueryColumn)),
  /** ANDed. */
  filters: readonlyArray(Filter),
  /** ANDed. */
  having: Type.Optional(readonlyArray(Having)),
  order: Type.Optional(readonlyArray(named<Order>(Order))),
  limit: Type.Optional(named<Limit>(Limit)),
  options: named<QueryOptions>(QueryOptions),
});
export interface Query extends Readonly<Static<typeof Query>> {}
