import type { NamedBatch, WriteColumn } from "../../../plugins/protocol/index.ts";
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
