import type { ParquetFiles } from "../writeParquet.ts";
import type { BenchQuery } from "../benchQuery.ts";

/** Every configuration that the bench measures. */
export const systemNames = [
  "strata",
  "duckdb",
  "duckdb-enum",
  "duckdb-file",
  "clickhouse-memory",
  "clickhouse-mergetree",
  "polars",
  "polars-categorical",
] as const;
export type SystemName = (typeof systemNames)[number];

export interface OpenRequest {
  readonly name: SystemName;
  readonly rowCount: number;
  readonly seed: number;
  readonly files: ParquetFiles;
  /** A folder of the system's own. */
  readonly dir: string;
  /** Callers that will ask at the same time. */
  readonly callers: number;
  /** Warms our store before it is filled; true when absent. Answers are the same without. */
  readonly isWarm?: boolean;
}

/** An answer as rows of JavaScript values, as a Node.js caller would use them. */
export interface SystemAnswer {
  readonly rows: readonly (readonly unknown[])[];
  /** Rows scanned after pruning, where the system reports them. */
  readonly scannedRowCount?: number;
}

/** A system in its own process: opened, filled, asked. */
export interface System {
  /** Milliseconds from the first byte read to a table that answers. */
  readonly loadMs: number;
  readonly version: string;
  /** @throws an error when the system does not offer the query */
  ask(query: BenchQuery, caller: number): Promise<SystemAnswer>;
  close(): Promise<void>;
}
