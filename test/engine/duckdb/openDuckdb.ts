import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import type { Scalar } from "../../../engine/index.ts";
import type { RandomTable } from "../randomTables.ts";
import type { Tables } from "../referenceEngine.ts";

export interface Duckdb {
  /** Recreates the tables and fills them. */
  load(tables: readonly RandomTable[], rows: Tables): Promise<void>;
  query(sql: string): Promise<Scalar[][]>;
  close(): void;
}

/** Opens an in-memory DuckDB, which is the second oracle of the engine's tests. */
export async function openDuckdb(): Promise<Duckdb> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  return {
    async load(tables, rows) {
      for (const table of tables) await loadTable(connection, table, rows);
    },
    async query(sql) {
      const answer = await connection.runAndReadAll(sql);
      return answer.getRows().map((row) => row.map((cell) => cell as Scalar));
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

const types = { number: "double", datetime: "timestamp", text: "varchar" } as const;

async function loadTable(
  connection: DuckDBConnection,
  { name, columns }: RandomTable,
  tables: Tables,
): Promise<void> {
  const definitions = columns.map((column) => `"${column.name}" ${types[column.type]}`);
  await connection.run(`create or replace table "${name}" (${definitions.join(", ")})`);
  const rows = tables[name];
  for (let start = 0; start < rows.length; start += 500) {
    const values = rows.slice(start, start + 500).map((row) => {
      const cells = columns.map((column) => cellSql(row[column.name], column.type));
      return `(${cells.join(", ")})`;
    });
    await connection.run(`insert into "${name}" values ${values.join(", ")}`);
  }
}

function cellSql(value: Scalar, type: keyof typeof types): string {
  if (value === null) return "null";
  if (type === "datetime") return `make_timestamp((${value}000)::bigint)`;
  return type === "number" ? `(${value})::double` : `'${String(value).replaceAll("'", "''")}'`;
}
