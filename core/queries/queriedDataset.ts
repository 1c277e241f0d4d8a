import type { Principal, RowFilter, Connection } from "../base/index.ts";
import type {
  Aggregation,
  DataType,
  KnownDataset,
  Narrowing,
} from "../../plugins/protocol/index.ts";

/** A column that a query may name, with its id in the catalog and in the plugin. */
export interface QueriedColumn {
  readonly id: string;
  readonly pluginId: string;
  readonly name: string;
  readonly type: DataType;
  readonly subtype: string | undefined;
  /** The promises of the plugin that do not apply to this column. */
  readonly narrowed?: Narrowing;
  /** The source text of a derived column; absent for other columns. */
  readonly expression?: string;
  /** Whether the column belongs to a joined dataset. `pluginId` is then the query's name for the column. */
  readonly isJoined?: true;
  /** Number of values with a label or a color; absent if there are none. */
  readonly labelCount?: number;
  /** Whether answers omit the colors of the values. */
  readonly hasNoColors?: true;
  /** The aggregation of measures that name none. Absent: the usual aggregation of the column's type. */
  readonly aggregation?: Aggregation;
  /** Describes the column if its source cannot return it, such as "a derived column"; undefined if the source can. */
  readonly unserved: string | undefined;
}

/** A dataset that the caller may read, and the connection that serves it. */
export interface QueriedDataset {
  /** The id by which the query names the dataset; for a dataset in a role, see `roleId`. */
  readonly id: string;
  /** For a dataset in a role: its id in the catalog. */
  readonly roleOf?: string;
  readonly connection: Connection;
  /** The dataset as the plugin knows it: its id or statement, and its columns in order. */
  readonly source: KnownDataset;
  /** The columns that the caller may use, by catalog id. */
  readonly columns: ReadonlyMap<string, QueriedColumn>;
  /** All columns that row filters may test, including hidden columns. */
  readonly everyColumn: ReadonlyMap<string, QueriedColumn>;
  /** Links to columns of other datasets, even to columns that the caller may not see. */
  readonly links: readonly ColumnLink[];
  /** The filters that limit the caller's rows; `secure` compiles them. */
  readonly rowFilters: readonly RowFilter[];
  readonly freshness: Freshness;
  /** Number of rows in the store; absent for a live source. */
  readonly rowCount?: number;
  /** The copy of an accelerated dataset. If present, `connection` is the store, and `source` is the copy. */
  readonly copy?: QueriedCopy;
}

/** The copy of a live dataset that is queried instead of its source. */
export interface QueriedCopy {
  /** The time at which the source had these rows, in milliseconds since 1970. */
  readonly asOfMs: number;
  /** Returns the dataset as its source serves it. */
  findLive(): Promise<QueriedDataset>;
}

/** A link to a column of another dataset. Either of the two columns may have declared it. */
export interface ColumnLink {
  readonly columnId: string;
  readonly otherId: string;
  readonly otherDatasetId: string;
}

/** How long answers over a dataset may be cached. */
export interface Freshness {
  /** The version of the rows in the store, which changes whenever the rows change. Absent for a live source. */
  readonly version?: string;
  /**
   * Milliseconds for which answers may be cached. 0 disables caching; Infinity means that every change of the rows
   * changes the version.
   */
  readonly maxAgeMs: number;
}

/** Finds the row filters that apply to a caller on a dataset: from its token, its organization and its shares. */
export type FindRowFilters = (
  principal: Principal,
  datasetId: string,
) => Promise<readonly RowFilter[]>;

export type FindDataset = (id: string, path: string) => Promise<QueriedDataset>;
