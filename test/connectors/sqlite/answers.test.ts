import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { open } from "../../../connectors/sqlite/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import type { AwkwardColumn, AwkwardTable } from "../../support/awkward.ts";
import { openReach } from "../../support/openReach.ts";
import type { Random } from "../../support/random.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";

connectorSuite("connectors/sqlite", openEngine);

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: [
    "text",
    "varchar(100)",
    "text collate nocase",
    "text collate rtrim",
    "blob",
    "uuid",
    "clob collate nocase",
  ],
  whole: ["integer", "smallint", "real", "numeric", "double precision", "boolean"],
  big: ["integer", "bigint", "unsigned big int", "numeric"],
  decimal: ["numeric", "decimal(30, 10)", "real"],
  double: ["real", "double", "float", "numeric"],
  datetime: ["datetime", "timestamp", "timestamp with time zone"],
  date: ["date"],
};

/**
 * Returns a value as it is stored. Numbers other than `big` are bound as numbers, because SQLite would parse their
 * decimal strings less precisely. NaN is stored as null.
 */
function stored(value: string | number | null, { kind }: AwkwardColumn): string | number | null {
  if (value === null || kind === "text" || kind === "big") return value;
  if (kind === "datetime" || kind === "date") return value;
  return Number(value);
}

async function openEngine(): Promise<ConnectorEngine> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-sqlite-")));
  const path = join(folder, "awkward.sqlite");
  const database = new DatabaseSync(path);
  database.exec("pragma journal_mode = wal");
  const plugin = await open({ reach: openReach(folder), timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
  let last = "";
  return {
    plugin,
    hasColumnSettings: true,
    credentials: { host: path, properties: {} },
    limits: { nan: true, nul: true, years: [1000, 9999] },
    statements: {
      all: () => `select * from ${quote(last)}`,
      slow: "with recursive c(n) as (select 1 union all select n + 1 from c) select n from c",
      hasDoubleColons: false,
    },
    async fill({ name, columns, rows }: AwkwardTable, random: Random) {
      last = name;
      const defined = columns.map(({ id, kind }) => {
        const type = random.pick(nativeTypes[kind]);
        return `${quote(`source.${id}`)} ${type}`;
      });
      database.exec(`drop table if exists ${quote(name)}`);
      database.exec(`create table ${quote(name)} (${defined.join(", ")})`);
      for (const { id } of random.some(columns, 0.3))
        database.exec(
          `create index ${quote(`${name} ${id}`)} on ${quote(name)} (${quote(`source.${id}`)})`,
        );
      const places = columns.map(() => "?").join(", ");
      const insert = database.prepare(`insert into ${quote(name)} values (${places})`);
      database.exec("begin");
      for (const row of rows)
        insert.run(...row.map((value, index) => stored(value, columns[index]!)));
      database.exec("commit");
      return tableId({ schema: "main", name });
    },
    contents: async () => {
      const read = (text: string) => {
        const statement = database.prepare(text);
        statement.setReadBigInts(true);
        statement.setReturnArrays(true);
        return statement.all().map(String);
      };
      const names = database.prepare("select name from sqlite_schema where type = 'table'").all();
      return [
        read("select * from sqlite_schema"),
        ...names.map((row) => read(`select * from ${quote(String(row["name"]))}`)),
      ];
    },
    async close() {
      await plugin.close?.();
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
