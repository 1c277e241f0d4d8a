import type { DataType, Plan } from "../../../engine/index.ts";

/** A cell of an answer in comparable form. Datetimes are numbers of milliseconds. */
export type Cell = number | string | null;

/** The choices of a dashboard user. They are the part of a query that varies. */
export interface Choice {
  readonly countries: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** A query in the language of each system. It is plain data, so that it can be sent to other processes. */
export interface BenchQuery {
  readonly name: string;
  readonly plan: Plan;
  readonly duckdb: string;
  readonly clickhouse?: string;
  /** Name and parameters of the query, for systems whose queries are code instead of text. */
  readonly choice?: Choice;
  /** One type per column of the answer. */
  readonly types: readonly DataType[];
  /** The number of leading columns that identify a row of the answer. */
  readonly keyCount: number;
  /** Whether the order of rows is part of the answer. */
  readonly isOrdered: boolean;
  /** DuckDB SQL that returns the correct answer. Present if the timed SQL does not return it. */
  readonly reference?: string;
  /**
   * True if an answer may contain any rows of the reference answer, as many as the plan's limit.
   */
  readonly isChoice?: boolean;
  /** Allowed relative differences of approximate functions, by column index. The default is 1e-9. */
  readonly tolerances?: Readonly<Record<number, number>>;
}

/** Returns a string as a SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
