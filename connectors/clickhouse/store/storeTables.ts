import type {
  Batch,
  NamedBatch,
  WriteColumn,
  WriteResult,
} from "../../../plugins/protocol/index.ts";
import type { ColumnType } from "./columnTypes.ts";
import type { Insert } from "./insertOnce.ts";
import type { CertaintyOptions } from "./untilCertain.ts";

/** Rows of one write, and the columns of their table. */
export interface NewRows {
  readonly id: string;
  readonly columns: readonly WriteColumn[];
  readonly rows: NamedBatch;
  readonly writeId: string;
}

/** Rows that arrive in batches. */
export interface RowFill extends Pick<NewRows, "id" | "columns" | "writeId"> {
  readonly columnIds: readonly string[];
  readonly batches: AsyncIterable<Batch>;
  /**
   * The types of the stored columns, if the stored rows are kept. Absent: the rows replace all rows, and the first of
   * them determine the types.
   */
  readonly types?: ReadonlyMap<string, ColumnType>;
}

/** Rows that replace or delete the stored rows with their keys. */
export interface RowUpdate extends Pick<NewRows, "id" | "rows" | "writeId"> {
  /** Ids of the columns of the key. */
  readonly key: readonly string[];
  /** The types of all stored columns, as ClickHouse spells them, by column id. */
  readonly columns: ReadonlyMap<string, string>;
  readonly missing: "insert" | "ignore" | "refuse";
  readonly deletes: boolean;
}

/**
 * The tables of datasets, on one server or on the shards of a cluster. When a method resolves, its change is complete.
 * Methods throw the errors of the server and of the connection. Callers must check that the dataset has a table.
 */
export interface StoreTables {
  /** Creates the tables of a dataset.
   * @throws {PluginError} PLUGIN_CONFLICT if the dataset already exists */
  create(
    table: {
      readonly id: string;
      readonly columns: readonly WriteColumn[];
      readonly writeId: string;
      readonly types?: ReadonlyMap<string, ColumnType>;
    },
    options: CertaintyOptions,
  ): Promise<void>;
  /** Adds and drops columns. A query sees all of these changes or none. */
  alter(
    id: string,
    change: { readonly add: readonly WriteColumn[]; readonly drop: readonly string[] },
    options: CertaintyOptions,
  ): Promise<void>;
  /** Widens the types of columns. */
  widen(
    id: string,
    types: ReadonlyMap<string, ColumnType>,
    options: CertaintyOptions,
  ): Promise<void>;
  /** Adds rows. All of them become visible at the same time. */
  insert(
    write: Pick<Insert, "rows" | "writeId" | "isRepeated"> & { readonly id: string },
    options: CertaintyOptions,
  ): Promise<void>;
  /** Replaces the rows and columns of a dataset. A query sees either the old or the new rows and columns. */
  replace(write: NewRows, options: CertaintyOptions): Promise<void>;
  /**
   * Adds rows that arrive in batches, or replaces all rows with them. A query sees all of the change or none of it,
   * even if the host or the server is killed. Returns the number of rows of the dataset. Absent if the tables cannot do
   * this.
   * @throws {PluginError} PLUGIN_CONFLICT if another write changes the rows meanwhile
   */
  fill?(fill: RowFill, options: CertaintyOptions): Promise<number>;
  /**
   * Replaces or deletes rows by key. A query sees all of the change or none of it. Absent if the tables cannot do this.
   */
  update?(
    update: RowUpdate,
    options: CertaintyOptions,
  ): Promise<Pick<WriteResult, "counts" | "refused">>;
  /** Drops the tables of a dataset.
   * @throws the server's error if the table does not exist */
  drop(id: string, options: CertaintyOptions): Promise<void>;
  /** Waits until no earlier write to the dataset, from any host, is running on any server. */
  ended(id: string, options: CertaintyOptions): Promise<void>;
  /**
   * Returns the number of rows of each dataset, keyed by the dataset's id. Absent if the server's list of tables
   * already includes these numbers.
   */
  rowCounts?(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  close?(): Promise<void>;
}
