/** A cell of a pushed table. Instants are ISO strings. */
export type Cell = number | string | null;

export interface TableColumn {
  readonly name: string;
  readonly type: "text" | "number" | "datetime";
  readonly isDate?: boolean;
  readonly title: string;
  readonly description?: string;
  /** Synonyms and rules for the model, in the form of `ai_context`. */
  readonly context?: string;
}

export interface DataTable {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A formula of a table. Its expression refers to columns as `{table.column}`. */
export interface TableFormula {
  readonly name: string;
  readonly table: string;
  readonly title: string;
  readonly description: string;
  readonly expression: string;
}

/** Tables that questions are about, with their links and formulas. */
export interface DataModel {
  readonly name: string;
  readonly tables: readonly DataTable[];
  /** Pairs of columns as `table.column`. */
  readonly links: readonly (readonly [string, string])[];
  readonly formulas: readonly TableFormula[];
}

/** The current day in every evaluation, so that the answers to relative questions never change. */
export const today = new Date("2026-07-01T12:00:00.000Z");
