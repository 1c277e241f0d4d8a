import Type from "typebox";
import { Aggregation, Level, Operator } from "./query.ts";
import { DataType } from "./dataset.ts";
import { FunctionName } from "./expression.ts";

/**
 * What a plugin promises to do exactly as the protocol defines it. Every member is optional and
 * absent means no: the host does that work itself. A plugin without any member is a basic plugin: it
 * sends all columns of a dataset in their order, for every query, and the host does the rest.
 */
export const Capabilities = Type.Object({
  /** Sends only the columns that were asked for, in their order. */
  projection: Type.Optional(Type.Boolean()),
  /** Applies filters: per operator the column types on which it has the protocol's meaning. */
  filters: Type.Optional(
    Type.Object({
      operators: Type.Partial(Type.Record(Operator, Type.Array(DataType))),
      /** Nested `and`/`or` groups; without it filters are one ANDed list. */
      nested: Type.Optional(Type.Boolean()),
      /** Filters on a truncated datetime. */
      levels: Type.Optional(Type.Boolean()),
      /** Longest list that `in` and `not in` take; absent = no limit. */
      listLength: Type.Optional(Type.Integer()),
    }),
  ),
  /** Groups by the columns without aggregation, null being a group of its own. */
  grouping: Type.Optional(
    Type.Object({
      aggregations: Type.Array(Aggregation),
      levels: Type.Array(Level),
      /** Truncates in any IANA time zone; without it in UTC only. */
      timezones: Type.Optional(Type.Boolean()),
    }),
  ),
  /** Truncates to the levels of `grouping` in plain rows and under an aggregation too. */
  levelsAnywhere: Type.Optional(Type.Boolean()),
  /** Bins numeric columns, as keys of groups and in plain rows, where the width is a whole number and the origin 0. */
  bins: Type.Optional(Type.Boolean()),
  /** Makes bins of every width and origin, with the limits of `limitsOf`. */
  decimalBins: Type.Optional(Type.Boolean()),
  /** Computes derived columns, and takes them wherever a column may stand; `functions` are those that have the protocol's meaning. */
  expressions: Type.Optional(Type.Object({ functions: Type.Array(FunctionName) })),
  /** Joins other datasets of its own, and takes their columns wherever a column may stand. */
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
  /** Holds temporary datasets, gone when the plugin closes: what a residual is finished in. */
  temporary: Type.Optional(Type.Boolean()),
});
export interface Capabilities {
  readonly projection?: boolean;
  readonly filters?: {
    readonly operators: { readonly [Name in Operator]?: readonly DataType[] };
    readonly nested?: boolean;
    readonly levels?: boolean;
    readonly listLength?: number;
  };
  readonly grouping?: {
    readonly aggregations: readonly Aggregation[];
    readonly levels: readonly Level[];
    readonly timezones?: boolean;
  };
  readonly levelsAnywhere?: boolean;
  readonly bins?: boolean;
  readonly decimalBins?: boolean;
  readonly expressions?: { readonly functions: readonly FunctionName[] };
  readonly joins?: boolean;
  readonly joinFilters?: boolean;
  readonly having?: boolean;
  readonly order?: boolean;
  readonly limit?: boolean;
  readonly write?: boolean;
  readonly temporary?: boolean;
}
