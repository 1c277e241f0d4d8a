import type { Source } from "./findDataFiles.ts";

/**
 * A request to a DuckDB process: a statement, and the source on which to run it. The first request opens the source.
 */
export interface DuckdbRequest {
  readonly source: Source;
  /** Folder to which queries spill data. The process creates the folder, and the host removes it afterwards. */
  readonly scratch: string;
  /** URL of DuckDB's main module; undefined for the package next to this connector. */
  readonly driverUrl: string | undefined;
  readonly text: string;
  /** Values of the statement's parameters: numbers, strings, nulls, and lists of these values. */
  readonly values: readonly unknown[];
}

/** Rows of a statement. Cells are numbers, strings, booleans or null, in the order of the select list. */
export type DuckdbRows = readonly (readonly unknown[])[];
