import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { openStore, type Batch, type Scalar, type Store } from "../../../engine/index.ts";
import { loadFile } from "../loadFile.ts";
import { starTables } from "./starTables.ts";

/** A store and an in-memory DuckDB with the same star schema. */
export interface Star {
  readonly store: Store;
  sql(query: string): Promise<Scalar[][]>;
  close(): Promise<void>;
}

export interface StarRequest {
  /** Number of facts. */
  readonly rowCount: number;
  readonly seed: number;
  /** Number of threads of each system. */
  readonly threads: number;
  /** An empty folder for the store's files. */
  readonly dir: string;
}

/** Generates the tables in DuckDB, whose strings are ENUMs, and loads them into a store as Parquet. */
export async function openStar({ rowCount, seed, threads, dir }: StarRequest): Promise<Star> {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
  const connection = await instance.connect();
  const store = await openStore({
    dir: join(dir, "store"),
    workers: threads,
    memoryBytes: 4 * 2 ** 30,
  });
  for (const { name, columns, sql } of starTables(rowCount, seed)) {
    await connection.run(`create table generated as ${sql}`);
    const file = join(dir, `${name}.parquet`);
    await connection.run(`copy generated to '${file}' (format parquet)`);
    await store.create({ name, columns });
    await loadFile({ store, table: name, columns, path: file });
    await createTable(connection, name, columns);
    await connection.run("drop table generated");
  }
  return {
    store,
    async sql(query) {
      const answer = await connection.runAndReadAll(query);
      return answer.getRows().map((row) => row.map((cell) => cell as Scalar));
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
      await store.close();
    },
  };
}

/** Converts an answer to rows of cells. */
export function cellsOf({ rowCount, columns }: Batch): Scalar[][] {
  return Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) => {
      if (column.type !== "text") return column.values[row] ?? null;
      return column.dictionary[column.codes[row] ?? -1] ?? null;
    }),
  );
}

async function createTable(
  connection: DuckDBConnection,
  table: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<void> {
  const selected: string[] = [];
  for (const { name, type } of columns) {
    if (type === "text")
      await connection.run(
        `create type ${name}_names as enum (select distinct ${name} from generated order by 1)`,
      );
    selected.push(type === "text" ? `${name}::${name}_names as ${name}` : name);
  }
  await connection.run(`create table ${table} as select ${selected.join(", ")} from generated`);
}
