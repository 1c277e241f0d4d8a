import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { sqlText } from "../../strata/benchQuery.ts";
import type { OpenPublicRequest, PublicSystem } from "./publicSystem.ts";

/**
 * Opens DuckDB with two threads: `duckdb` in memory, `duckdb-enum` in memory with ENUM for columns with few strings,
 * and `duckdb-file` in a compressed file.
 */
export async function openDuckdb({ name, tables, dir }: OpenPublicRequest): Promise<PublicSystem> {
  const isFile = name === "duckdb-file";
  const instance = await DuckDBInstance.create(isFile ? join(dir, "bench.duckdb") : ":memory:", {
    threads: "2",
    memory_limit: "8GB",
    temp_directory: join(dir, "spill"),
  });
  const connection = await instance.connect();
  for (const { name: table, columns, fewValued, file } of tables) {
    const from = `read_parquet(${sqlText(file)})`;
    const selected: string[] = [];
    for (const { name: column } of columns) {
      const isEnum = name === "duckdb-enum" && fewValued.includes(column);
      if (isEnum)
        await connection.run(
          `create type ${column}_names as enum (select distinct ${column} from ${from} order by 1)`,
        );
      selected.push(isEnum ? `${column}::${column}_names as ${column}` : column);
    }
    await connection.run(`create table ${table} as select ${selected.join(", ")} from ${from}`);
  }
  if (isFile) await connection.run("checkpoint");
  return {
    ask: async ({ duckdb }) => (await connection.runAndReadAll(duckdb)).getRowsJS(),
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
