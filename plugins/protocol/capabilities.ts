import Type, { type Static } from "typebox";
import { Aggregation } from "./aggregations.ts";
import { DataType } from "./dataType.ts";
import { FunctionName } from "./functions.ts";
import { Operator } from "./operators.ts";
import { Level } from "./levels.ts";
import { named, readonlyArray } from "./schemas.ts";

/** The filters that a plugin applies to rows, and whether it applies them exactly. */
export const FilterCapabilities = Type.Object({
  /**
   * The column types on which each operator works exactly as the protocol defines it. The host applies all other
   * operators itself.
   */
  operators: Type.Unsafe<{ readonly [Name in Operator]?: readonly DataType[] }>(
    Type.Partial(Type.Record(Operator, Type.Array(DataType))),
  ),
  /**
   * The column types on which an operator passes all matching rows, and possibly other rows. The host sends these
   * filters to fetch fewer rows. It then applies them again, and groups and limits the rows itself. Promising `in` in
   * this list does not promise `not in`, which needs its own entry. `nested`, `levels` and `listLength` also apply to
   * these filters.
   * @default {}
   */
  superset: Type.Optional(
    Type.Unsafe<{ readonly [Name in Operator]?: readonly DataType[] }>(
      Type.Partial(Type.Record(Operator, Type.Array(DataType))),
    ),
  ),
  /**
   * Whether filters may be nested groups of `and` and `or`. If not, the host sends only a flat list of filters, which
   * are joined by AND.
   * @default false
   */
  nested: Type.Optional(Type.Boolean()),
  /**
   * Whether filters may truncate a datetime to one of the levels of `grouping`.
   * @default false
   */
  levels: Type.Optional(Type.Boolean()),
  /** Maximum number of values in the list of `in` or `not in`. Absent: no limit. */
  listLength: Type.Optional(Type.Integer()),
});
export interface FilterCapabilities extends Readonly<Static<typeof FilterCapabilities>> {}

/**
 * How a plugin groups rows. The keys are the columns without aggregation. Rows with a null key form a group of their
 * own.
 */
export const GroupingCapabilities = Type.Object({
  /** The aggregations that the plugin computes. The host computes all other aggregations from values or plain rows. */
  aggregations: readonlyArray(Aggregation),
  /** The levels to which the plugin truncates a datetime that is a group key. Weeks start on Monday. */
  levels: readonlyArray(Level),
  /**
   * Whether the plugin truncates in any IANA time zone. If not, it truncates only in UTC.
   * @default false
   */
  timezones: Type.Optional(Type.Boolean()),
});
export interface GroupingCapabilities extends Readonly<Static<typeof GroupingCapabilities>> {}

/** The derived columns that a plugin computes. Queries may use them wherever they may use stored columns. */
export const ExpressionCapabilities = Type.Object({
  /** Functions that the plugin computes exactly as `functionDefinitions` describes them. */
  functions: readonlyArray(FunctionName),
});
export interface ExpressionCapabilities extends Readonly<Static<typeof ExpressionCapabilities>> {}

/**
 * The clauses of a query that a plugin carries out exactly as the protocol defines them. Every member is optional. The
 * host itself carries out the clauses of absent members. A plugin without any members is a basic plugin: it answers
 * every query with all rows and all columns of the dataset, in the dataset's order.
 */
export const Capabilities = Type.Object({
  /**
   * Whether the plugin returns only the columns of the query, in the query's order. All other capabilities of queries
   * need this capability.
   * @default false
   */
  projection: Type.Optional(Type.Boolean()),
  /** The filters that the plugin applies to rows. Absent: none. */
  filters: Type.Optional(named<FilterCapabilities>(FilterCapabilities)),
  /** The aggregations and levels with which the plugin groups rows. Absent: it does not group. */
  grouping: Type.Optional(named<GroupingCapabilities>(GroupingCapabilities)),
  /**
   * Whether the plugin also truncates datetimes in plain rows, and before it aggregates them, to the levels of
   * `grouping`.
   * @default false
   */
  levelsAnywhere: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin bins numeric columns, both as group keys and in plain rows. Bins have a whole width and the
   * origin 0.
   * @default false
   */
  bins: Type.Optional(Type.Boolean()),
  /**
   * Whether bins may have any width and origin. Their limits are those that `limitsOf` computes. Needs `bins`.
   * @default false
   */
  decimalBins: Type.Optional(Type.Boolean()),
  /** The functions of derived columns. Absent: the plugin computes no derived columns. */
  expressions: Type.Optional(named<ExpressionCapabilities>(ExpressionCapabilities)),
  /**
   * Whether the plugin joins its datasets. Queries may use joined columns wherever they may use stored columns.
   * @default false
   */
  joins: Type.Optional(Type.Boolean()),
  /**
   * Whether the key of a join may consist of several columns (`and`). Needs `joins`.
   * @default false
   */
  compositeJoins: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin applies `filters` and `derived` of a join to the joined dataset before the join, with the
   * operators and functions promised above. Needs `joins`.
   * @default false
   */
  joinFilters: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin filters groups by the cells of the answer.
   * @default false
   */
  having: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin sorts rows. Nulls must be last in both directions, and text must be sorted by code point.
   * @default false
   */
  order: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin applies `groupLimit`, in the order of the answer. Needs `order`, and also `grouping`, because
   * values are compared in the same way as group keys.
   * @default false
   */
  groupLimit: Type.Optional(Type.Boolean()),
  /**
   * Whether `cumulativesum` can start again for each combination of some columns (`per`). Needs `cumulativesum` and
   * `order`.
   * @default false
   */
  cumulativePer: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin applies limit and offset.
   * @default false
   */
  limit: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin accepts writes: create, append, replace, alter, drop.
   * @default false
   */
  write: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin also accepts the write `update`. Needs `write`.
   * @default false
   */
  update: Type.Optional(Type.Boolean()),
  /**
   * Whether some of these capabilities depend on the credentials. The host then calls `capabilitiesOf` for each
   * connection before it plans a query.
   * @default false
   */
  probed: Type.Optional(Type.Boolean()),
  /**
   * Whether the plugin keeps temporary datasets until it closes, so that the host can finish queries in them.
   * @default false
   */
  temporary: Type.Optional(Type.Boolean()),
});
export interface Capabilities extends Readonly<Static<typeof Capabilities>> {}
