import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { sqlText } from "../strata/benchQuery.ts";
import type { PublicPart } from "./publicPart.ts";
import type { WrittenTable } from "./systems/publicSystem.ts";

/** Generates the tables of a part as Parquet files in a folder, unless the files exist. */
export async function writeTables(
  { tables }: PublicPart,
  dir: string,
): Promise<readonly WrittenTable[]> {
  mkdirSync(dir, { recursive: true });
  const written = tables.map((table) => ({ ...table, file: join(dir, `${table.name}.parquet`) }));
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    for (const { sql, file } of written) {
      if (existsSync(file)) continue;
      await connection.run(`copy (${sql}) to ${sqlText(`${file}.part`)} (format parquet)`);
      renameSync(`${file}.part`, file);
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return written;
}
