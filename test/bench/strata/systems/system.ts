import type { ParquetFiles } from "../writeParquet.ts";
import type { BenchQuery } from "../benchQuery.ts";

/** Names of all configurations that the bench measures. */
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
  /** A folder that only this system uses. */
  readonly dir: string;
  /** Number of callers that will send queries at the same time. */
  readonly callers: number;
  /**
   * Whether our store is warmed up before it is filled. The default is true. The answers are the same in both cases.
   */
  readonly isWarm?: boolean;
}

/** An answer as rows of JavaScript values, in the form that a Node.js program would use. */
export interface SystemAnswer {
  readonly rows: readonly (readonly unknown[])[];
  /** Number of rows scanned after pruning, if the system reports it. */
  readonly scannedRowCount?: number;
}

/** A system that has been opened and filled, in a separate process. */
export interface System {
  /** Milliseconds from the first byte read until the table can be queried. */
  readonly loadMs: number;
  readonly version: string;
  /**
   * Runs a query. `caller` is the number of the concurrent caller.
   * @throws an error if the system does not support the query
   */
  query(query: BenchQuery, caller: number): Promise<SystemAnswer>;
  close(): Promise<void>;
}
