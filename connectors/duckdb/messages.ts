import type { Source } from "./findDataFiles.ts";

/** A request to a DuckDB process: a statement on a source, which the first request opens. */
export interface DuckdbRequest {
  readonly source: Source;
  /** Folder for spilled query data. The process creates it, and the host removes it afterwards. */
  readonly scratch: string;
  readonly text: string;
  /** Numbers, strings, null, and lists of them. */
  readonly values: readonly unknown[];
}

/** Rows of a statement. Cells are in select-list order: numbers, strings, booleans or null. */
export type DuckdbRows = readonly (readonly unknown[])[];
