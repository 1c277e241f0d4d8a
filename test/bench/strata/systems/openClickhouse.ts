import { sqlText } from "../benchQuery.ts";
import { openChdb } from "./openChdb.ts";
import type { OpenRequest, System } from "./system.ts";

/**
 * Opens ClickHouse with two threads. `clickhouse-memory` uses the Memory engine. `clickhouse-mergetree` uses MergeTree,
 * ordered by `dt`.
 */
export async function openClickhouse({ name, files }: OpenRequest): Promise<System> {
  const session = openChdb();
  const run = (sql: string) => session.query(sql, "CSV");
  const isMergeTree = name === "clickhouse-mergetree";
  const startedAt = performance.now();
  const low = "LowCardinality(String)";
  run(
    `CREATE TABLE f (dt DateTime64(3, 'UTC'), dtu DateTime64(3, 'UTC'), s5 ${low}, s50 ${low}, s1000 ${low}, s50k ${low}, s2m String, i1 Int32, i2 Int32, x Float64, y Float64, z Nullable(Float64)) ENGINE = ${isMergeTree ? "MergeTree ORDER BY dt" : "Memory"}`,
  );
  for (const file of files.facts)
    run(
      `INSERT INTO f SELECT dt, dtu, s5, s50, s1000, s50k, s2m, i1, i2, x, y, z FROM file(${sqlText(file)}, Parquet) SETTINGS low_cardinality_max_dictionary_size = 65536`,
    );
  run(`CREATE TABLE dim (s50k String, cat20 String, kid Int64) ENGINE = Memory`);
  run(`INSERT INTO dim SELECT * FROM file(${sqlText(files.dimension)}, Parquet)`);
  if (isMergeTree) run("OPTIMIZE TABLE f FINAL");
  const loadMs = performance.now() - startedAt;
  return {
    loadMs,
    version: session.query("SELECT version()", "TSV").trim(),
    async query({ name: query, clickhouse }) {
      if (!clickhouse) throw new Error(`${query} has no ClickHouse version`);
      const answer = await session.queryAsync(`${clickhouse} SETTINGS max_threads = 2`, {
        format: "JSONCompact",
      });
      return { rows: answer.json().data };
    },
    async close() {
      session.cleanup();
    },
  };
}
