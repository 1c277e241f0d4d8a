import type { DataType, Expression, Query } from "../../plugins/protocol/index.ts";
import type { Reference, Shift } from "./parsedQuery.ts";
import type { QueriedDataset } from "./queriedDataset.ts";

/** String columns that are sorted by the rules of a language. */
export interface Collation {
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  /** Indexes into the columns of the query. */
  readonly columns: readonly number[];
}

/**
 * A joined dataset. The query assigns new ids to its columns, because columns of several plugins may have equal ids.
 * `everyColumn` keeps the plugin's ids, because it is used for row filters, which apply before the join.
 */
export interface JoinedDataset extends QueriedDataset {
  /** The column that is null in rows without a match in this dataset. */
  readonly matchedBy: string;
}

/** A formula over the aggregates of a group, with the type of its value. */
export interface Formula {
  readonly type: DataType;
  readonly expression: Expression;
  /** Present for calendar dates, which no time zone shifts. */
  readonly isDate?: true;
}

/**
 * A column of numbers that the host adds to the groups before it computes formulas. Formulas refer to it by `id`.
 */
export type Calculation = PastValues | GroupValues;

/** The values of a measure in an earlier period. */
export interface PastValues {
  readonly kind: "past";
  readonly id: string;
  /** Index of the measure among the measures of the query. */
  readonly measure: number;
  /** The datetime column that is moved. */
  readonly of: Reference;
  /** How far the datetimes of the earlier period are moved. */
  readonly shift: Shift;
}

/** The share or the place of each group among the groups with equal values in `per`. */
export interface GroupValues {
  readonly kind: "share_of_total" | "rank";
  readonly id: string;
  /** The value of a group, over the columns of the query by index. */
  readonly value: Expression;
  /** Indexes of dimensions among the columns of the query. */
  readonly per: readonly number[];
  /** Whether the smallest value has the place 1. */
  readonly isAscending: boolean;
}

/** A query whose names are bound to columns. */
export interface BoundQuery {
  /** The root of the join, whose rows the query returns. */
  readonly dataset: QueriedDataset;
  /** The datasets of `query.joins`, in the same order. */
  readonly joined: readonly JoinedDataset[];
  /**
   * The whole query, with the plugin's ids. It contains each column once. Columns without an aggregation come first.
   * `order` contains every key, so that answers are deterministic. `limit` includes the cap on rows.
   */
  readonly query: Query;
  /**
   * Formulas over `query.columns`, which they reference by index. `having`, `order` and `cells` refer to formulas by
   * the indexes after those of the columns.
   */
  readonly formulas: readonly Formula[];
  /** The columns that the host adds to the groups. */
  readonly calculations: readonly Calculation[];
  /** The types of the values of `query.columns`, by index. */
  readonly types: readonly DataType[];
  /**
   * For each cell of an answer row, the index of its column in `query.columns`. Formulas have the indexes after those
   * of the columns.
   */
  readonly cells: readonly number[];
  /** The columns that the host sorts by the rules of a language. Absent if the order is by code point. */
  readonly collation?: Collation;
  /** Whether the caller set a limit. Otherwise `query.limit` is only the cap on rows. */
  readonly limited: boolean;
}
