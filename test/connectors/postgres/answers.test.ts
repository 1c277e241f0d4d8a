import { open } from "../../../connectors/postgres/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import type { AwkwardColumn } from "../../support/awkward.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase } from "../../support/postgresDatabase.ts";
import type { Random } from "../../support/random.ts";
import { connectorSuite, type ConnectorEngine } from "../connectorSuite.ts";

connectorSuite("connectors/postgres", openEngine);

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: [
    "text",
    "varchar(100)",
    'text collate "C"',
    "text collate sloppy",
    'text collate "en-x-icu"',
    "citext",
    "wordy",
  ],
  whole: ["integer", "smallint", "bigint", "numeric(5)", "float8", "real"],
  big: ["bigint", "numeric(20)", "numeric"],
  decimal: ["numeric(30, 10)", "numeric"],
  double: ["float8"],
  datetime: ["timestamptz", "timestamp"],
  date: ["date"],
};

async function openEngine(): Promise<ConnectorEngine> {
  const database = await openPostgresDatabase();
  await database.run(`
    create extension citext;
    create collation sloppy (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
    create domain wordy as varchar(100) check (value <> 'never');
    create schema "odd.schema";`);
  const plugin = await open({ reach: openReach(), timeoutMs: 30_000, sizeBytes: 2 ** 28 });
  const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const nameOf = (name: string) => `"odd.schema".${quote(name)}`;
  let last: string | undefined;
  return {
    plugin,
    hasColumnSettings: true,
    credentials: database.credentials,
    limits: { nan: true, years: [1000, 9999] },
    statements: {
      all: () => `select * from ${nameOf(last ?? "")}`,
      slow: "select count(*) as n from generate_series(1, 100000) a, generate_series(1, 100000) b",
      hasDoubleColons: true,
    },
    async fill({ name, columns, rows }, random: Random) {
      if (last !== undefined) await database.run(`drop table ${nameOf(last)}`);
      last = name;
      const defined = columns.map(
        ({ id, kind }) => `${quote(`source.${id}`)} ${random.pick(nativeTypes[kind])}`,
      );
      await database.run(`create table ${nameOf(name)} (${defined.join(", ")})`);
      let placeCount = 0;
      const places = rows.map((row) => `(${row.map(() => `$${++placeCount}`).join(", ")})`);
      if (rows.length > 0)
        await database.run(`insert into ${nameOf(name)} values ${places.join(", ")}`, rows.flat());
      return tableId({ schema: "odd.schema", name });
    },
    contents: async () => [
      await database.run("select oid::text, relname from pg_class order by oid"),
      last === undefined ? [] : await database.run(`select t::text from ${nameOf(last)} t`),
    ],
    async close() {
      await plugin.close?.();
      await database.close();
    },
  };
}
