import { open } from "../../../connectors/mysql/index.ts";
import type { Plugin, Query } from "../../../plugins/protocol/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import type { AwkwardColumn } from "../../support/awkward.ts";
import { needsMariadb, openMariadbDatabase } from "../../support/mariadbDatabase.ts";
import { openReach } from "../../support/openReach.ts";
import type { Random } from "../../support/random.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";
import { credentialsOf } from "./mysqlConnector.ts";

connectorSuite("connectors/mysql", openEngine, needsMariadb);

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: [
    "varchar(100)",
    "varchar(100) collate utf8mb4_bin",
    "varchar(100) collate utf8mb4_nopad_bin",
    "varchar(100) collate utf8mb4_unicode_ci",
    "varchar(100) collate utf8mb4_uca1400_ai_ci",
    "varchar(100) character set utf16",
    "text collate utf8mb4_swedish_ci",
    "mediumtext",
    "varbinary(400)",
  ],
  whole: ["int", "tinyint", "smallint", "mediumint", "bigint", "decimal(5)", "double", "float"],
  big: ["bigint", "bigint unsigned", "decimal(20)", "decimal(60, 3)"],
  decimal: ["decimal(30, 10)", "decimal(40, 12)"],
  double: ["double"],
  datetime: ["datetime(6)"],
  date: ["date"],
};

/** Returns a name without characters beyond U+FFFF, which the server does not accept in names. */
function basic(name: string): string {
  return name.replaceAll("🦄", "☃");
}

/** Returns a plugin that replaces the snowman in column names with the unicorn that the suite expects. */
function renamed(plugin: Plugin): Plugin {
  const read = (text: string) => text.replace("☃", "🦄");
  return {
    ...plugin,
    datasets: async (call) =>
      (await plugin.datasets(call)).map(({ columns, ...dataset }) => ({
        ...dataset,
        columns: columns.map((column) => ({ ...column, id: read(column.id) })),
      })),
    describe: async (call) =>
      (await plugin.describe!(call)).map((column) => ({ ...column, id: read(column.id) })),
    query: (call) => {
      const text = JSON.stringify(call.query).replaceAll(/"source\.[^"]*"/g, basic);
      return plugin.query({ ...call, query: JSON.parse(text) as Query });
    },
  };
}

async function openEngine(): Promise<ConnectorEngine> {
  const database = await openMariadbDatabase();
  const opened = await open({ reach: openReach(), timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const plugin = renamed(opened);
  const quote = (name: string) => `\`${name.replaceAll("`", "``")}\``;
  let last: string | undefined;
  let tableCount = 0;
  return {
    plugin,
    hasColumnSettings: true,
    credentials: credentialsOf(database),
    limits: { nul: true, years: [1, 9999] },
    // Tables of InnoDB can have at most 1,017 columns.
    mostColumns: 1000,
    statements: {
      all: () => `select * from ${quote(last ?? "")}`,
      slow: "select count(*) as n from seq_1_to_100000 a, seq_1_to_100000 b where a.seq * b.seq < 0",
      hasDoubleColons: false,
    },
    async fill({ name: wanted, columns, rows }, random: Random) {
      // A plugin caches the description of a table for a minute.
      const name = `${basic(wanted)} ${tableCount++}`;
      if (last !== undefined) await database.run(`drop table ${quote(last)}`);
      last = name;
      const defined = columns.map(
        ({ id, kind }) => `${quote(basic(`source.${id}`))} ${random.pick(nativeTypes[kind])}`,
      );
      const indexed = random.chance(0.5) ? `, key (${quote(`source.${columns[0]!.id}`)}(20))` : "";
      const isPlain = /^(?:varchar|varbinary)/.test(String(defined[0]?.split(" ")[1]));
      await database.run(
        `create table ${quote(name)} (${defined.join(", ")}${isPlain ? indexed : ""})`,
      );
      const places = columns.map(() => "?").join(", ");
      const cells = rows.map((row) =>
        row.map((cell, at) =>
          typeof cell === "string" && columns[at]!.kind !== "text"
            ? cell.replace(/(?<=\d)[TZ]/g, " ").trim()
            : cell,
        ),
      );
      if (rows.length > 0)
        await database.run(
          `insert into ${quote(name)} values ${rows.map(() => `(${places})`).join(", ")}`,
          cells.flat(),
        );
      return tableId({ schema: database.database, name });
    },
    contents: async () => [
      await database.run("show tables"),
      last === undefined ? [] : await database.run(`select * from ${quote(last)}`),
    ],
    async close() {
      await plugin.close?.();
      await database.close();
    },
  };
}
