import type {
  Authorized,
  Call,
  Column,
  Credentials,
  Dataset,
  Filter,
  QueryCall,
} from "../protocol/index.ts";
import type { ValueForms } from "./readValue.ts";

/** Rows as the source returns them, before their cells are converted. */
export interface RowBlock {
  /** Cells in the order of the requested columns: strings, numbers, Dates, booleans, null, or JSON values. */
  readonly rows: readonly (readonly unknown[])[];
  /** Returns the place of a row, such as `line 17`, for messages. */
  placeOf(index: number): string;
}

/** A column of a source. The id of the column is its name in the source. */
export interface RowColumn extends Pick<Column, "id" | "type" | "subtype"> {
  /** The forms of the column's strings. Absent: the forms of the dataset. */
  readonly forms?: ValueForms;
}

/** A dataset of a source. */
export interface RowTable extends Omit<Dataset, "name"> {
  readonly schema: string;
  readonly table: string;
}

/** A dataset that was opened for reading. It can be read only once. */
export interface OpenTable {
  /** Columns in the order of the source. */
  readonly columns: readonly RowColumn[];
  /** How strings of the dataset represent numbers, dates and null. */
  readonly forms: ValueForms;
  /**
   * Reads the rows. Each row contains the cells of the columns with the given indexes in `columns`. May omit rows that
   * cannot pass `filters`.
   */
  rows(
    wanted: readonly number[],
    filters: readonly Filter[],
    signal: AbortSignal,
  ): AsyncIterable<RowBlock>;
  close(): Promise<void>;
}

/** Lists and reads the tables of a source that returns plain rows. `createRowPlugin` creates a plugin from a driver. */
export interface RowDriver {
  /** Lists the tables that the credentials can reach. */
  tables(call: Call): Promise<readonly RowTable[]>;
  /**
   * Opens a dataset, so that it can be read once.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET for an unknown id
   */
  open(call: Call & Pick<QueryCall, "dataset">, id: string): Promise<OpenTable>;
  /**
   * Checks the credentials.
   * @throws {PluginError} PLUGIN_FORBIDDEN if they are wrong
   */
  authorize(call: Call): Promise<Authorized | void>;
  /** Releases the resources for credentials that are no longer used. Absent: there are no resources. */
  release?(credentials: Credentials): Promise<void>;
  close?(): Promise<void>;
}
