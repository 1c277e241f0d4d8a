import * as assert from "uvu/assert";
import { open } from "../../../connectors/clickhouse/index.ts";
import { readingOf } from "../../../connectors/clickhouse/types.ts";
import { rowsOfBatch } from "../../../plugins/protocol/index.ts";
import { clickhouseSuite, openClickhouseDatabase } from "../../support/clickhouseDatabase.ts";
import { openReach } from "../../support/openReach.ts";

/** Types that are read as strings, each with a value and its cell. */
const examples: Readonly<Record<string, readonly [value: string, cell: string]>> = {
  Bool: ["true", "true"],
  "Enum('a' = 1)": ["'a'", "a"],
  "Enum8('a' = 1)": ["'a'", "a"],
  "Enum16('a' = 1)": ["'a'", "a"],
  IPv4: ["'10.0.0.1'", "10.0.0.1"],
  IPv6: ["'2001:db8::1'", "2001:db8::1"],
  Time: ["3661", "01:01:01"],
  "Time64(3)": ["3661", "01:01:01.000"],
  "Variant(String, UInt8)": ["'x'", "x"],
  Dynamic: ["'x'", "x"],
  IntervalNanosecond: ["1", "1"],
  IntervalMicrosecond: ["1", "1"],
  IntervalMillisecond: ["1", "1"],
  IntervalSecond: ["1", "1"],
  IntervalMinute: ["1", "1"],
  IntervalHour: ["1", "1"],
  IntervalDay: ["1", "1"],
  IntervalWeek: ["1", "1"],
  IntervalMonth: ["1", "1"],
  IntervalQuarter: ["1", "1"],
  IntervalYear: ["1", "1"],
  "QBit(Float32, 2)": ["[1, 2]", "[1,2]"],
  Geometry: ["cast((1, 2) as Point)", "(1,2)"],
  JSON: [`'{"a":[1,null]}'`, `{"a":[1,null]}`],
};
/** Type names that the server shows under another name, names of wrapper types, and the type that has no values. */
const rewritten = new Set([
  "DateTime32",
  "Decimal32",
  "Decimal64",
  "Decimal128",
  "Decimal256",
  "LowCardinality",
  "Nullable",
  "SimpleAggregateFunction",
  "Nothing",
]);

clickhouseSuite("connectors/clickhouse/tables", (test) => {
  test("tables, views, materialized views and dictionaries are listed, but not streams and system tables", async () => {
    const database = await openClickhouseDatabase();
    const plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
    try {
      for (const statement of [
        "create table plain (id UInt64, given String comment 'A', alias String alias upper(given), draft String ephemeral) engine = MergeTree order by id comment 'what is here'",
        "insert into plain (id, given) values (1, 'a'), (2, 'b')",
        "create view seen as select id + 1 as next from plain",
        "create materialized view kept engine = MergeTree order by id as select id from plain",
        "create table nothing (id UInt64) engine = Null",
        "create dictionary words (id UInt64, given String) primary key id source(clickhouse(table 'plain')) layout(flat()) lifetime(0)",
        "create view limited as select id from plain where id > {low:UInt64} and id < { high : UInt64 } and id <> {low:UInt64}",
        "create table remote (id UInt64) engine = URL('http://127.0.0.1:1/', CSV)",
      ])
        await database.run(statement);
      const { host, port, admin } = database;
      const base = { host, key: admin.name, token: admin.password };
      const { signal } = new AbortController();
      const datasets = await plugin.datasets({
        credentials: { ...base, properties: { port: String(port), scope: database.database } },
        signal,
      });
      assert.equal(
        datasets.map(({ id, kind, description, rows }) => [
          id.split(".")[1],
          kind,
          description?.["en"],
          rows,
        ]),
        [
          ["kept", "materialized view", undefined, 0],
          ["limited", "view", undefined, undefined],
          ["plain", "table", "what is here", 2],
          ["remote", "foreign table", undefined, undefined],
          ["seen", "view", undefined, undefined],
          ["words", "table", undefined, undefined],
        ],
      );
      const limited = datasets.find(({ name }) => name["en"] === "limited")!;
      assert.equal(limited.columns, []);
      assert.match(
        limited.notes?.join() ?? "",
        /has parameters \(low,high\).* limited\(low = …, high = …\)/,
      );
      const plain = datasets.find(({ name }) => name["en"] === "plain")!;
      assert.equal(
        plain.columns.map(({ id }) => id),
        ["id", "given", "alias"],
      );
      const everything = await plugin.datasets({
        credentials: { ...base, properties: { port: String(port) } },
        signal,
      });
      assert.ok(everything.some(({ id }) => id === plain.id));
      assert.not.ok(everything.some(({ id }) => /^(system|information_schema)\./i.test(id)));
    } finally {
      await plugin.close?.();
      await database.close();
    }
  });

  test("every ClickHouse type is read by its own rule or in ClickHouse's text form", async () => {
    const database = await openClickhouseDatabase();
    const plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
    try {
      const families = await database.run(
        "select name from system.data_type_families where alias_to = ''",
      );
      const names = families.trim().split("\n");
      assert.ok(names.length > 40);
      const others = names.filter((name) => readingOf(name)?.kind === "other");
      const known = Object.keys(examples).map((type) => /^\w+/.exec(type)![0]);
      assert.equal(
        others.filter((name) => !known.includes(name) && !rewritten.has(name)),
        [],
      );
      const columns = Object.entries(examples).map(
        ([type, [value]], index) => `cast(${value} as ${type}) as c${index}`,
      );
      await database.run(`create view every as select ${columns.join(", ")}`);
      const { host, port, admin } = database;
      const batch = await plugin.query({
        credentials: {
          host,
          key: admin.name,
          token: admin.password,
          properties: { port: String(port) },
        },
        signal: new AbortController().signal,
        query: {
          id: `${database.database}.every`,
          columns: columns.map((_, index) => ({ column_id: `c${index}` })),
          filters: [],
          options: { pushdown: false },
        },
      });
      assert.equal(
        rowsOfBatch(batch)[0],
        Object.values(examples).map(([, cell]) => cell),
      );
    } finally {
      await plugin.close?.();
      await database.close();
    }
  });
});
