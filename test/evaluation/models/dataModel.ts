/** A cell of a table that is pushed: instants are ISO texts. */
export type Cell = number | string | null;

export interface TableColumn {
  readonly name: string;
  readonly type: "text" | "number" | "datetime";
  readonly isDate?: boolean;
  readonly title: string;
  readonly description?: string;
  /** Synonyms and rules, as `ai_context` has them. */
  readonly context?: string;
}

export interface DataTable {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A formula of a table; its expression names columns as `{table.column}`. */
export interface TableFormula {
  readonly name: string;
  readonly table: string;
  readonly title: string;
  readonly description: string;
  readonly expression: string;
}

/** Tables with their links and formulas, over which questions are asked. */
export interface DataModel {
  readonly name: string;
  readonly tables: readonly DataTable[];
  /** Pairs of columns, `table.column`. */
  readonly links: readonly (readonly [string, string])[];
  readonly formulas: readonly TableFormula[];
}

/** The day of every evaluation: relative questions have one answer, today and in a year. */
export const today = new Date("2026-07-01T12:00:00.000Z");
