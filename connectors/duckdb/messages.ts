import type { Source } from "./findDataFiles.ts";

/**
 * A request to a DuckDB process: a statement, and the source on which to run it. The first request opens the source.
 */
export interface DuckdbRequest {
  readonly source: Source;
  /** Folder to which queries spill data. The process creates the folder, and the host removes it afterwards. */
  readonly scratch: string;
  readonly text: string;
  /** Values of the statement's parameters: numbers, strings, null, and lists of these. */
  readonly values: readonly unknown[];
}

/** Rows of a statement. Cells are in select-list order: numbers, strings, booleans or null. */
export type DuckdbRows = readonly (readonly unknown[])[];
