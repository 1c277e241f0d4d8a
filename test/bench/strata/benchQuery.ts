import type { DataType, Plan } from "../../../engine/index.ts";

/** A cell of an answer as it is compared: datetimes are milliseconds. */
export type Cell = number | string | null;

/** The choice of a dashboard user: the variable part of a query. */
export interface Choice {
  readonly countries: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** One query in the languages of all systems, as plain data, so that it crosses to their processes. */
export interface BenchQuery {
  readonly name: string;
  readonly plan: Plan;
  readonly duckdb: string;
  readonly clickhouse?: string;
  /** For systems whose queries are code, not text: which query, with what. */
  readonly choice?: Choice;
  /** One a column of the answer. */
  readonly types: readonly DataType[];
  /** Leading columns that identify a row of the answer. */
  readonly keyCount: number;
  /** Whether the order of the rows is part of the answer. */
  readonly isOrdered: boolean;
  /** SQL of DuckDB that gives the right answer, where the timed SQL does not. */
  readonly reference?: string;
  /** Any rows of the reference's answer are right, as many as the plan's limit. */
  readonly isChoice?: boolean;
  /** Allowed relative difference by column; 1e-9 where absent. For approximate functions only. */
  readonly tolerances?: Readonly<Record<number, number>>;
}

/** Writes a text as SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
