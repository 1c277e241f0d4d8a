import type { DataType, Expression, Query } from "../../plugins/protocol/index.ts";
import type { QueriedDataset } from "./queriedDataset.ts";
/** Columns of texts that are sorted in the order of a language. */
export interface Collation {
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  /** Indexes of the columns of the query. */
  readonly columns: readonly number[];
}

/**
 * A joined dataset. Its columns have ids of the query's own instead of the plugin's. Row filters
 * apply before the join, so `everyColumn` keeps the plugin's ids.
 */
export interface JoinedDataset extends QueriedDataset {
  /** The column that is null where a row matched none of this dataset. */
  readonly matchedBy: string;
}

/** An expression over the aggregates of a group. */
export interface Formula {
  readonly type: DataType;
  readonly expression: Expression;
}

/** A query whose names are bound to columns. */
export interface BoundQuery {
  /** The root: its rows are the rows of the query. */
  readonly dataset: QueriedDataset;
  /** The datasets of `query.joins`, in their order. */
  readonly joined: readonly JoinedDataset[];
  /**
   * The whole query in the plugin's ids. Each column appears once, those without aggregation first.
   * `order` names every key, so that answers are deterministic. `limit` includes the cap on rows.
   */
  readonly query: Query;
  /**
   * Computed from `query.columns`, which they name by index. Indexes in `having`, `order` and
   * `cells` continue into them.
   */
  readonly formulas: readonly Formula[];
  /** The types of the values of `query.columns`. */
  readonly types: readonly DataType[];
  /** For each cell of an answer row, the index of its column in `query.columns`. */
  readonly cells: readonly number[];
  /** The texts that the host sorts in the order of a language. */
  readonly collation?: Collation;
  /** Whether the caller set a limit. Otherwise `query.limit` is only the cap on rows. */
  readonly limited: boolean;
}
