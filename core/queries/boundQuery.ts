import type { DataType, Expression, Query } from "../../plugins/protocol/index.ts";
import type { QueriedDataset } from "./queriedDataset.ts";
/** Texts that are put in order as a language does. */
export interface Collation {
  /** A canonical BCP 47 tag. */
  readonly locale: string;
  /** Indexes of the columns of the query. */
  readonly columns: readonly number[];
}

/**
 * A dataset that is joined to the one that is asked: its columns have ids of the query's own in the place of those of
 * its plugin. Filters on rows apply before the join, so `everyColumn` keeps the ids of the plugin.
 */
export interface JoinedDataset extends QueriedDataset {
  /** The column that is null in rows that met none of its rows. */
  readonly matchedBy: string;
}

/** A value of each group. */
export interface Formula {
  readonly type: DataType;
  readonly expression: Expression;
}

/** A query with everything looked up. */
export interface BoundQuery {
  /** The one that is asked: its rows are the finest. */
  readonly dataset: QueriedDataset;
  /** The datasets of `query.joins`, in their order. */
  readonly joined: readonly JoinedDataset[];
  /**
   * The whole query in the plugin's own ids: each column once, those without aggregation first;
   * `order` names every key, so that answers are deterministic; `limit` holds the cap on rows too.
   */
  readonly query: Query;
  /** Values that are computed of `query.columns`, which they name by their indexes; `having`, `order` and `cells` count on with them. */
  readonly formulas: readonly Formula[];
  /** The types of the values of `query.columns`. */
  readonly types: readonly DataType[];
  /** Per cell of an answer row the index of its column in `query.columns`. */
  readonly cells: readonly number[];
  /** Texts whose order is that of a language. */
  readonly collation?: Collation;
  /** The caller set a limit; without it `query.limit` only caps the answer. */
  readonly limited: boolean;
}
