import Type, { type Static } from "typebox";
import { Aggregation } from "./aggregations.ts";
import { DataType } from "./dataType.ts";
import { FunctionName } from "./functions.ts";
import { Operator } from "./operators.ts";
import { Level } from "./levels.ts";
import { named, readonlyArray } from "./schemas.ts";

/** Tests of rows that a plugin applies. */
export const FilterCapabilities = Type.Object({
  /** Per operator the column types on which it has the protocol's meaning. */
  operators: Type.Unsafe<{ readonly [Name in Operator]?: readonly DataType[] }>(
    Type.Partial(Type.Record(Operator, Type.Array(DataType))),
  ),
  /**
   * Per operator the column types on which it passes all rows that it must, and maybe more. The host sends it to fetch
   * less and tests again; groups and limits are not asked then. The complement of a superset is none: `not in` needs an
   * entry of its own. `nested`, `levels` and `listLength` count for these too.
   */
  superset: Type.Optional(
    Type.Unsafe<{ readonly [Name in Operator]?: readonly DataType[] }>(
      Type.Partial(Type.Record(Operator, Type.Array(DataType))),
    ),
  ),
  /** Nested `and`/`or` groups; without it filters are one ANDed list. */
  nested: Type.Optional(Type.Boolean()),
  /** Filters on a truncated datetime. */
  levels: Type.Optional(Type.Boolean()),
  /** Longest list that `in` and `not in` take; absent = no limit. */
  listLength: Type.Optional(Type.Integer()),
});
export interface FilterCapabilities extends Readonly<Static<typeof FilterCapabilities>> {}

/** Groups by the columns without aggregation; null is a group of its own. */
export const GroupingCapabilities = Type.Object({
  aggregations: readonlyArray(Aggregation),
  levels: readonlyArray(Level),
  /** Truncates in any IANA time zone; without it in UTC only. */
  timezones: Type.Optional(Type.Boolean()),
});
export interface GroupingCapabilities extends Readonly<Static<typeof GroupingCapabilities>> {}

/** Derived columns that a plugin computes; they are allowed wherever a column is. */
export const ExpressionCapabilities = Type.Object({
  /** Functions that have the protocol's meaning. */
  functions: readonlyArray(FunctionName),
});
export interface ExpressionCapabilities extends Readonly<Static<typeof ExpressionCapabilities>> {}

/**
 * The clauses of a query that a plugin carries out exactly as the protocol defines them. Every member is optional;
 * absent means no, and the host does that work. A plugin without any member is a basic plugin: it answers every query
 * with all columns of the dataset, in their order, and the host does the rest.
 */
export const Capabilities = Type.Object({
  /** Sends only the columns that were asked for, in their order. */
  projection: Type.Optional(Type.Boolean()),
  filters: Type.Optional(named<FilterCapabilities>(FilterCapabilities)),
  grouping: Type.Optional(named<GroupingCapabilities>(GroupingCapabilities)),
  /** Truncates to the levels of `grouping` in plain rows and under an aggregation too. */
  levelsAnywhere: Type.Optional(Type.Boolean()),
  /** Bins numeric columns, as group keys and in plain rows, by a whole width from the origin 0. */
  bins: Type.Optional(Type.Boolean()),
  /** Bins by every width and origin, with the limits of `limitsOf`. */
  decimalBins: Type.Optional(Type.Boolean()),
  expressions: Type.Optional(named<ExpressionCapabilities>(ExpressionCapabilities)),
  /** Joins other datasets of the plugin; their columns are allowed wherever a column is. */
  joins: Type.Optional(Type.Boolean()),
  /**
   * Applies `filters` and `derived` of a join to the joined dataset's rows before the join, with the operators and
   * functions above.
   */
  joinFilters: Type.Optional(Type.Boolean()),
  having: Type.Optional(Type.Boolean()),
  /** Sorts with nulls last and text by code point. */
  order: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Boolean()),
  /** Can be written to: create, append, replace, alter, drop. */
  write: Type.Optional(Type.Boolean()),
  /** Some promises depend on the credentials: the host asks for those of each connection before it plans. */
  probed: Type.Optional(Type.Boolean()),
  /** Holds temporary datasets, gone when the plugin closes. The host finishes queries in them. */
  temporary: Type.Optional(Type.Boolean()),
});
export interface Capabilities extends Readonly<Static<typeof Capabilities>> {}
