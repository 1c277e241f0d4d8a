import type { Plan } from "../../../../engine/index.ts";
import type { ColumnSize } from "../../strata/measureColumns.ts";
import type { PublicTable } from "../publicPart.ts";

/** The systems that run in a process of the bench. The host is a process of its own. */
export const systemNames = [
  "engine",
  "duckdb",
  "duckdb-enum",
  "duckdb-file",
  "clickhouse-memory",
  "clickhouse-mergetree",
] as const;
export type PublicSystemName = (typeof systemNames)[number];

/** A table with the Parquet file that contains its rows. */
export type WrittenTable = PublicTable & { readonly file: string };

export interface OpenPublicRequest {
  readonly name: PublicSystemName;
  readonly tables: readonly WrittenTable[];
  /** A folder that only this system uses. */
  readonly dir: string;
}

/** A question in the languages of the systems. */
export interface SpelledQuestion {
  /** Absent if the engine leaves a part of the question to the host. */
  readonly plan?: Plan;
  readonly duckdb: string;
  readonly clickhouse: string;
}

/** A system with the tables of a part. */
export interface PublicSystem {
  /** Returns the answer as JavaScript values. */
  ask(question: SpelledQuestion): Promise<readonly (readonly unknown[])[]>;
  /** Measures the columns of a table, which destroys it. Only the engine can. */
  measureColumns?(table: WrittenTable): Promise<readonly ColumnSize[]>;
  close(): Promise<void>;
}
