import { sqlText } from "../../strata/benchQuery.ts";
import { openChdb } from "../../strata/systems/openChdb.ts";
import type { OpenPublicRequest, PublicSystem } from "./publicSystem.ts";

/**
 * Opens ClickHouse with two threads: `clickhouse-memory` with the Memory engine, and `clickhouse-mergetree` with
 * MergeTree. Columns with few strings are of type LowCardinality.
 */
export async function openClickhouse({ name, tables }: OpenPublicRequest): Promise<PublicSystem> {
  const session = openChdb();
  for (const { name: table, fewValued, clickhouseOrder, file } of tables) {
    const replaced = fewValued.map((column) => `toLowCardinality(${column}) AS ${column}`);
    const selected = replaced.length > 0 ? `* REPLACE (${replaced.join(", ")})` : "*";
    const order = clickhouseOrder.length > 0 ? `(${clickhouseOrder.join(", ")})` : "tuple()";
    const engine = name === "clickhouse-mergetree" ? `MergeTree ORDER BY ${order}` : "Memory";
    session.query(
      `CREATE TABLE ${table} ENGINE = ${engine} AS SELECT ${selected} FROM file(${sqlText(file)}, Parquet) SETTINGS schema_inference_make_columns_nullable = 0`,
      "CSV",
    );
    if (name === "clickhouse-mergetree") session.query(`OPTIMIZE TABLE ${table} FINAL`, "CSV");
  }
  return {
    async ask({ clickhouse }) {
      const answer = await session.queryAsync(`${clickhouse} SETTINGS max_threads = 2`, {
        format: "JSONCompact",
      });
      return answer.json().data;
    },
    async close() {
      session.cleanup();
    },
  };
}
