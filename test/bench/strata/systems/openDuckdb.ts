import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { factColumns } from "../columns.ts";
import { sqlText } from "../benchQuery.ts";
import type { ParquetFiles } from "../writeParquet.ts";
import type { OpenRequest, System } from "./system.ts";

const enums = ["s5", "s50", "s1000", "s50k"];

/**
 * Opens DuckDB with two threads. `duckdb` is in memory with VARCHAR, `duckdb-enum` is in memory with ENUM, and
 * `duckdb-file` is in a compressed file.
 */
export async function openDuckdb({ name, files, dir, callers }: OpenRequest): Promise<System> {
  const isFile = name === "duckdb-file";
  const instance = await DuckDBInstance.create(isFile ? join(dir, "bench.duckdb") : ":memory:", {
    threads: "2",
    memory_limit: "12GB",
    temp_directory: join(dir, "spill"),
  });
  const connections = await Promise.all(Array.from({ length: callers }, () => instance.connect()));
  const connection = connections[0]!;
  const startedAt = performance.now();
  await fillTables(connection, files, name === "duckdb-enum");
  if (isFile) await connection.run("CHECKPOINT");
  const loadMs = performance.now() - startedAt;
  const [[version] = []] = (await connection.runAndReadAll("SELECT version()")).getRowsJS();
  return {
    loadMs,
    version: String(version),
    async query(query, caller) {
      const result = await connections[caller]!.runAndReadAll(query.duckdb);
      return { rows: result.getRowsJS() };
    },
    async close() {
      for (const each of connections) each.closeSync();
      instance.closeSync();
    },
  };
}

async function fillTables(
  connection: DuckDBConnection,
  { facts, dimension }: ParquetFiles,
  hasEnums: boolean,
): Promise<void> {
  const fact = `read_parquet([${facts.map(sqlText).join(", ")}])`;
  if (!hasEnums) {
    await connection.run(`CREATE TABLE f AS SELECT * FROM ${fact}`);
    await connection.run(`CREATE TABLE dim AS SELECT * FROM ${sqlText(dimension)}`);
    return;
  }
  for (const name of enums)
    await connection.run(
      name === "s50k"
        ? `CREATE TYPE ${name}_names AS ENUM (SELECT s50k FROM ${sqlText(dimension)} ORDER BY 1)`
        : `CREATE TYPE ${name}_names AS ENUM (SELECT DISTINCT ${name} FROM ${fact} ORDER BY 1)`,
    );
  const columns = factColumns.map(({ name }) =>
    enums.includes(name) ? `${name}::${name}_names AS ${name}` : name,
  );
  await connection.run(`CREATE TABLE f AS SELECT ${columns.join(", ")} FROM ${fact}`);
  await connection.run(
    `CREATE TABLE dim AS SELECT s50k::s50k_names AS s50k, cat20, kid FROM ${sqlText(dimension)}`,
  );
}
