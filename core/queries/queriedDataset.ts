import type { Principal, RowFilter, Connection } from "../contracts/index.ts";
import type { DataType, Dataset } from "../../plugins/protocol/index.ts";

/** A column that a query may name, with its id in the catalog and in the plugin. */
export interface QueriedColumn {
  readonly id: string;
  readonly pluginId: string;
  readonly name: string;
  readonly type: DataType;
  readonly subtype: string | undefined;
  /** The text of a derived column. */
  readonly expression?: string;
  /** Of another dataset than the one that is asked: `pluginId` is what the query calls it. */
  readonly isJoined?: true;
  /** Values with a label or a colour; absent for none. */
  readonly labelCount?: number;
  /** Why a query cannot name it as a column of the source. */
  readonly unserved: string | undefined;
}

/** A dataset that the caller may read, and the connection that answers for it. */
export interface QueriedDataset {
  readonly id: string;
  readonly connection: Connection;
  /** The dataset as the plugin knows it: its id, and its columns in their order. */
  readonly source: Pick<Dataset, "id" | "columns">;
  /** Those that the caller may name, by catalog id. */
  readonly columns: ReadonlyMap<string, QueriedColumn>;
  /** Those that row-level filters may test: hidden ones too. */
  readonly everyColumn: ReadonlyMap<string, QueriedColumn>;
  /** Those of its columns with columns of other datasets, whether the caller may see these or not. */
  readonly links: readonly ColumnLink[];
  /** What limits the caller's rows; `secure` compiles it. */
  readonly rowFilters: readonly RowFilter[];
  readonly freshness: Freshness;
}

/** A link of a column with one of another dataset, whichever of the two it was made from. */
export interface ColumnLink {
  readonly columnId: string;
  readonly otherId: string;
  readonly otherDatasetId: string;
}

/** How long answers over a dataset hold. */
export interface Freshness {
  /** Of rows in the store: differs after every change. Absent for those of a live source. */
  readonly version?: string;
  /** Milliseconds; 0 for not at all, Infinity where the version tells of every change. */
  readonly maxAgeMs: number;
}

/** Answers the row-level filters that bind a caller on a dataset, wherever they were set. */
export type FindRowFilters = (
  principal: Principal,
  datasetId: string,
) => Promise<readonly RowFilter[]>;

export type FindDataset = (id: string, path: string) => Promise<QueriedDataset>;
