import { open } from "../../../connectors/clickhouse/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import type { AwkwardColumn } from "../../support/awkward.ts";
import { runStatement, type ClickhouseDatabase } from "../../support/clickhouseDatabase.ts";
import type { ClickhouseServer } from "../../support/clickhouseServer.ts";
import { openReach } from "../../support/openReach.ts";
import type { ConnectorEngine } from "../connectorSuite.ts";

const nativeTypes: Readonly<Record<AwkwardColumn["kind"], readonly string[]>> = {
  text: ["Nullable(String)", "LowCardinality(Nullable(String))", "Nullable(FixedString(40))"],
  whole: ["Int8", "Int32", "Int64", "Int128", "Float32", "Decimal(9, 2)"].map(nullable),
  big: ["Int64", "UInt64", "Int128", "UInt256", "Decimal(38, 0)"].map(nullable),
  decimal: ["Decimal(38, 10)", "Decimal(60, 10)"].map(nullable),
  double: ["Float64", "Float32"].map(nullable),
  datetime: ["DateTime64(6)", "DateTime64(6, 'Asia/Tokyo')", "DateTime64(7, 'UTC')"].map(nullable),
  date: ["Date32"].map(nullable),
};

/**
 * Opens the connector on a database. With `shards`, tables are split over the servers of the cluster `pair`, whose
 * first server contains the database.
 */
export async function openClickhouseEngine(
  database: ClickhouseDatabase,
  shards: readonly ClickhouseServer[] = [],
): Promise<ConnectorEngine> {
  const plugin = await open({ reach: openReach(), timeoutMs: 60_000, sizeBytes: 2 ** 28 });
  const { host, port, admin } = database;
  const credentials = {
    host,
    key: admin.name,
    token: admin.password,
    properties: { port: String(port), scope: database.database },
  };
  const onEach = async (statement: string) => {
    for (const shard of shards.length > 0 ? shards : [database])
      await runStatement(shard, statement, database.database);
  };
  let last: string | undefined;
  return {
    plugin,
    hasColumnSettings: true,
    credentials,
    limits: { nan: true, years: [1900, 2299] },
    statements: {
      all: () => `select * from ${last}`,
      slow: "select count() as n from numbers(100000) a, numbers(100000) b where a.number * b.number < 0",
      hasDoubleColons: true,
    },
    async fill({ name, columns, rows }, random) {
      if (last !== undefined) {
        await database.run(`drop table ${last} sync`);
        if (shards.length > 0) await onEach("drop table part sync");
      }
      last = quoted(name);
      // For a minute, the connector caches the description of an earlier table with this name.
      await plugin.release?.(credentials);
      const defined = columns.map(
        ({ id, kind }) => `${quoted(`source.${id}`)} ${random.pick(nativeTypes[kind])}`,
      );
      const order = random.pick(["tuple()", ...columns.map(({ id }) => quoted(`source.${id}`))]);
      const part = shards.length > 0 ? "part" : last;
      await onEach(
        `create table ${part} (${defined.join(", ")}) engine = MergeTree order by ${order}
         settings allow_nullable_key = 1, index_granularity = 16`,
      );
      if (shards.length > 0)
        await database.run(
          `create table ${last} as part engine = Distributed(pair, ${database.database}, part, rand())`,
        );
      const values = rows.map(
        (row) => `(${row.map((value, index) => literal(value, columns[index]!)).join(", ")})`,
      );
      const settings = "settings distributed_foreground_insert = 1";
      if (values.length > 0)
        await database.run(`insert into ${last} ${settings} values ${values.join(", ")}`);
      return tableId({ schema: database.database, name });
    },
    contents: async () => [
      await database.run("show tables"),
      last === undefined ? "" : await database.run(`select * from ${last} order by all`),
    ],
    async close() {
      await plugin.close?.();
      await database.close();
    },
  };
}

function nullable(type: string): string {
  return `Nullable(${type})`;
}

function quoted(name: string): string {
  return `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``;
}

function literal(value: string | number | null, { kind }: AwkwardColumn): string {
  if (value === null) return "NULL";
  const text = Object.is(value, -0) ? "-0." : String(value);
  switch (kind) {
    case "text":
      return `unhex('${Buffer.from(text).toString("hex")}')`;
    case "datetime": {
      // The server reads a datetime without zone on its own clock.
      if (!text.endsWith("Z")) return `'${text}'`;
      const digits = text.slice(20, 26);
      const seconds = BigInt(Date.parse(`${text.slice(0, 19)}Z`) / 1000);
      return `fromUnixTimestamp64Micro(toInt64(${seconds * 1_000_000n + BigInt(digits)}))`;
    }
    case "double":
      return text.replace("Infinity", "inf");
    case "big":
    case "date":
    case "decimal":
    case "whole":
      return `'${text}'`;
  }
}
