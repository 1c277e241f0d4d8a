import type { Principal, RowFilter, Connection } from "../base/index.ts";
import type { DataType, KnownDataset, Narrowing } from "../../plugins/protocol/index.ts";

/** A column that a query may name, with its id in the catalog and in the plugin. */
export interface QueriedColumn {
  readonly id: string;
  readonly pluginId: string;
  readonly name: string;
  readonly type: DataType;
  readonly subtype: string | undefined;
  /** The promises of the plugin that do not hold for it. */
  readonly narrowed?: Narrowing;
  /** The text of a derived column. */
  readonly expression?: string;
  /** The column of a joined dataset: `pluginId` is the query's name for it. */
  readonly isJoined?: true;
  /** Number of values with a label or a colour; absent for none. */
  readonly labelCount?: number;
  /** Why it is not a column of the source; undefined when it is one. */
  readonly unserved: string | undefined;
}

/** A dataset that the caller may read, and the connection that answers for it. */
export interface QueriedDataset {
  readonly id: string;
  readonly connection: Connection;
  /** The dataset as the plugin knows it: its id or its statement, and its columns in their order. */
  readonly source: KnownDataset;
  /** The columns that the caller may use, by catalog id. */
  readonly columns: ReadonlyMap<string, QueriedColumn>;
  /** The columns that row filters may test, hidden ones included. */
  readonly everyColumn: ReadonlyMap<string, QueriedColumn>;
  /** Links to columns of other datasets, also to columns that the caller may not see. */
  readonly links: readonly ColumnLink[];
  /** The filters that limit the caller's rows; `secure` compiles them. */
  readonly rowFilters: readonly RowFilter[];
  readonly freshness: Freshness;
  /** Rows in the store; absent for a live source. */
  readonly rowCount?: number;
  /** For a dataset that is accelerated: `connection` is the store, and `source` the copy. */
  readonly copy?: QueriedCopy;
}

/** The copy of a live dataset that is asked in the place of its source. */
export interface QueriedCopy {
  /** The instant at which the source had these rows, in milliseconds. */
  readonly asOfMs: number;
  /** Makes the dataset as its source answers it. */
  findLive(): Promise<QueriedDataset>;
}

/** A link to a column of another dataset, made from either of the two. */
export interface ColumnLink {
  readonly columnId: string;
  readonly otherId: string;
  readonly otherDatasetId: string;
}

/** How long answers over a dataset may be kept. */
export interface Freshness {
  /** The version of rows in the store, which changes with them. Absent for a live source. */
  readonly version?: string;
  /** Milliseconds; 0 for not at all, Infinity when the version shows every change. */
  readonly maxAgeMs: number;
}

/**
 * Finds the row filters that bind a caller on a dataset: of its token, its organization and its
 * shares.
 */
export type FindRowFilters = (
  principal: Principal,
  datasetId: string,
) => Promise<readonly RowFilter[]>;

export type FindDataset = (id: string, path: string) => Promise<QueriedDataset>;
