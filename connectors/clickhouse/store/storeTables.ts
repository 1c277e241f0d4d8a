import type { NamedBatch, WriteColumn } from "../../../plugins/protocol/index.ts";
import type { ColumnType } from "./columnTypes.ts";
import type { Insert } from "./insertOnce.ts";
import type { CertaintyOptions } from "./untilCertain.ts";

/** Rows of one write, and the columns of the table that takes them. */
export interface NewRows {
  readonly id: string;
  readonly columns: readonly WriteColumn[];
  readonly rows: NamedBatch;
  readonly writeId: string;
}

/**
 * The tables of datasets, on one server or on the shards of a cluster. Every method is sure of its end when it
 * resolves, and throws what a server or a connection throws. A dataset without a table is the caller's to refuse.
 */
export interface StoreTables {
  /** @throws {PluginError} PLUGIN_CONFLICT when there is a dataset of this id */
  create(
    table: {
      readonly id: string;
      readonly columns: readonly WriteColumn[];
      readonly writeId: string;
      readonly types?: ReadonlyMap<string, ColumnType>;
    },
    options: CertaintyOptions,
  ): Promise<void>;
  /** Adds and drops columns; a question sees all of the change or none. */
  alter(
    id: string,
    change: { readonly add: readonly WriteColumn[]; readonly drop: readonly string[] },
    options: CertaintyOptions,
  ): Promise<void>;
  /** Gives columns types that hold more values. */
  widen(
    id: string,
    types: ReadonlyMap<string, ColumnType>,
    options: CertaintyOptions,
  ): Promise<void>;
  /** Adds rows, which a question sees all together. */
  insert(
    write: Pick<Insert, "rows" | "writeId" | "isRepeated"> & { readonly id: string },
    options: CertaintyOptions,
  ): Promise<void>;
  /** Puts other rows and columns in the place of those of a dataset, at one instant. */
  replace(write: NewRows, options: CertaintyOptions): Promise<void>;
  /** @throws what the server throws for a table that is not there */
  drop(id: string, options: CertaintyOptions): Promise<void>;
  /** Resolves when no write of the dataset that began before is at work at a server, whoever sent it. */
  ended(id: string, options: CertaintyOptions): Promise<void>;
  /** Counts the rows of each dataset by id; undefined where the server's list of tables has them. */
  rowCounts?(signal: AbortSignal): Promise<ReadonlyMap<string, number>>;
  close?(): Promise<void>;
}
