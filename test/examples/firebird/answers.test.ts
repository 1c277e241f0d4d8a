import type { Plugin, Query } from "../../../plugins/protocol/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import { connectorSuite, type ConnectorEngine } from "../../connectors/connectorSuite.ts";
import type { AwkwardColumn } from "../../support/awkward.ts";
import { needsFirebird, openFirebirdDatabase } from "../../support/firebirdDatabase.ts";
import { rounds } from "../../support/layer.ts";
import type { Random } from "../../support/random.ts";
import { credentialsOf, openFirebird } from "./openFirebird.ts";

connectorSuite("examples/firebird", openEngine, {
  ...needsFirebird,
  tableCount: rounds({ quick: 0, deep: 16 }),
});

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: [
    "varchar(100) character set utf8",
    "varchar(100) character set utf8 collate unicode_ci_ai",
    "varchar(2000) character set utf8 collate ucs_basic",
  ],
  whole: ["integer", "smallint", "bigint", "numeric(5, 0)", "double precision", "float"],
  big: ["bigint", "numeric(18, 0)"],
  // Firebird 3 has at most 18 digits.
  decimal: ["double precision"],
  double: ["double precision"],
  datetime: ["timestamp"],
  date: ["date"],
};

/** Returns a name without characters beyond U+FFFF, which Firebird 3 does not accept in names. */
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
    query: (call) => {
      const text = JSON.stringify(call.query).replaceAll(/"source\.[^"]*"/g, basic);
      return plugin.query({ ...call, query: JSON.parse(text) as Query });
    },
  };
}

async function openEngine(): Promise<ConnectorEngine> {
  const database = await openFirebirdDatabase();
  const plugin = renamed(await openFirebird());
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
  let last: string | undefined;
  let tableCount = 0;
  return {
    plugin,
    credentials: credentialsOf(database),
    limits: { years: [1, 9999] },
    mostColumns: 900,
    async fill({ name: wanted, columns, rows }, random: Random) {
      // A plugin caches the description of a table for a minute.
      const name = `${basic(wanted)} ${tableCount++}`;
      if (last !== undefined) await database.run(`drop table ${quote(last)}`);
      last = name;
      const types = columns.map(({ kind }) => random.pick(nativeTypes[kind]));
      const defined = columns.map(
        ({ id }, index) => `${quote(basic(`source.${id}`))} ${types[index]}`,
      );
      await database.run(`create table ${quote(name)} (${defined.join(", ")})`);
      const places = columns.map((_, index) => {
        if (isDouble(types[index])) return "cast(? as double precision) * power(2e0, 60e0)";
        const text = "cast(? as varchar(400) character set utf8)";
        return `cast(${text} as ${types[index]?.replace(/ collate.*/, "")})`;
      });
      const insert = `insert into ${quote(name)} values (${places.join(", ")})`;
      for (const row of rows)
        await database.run(
          insert,
          row.map((cell, at) =>
            isDouble(types[at]) ? cell && Number(cell) * 2 ** -60 : sent(cell, columns[at]!.kind),
          ),
        );
      return tableId({ schema: "", name });
    },
    contents: async () => [
      await database.run(
        "select rdb$relation_name from rdb$relations where rdb$system_flag = 0 order by 1",
      ),
      last === undefined
        ? []
        : (await database.run(`select * from ${quote(last)}`)).map((row) => row.map(String)),
    ],
    async close() {
      await plugin.close?.();
      await database.close();
    },
  };
}

/** Returns whether a column contains doubles. The driver and the server do not convert text to doubles exactly. */
function isDouble(type: string | undefined): boolean {
  return type === "double precision" || type === "float";
}

/** Returns a cell as text that Firebird can cast. Timestamps have four decimals; further digits are cut off. */
function sent(cell: string | number | null, kind: AwkwardColumn["kind"]): string | null {
  if (cell === null) return null;
  const text = Object.is(cell, -0) ? "-0" : String(cell);
  if (kind !== "datetime") return text;
  return text.replace("T", " ").replace("Z", "").slice(0, 24);
}
