import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { open } from "../../../connectors/duckdb/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import type { AwkwardColumn, AwkwardTable } from "../../support/awkward.ts";
import { layer, rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import type { Random } from "../../support/random.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";

connectorSuite("connectors/duckdb", () => openEngine("database"), {
  tableCount: rounds({ quick: 1, deep: 25 }),
});
if (layer === "deep")
  connectorSuite("connectors/duckdb over Parquet files", () => openEngine("parquet"), {
    tableCount: rounds({ quick: 1, deep: 3, soak: 10 }),
  });

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: ["varchar", "varchar collate nocase", "varchar collate noaccent"],
  whole: [
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "hugeint",
    "double",
    "float",
    "decimal(5, 2)",
  ],
  big: ["bigint", "ubigint", "hugeint", "decimal(38, 0)", "bignum"],
  decimal: ["decimal(38, 10)"],
  double: ["double"],
  datetime: ["timestamp", "timestamptz"],
  date: ["date"],
};

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Parquet has no 128-bit integers, so DuckDB writes them as doubles or strings. */
const notInParquet = /^(hugeint|bignum)$/;

/** Opens an engine over a database, or over a folder with the table as a Parquet file. */
async function openEngine(kind: "database" | "parquet"): Promise<ConnectorEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-duck-")));
  const path = join(folder, "awkward.duckdb");
  const plugin = await open({ reach: openReach(folder), timeoutMs: 120_000, sizeBytes: 2 ** 28 });
  const withConnection = async <Result>(run: (connection: DuckDBConnection) => Promise<Result>) => {
    // A reader process locks writers out of the file until the process is released.
    await plugin.release?.({ host: path, properties: {} });
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    try {
      return await run(connection);
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };
  let last = "";
  return {
    plugin,
    hasColumnSettings: true,
    credentials: { host: kind === "database" ? path : folder, properties: {} },
    limits: { nan: true, nul: true, years: [1000, 9999] },
    statements: {
      all: () => `select * from "odd.schema".${quote(last)}`,
      slow: "select count(*) as n from range(1000000000000) t(x) where x % 7 = 3 and x * x > 5",
      hasDoubleColons: true,
    },
    async fill({ name, columns, rows }: AwkwardTable, random: Random) {
      for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
      const defined = columns.map(({ id, kind: own }) => {
        const types = nativeTypes[own].filter(
          (type) => kind === "database" || !notInParquet.test(type),
        );
        return `${quote(`source.${id}`)} ${random.pick(types)}`;
      });
      const table = `"odd.schema".${quote(name)}`;
      const places = columns.map((_, index) => `$${index + 1}`).join(", ");
      await withConnection(async (connection) => {
        await connection.run('create schema "odd.schema"');
        await connection.run(`create table ${table} (${defined.join(", ")})`);
        await connection.run("begin");
        const insert = await connection.prepare(`insert into ${table} values (${places})`);
        for (const row of rows) {
          row.forEach((value, index) => {
            if (value === null) insert.bindNull(index + 1);
            else if (typeof value === "number") insert.bindDouble(index + 1, value);
            else insert.bindVarchar(index + 1, value);
          });
          await insert.run();
        }
        await connection.run("commit");
        if (kind === "parquet") {
          mkdirSync(join(folder, "odd.schema"));
          const file = join(folder, "odd.schema", `${name}.parquet`).replaceAll("'", "''");
          await connection.run(`copy ${table} to '${file}' (row_group_size 40)`);
        }
      });
      last = kind === "parquet" ? `${name}.parquet` : name;
      return tableId({ schema: "odd.schema", name: last });
    },
    contents: () =>
      withConnection(async (connection) => {
        const read = async (text: string) => (await connection.runAndReadAll(text)).getRowsJson();
        const tables = await read("select table_name, sql from duckdb_tables()");
        return [
          tables,
          ...(await Promise.all(
            tables.map(([name]) => read(`from "odd.schema".${quote(String(name))}`)),
          )),
        ];
      }),
    async close() {
      await plugin.close?.();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
