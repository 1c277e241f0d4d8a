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
  /** The system's own folder. */
  readonly dir: string;
  /** Number of callers that will send queries at the same time. */
  readonly callers: number;
  /** Whether our store is warmed up before it is filled. The default is true. Answers do not depend on it. */
  readonly isWarm?: boolean;
}

/** An answer as rows of JavaScript values, as a Node.js caller would use them. */
export interface SystemAnswer {
  readonly rows: readonly (readonly unknown[])[];
  /** Number of rows scanned after pruning, if the system reports it. */
  readonly scannedRowCount?: number;
}

/** An open and filled system in its own process. */
export interface System {
  /** Milliseconds from the first byte read until the table can be queried. */
  readonly loadMs: number;
  readonly version: string;
  /** @throws an error when the system does not support the query */
  query(query: BenchQuery, caller: number): Promise<SystemAnswer>;
  close(): Promise<void>;
}
