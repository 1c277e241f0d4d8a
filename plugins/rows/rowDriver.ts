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

/** Rows as a source has them, before their types are checked. */
export interface RowBlock {
  /** Cells in the order of the columns that were asked for: texts, numbers, Dates, booleans, null, or JSON values. */
  readonly rows: readonly (readonly unknown[])[];
  /** Names where a row comes from, such as `line 17`. */
  placeOf(index: number): string;
}

/** A column of a source, by the name that its rows know it by. */
export type RowColumn = Pick<Column, "id" | "type" | "subtype">;

/** A dataset of a source. */
export interface RowTable extends Omit<Dataset, "name"> {
  readonly schema: string;
  readonly table: string;
}

/** A dataset that is open for one reading. */
export interface OpenTable {
  /** Columns in the order of the source. */
  readonly columns: readonly RowColumn[];
  readonly forms: ValueForms;
  /**
   * Reads the rows with the cells of some columns, by their index in `columns`. Rows that cannot pass `filters` may be
   * left out.
   */
  rows(
    wanted: readonly number[],
    filters: readonly Filter[],
    signal: AbortSignal,
  ): AsyncIterable<RowBlock>;
  close(): Promise<void>;
}

/** Reads a source of rows; `createRowPlugin` makes a plugin of it. */
export interface RowDriver {
  /** Lists what the credentials reach. */
  tables(call: Call): Promise<readonly RowTable[]>;
  /**
   * Opens a dataset for one reading.
   * @throws {PluginError} PLUGIN_UNKNOWN_DATASET for an id that is none
   */
  open(call: Call & Pick<QueryCall, "dataset">, id: string): Promise<OpenTable>;
  /** Refuses credentials that are not good. */
  authorize(call: Call): Promise<Authorized | void>;
  release?(credentials: Credentials): Promise<void>;
  close?(): Promise<void>;
}
