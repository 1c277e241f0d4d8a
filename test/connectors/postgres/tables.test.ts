import * as assert from "uvu/assert";
import { open } from "../../../connectors/postgres/index.ts";
import {
  PluginError,
  rowsOfBatch,
  type Dataset,
  type Plugin,
  type Query,
} from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { suite } from "../../support/suite.ts";

const setUp = `
create extension citext;
create type mood as enum ('sad', 'ok');
create domain positive as numeric(8, 2) check (value > 0);
create domain small_positive as positive;
create table plain (
  id uuid, feels mood, tags text[], doc jsonb, raw json, at time, span interval, bytes bytea,
  price money, amount small_positive, label citext, fixed char(4), flag boolean
);
comment on table plain is 'one of each';
insert into plain values (
  '6f9619ff-8b86-d011-b42d-00c04fc964ff', 'ok', '{a,"b c"}', '{"b": 1, "a": null}', '[1]',
  '12:34:56.7', '1 day 02:00', '\\x00ff', 12.5, 3.25, 'Abc', 'x', true);
create view seen as select flag from plain;
create materialized view kept as select amount from plain;
create table parted (id int, day date) partition by range (day);
create table parted_2024 partition of parted for values from ('2024-01-01') to ('2025-01-01');
insert into parted values (7, '2024-05-05');
create foreign data wrapper nothing;
create server nowhere foreign data wrapper nothing;
create foreign table far (id bigint) server nowhere;
create table numbered (serial bigint, snowflake bigint, code numeric(18), price numeric(18, 2));
insert into numbered select i, 1090000000000000000 + i, i, i from generate_series(1, 300) i;
create table counted (serial bigint);
analyze numbered;
create schema other;
create table other.hidden (id int, secret text);
create role reader login password 'reader';
grant usage on schema other to reader;
grant select (id) on other.hidden to reader;`;

suite("connectors/postgres/tables", (test) => {
  let database: PostgresDatabase;
  let plugin: Plugin;
  const signal = new AbortController().signal;
  const listed = async (credentials = database.credentials) =>
    plugin.datasets({ credentials, signal });
  const rows = async (dataset: Dataset | undefined, ids?: readonly string[]) => {
    assert.ok(dataset);
    const names = ids ?? dataset.columns.map(({ id }) => id);
    const columns = names.map((column_id) => ({ column_id }));
    const query = { id: dataset.id, columns, filters: [], options: { pushdown: false } };
    return rowsOfBatch(await plugin.query({ credentials: database.credentials, signal, query }));
  };

  test.before(async () => {
    database = await openPostgresDatabase();
    await database.run(setUp);
    plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.run("drop owned by reader; drop role reader");
    await database.close();
  });

  test("tables, views, materialized views, partitioned and foreign tables are listed, but not partitions", async () => {
    const kinds = (await listed()).map(({ id, kind }) => [id, kind]);
    assert.equal(kinds, [
      ["other.hidden", "table"],
      ["public.counted", "table"],
      ["public.far", "foreign table"],
      ["public.kept", "materialized view"],
      ["public.numbered", "table"],
      ["public.parted", "partitioned table"],
      ["public.plain", "table"],
      ["public.seen", "view"],
    ]);
  });

  test("notes about integers follow the statistics of analyzed tables", async () => {
    const datasets = await listed();
    const notesOf = (id: string) =>
      datasets.find((each) => each.id === id)?.notes?.join("\n") ?? "";
    assert.match(notesOf("public.numbered"), /beyond 2\^53 are rounded in "snowflake", so/);
    assert.match(notesOf("public.numbered"), /may be rounded in "price"; only the types/);
    assert.match(notesOf("public.counted"), /may be rounded in "serial"; only the types/);
  });

  test("every kind of listed table or view can be queried, and so can a partition", async () => {
    const datasets = await listed();
    const found = (id: string) => datasets.find((each) => each.id === id);
    assert.equal(await rows(found("public.kept")), [[3.25]]);
    assert.equal(await rows(found("public.seen")), [["true"]]);
    assert.equal(await rows(found("public.parted")), [[7, "2024-05-05T00:00:00.000Z"]]);
    const partition = { id: "public.parted_2024", name: {}, columns: [] };
    assert.equal(await rows(partition, ["id"]), [[7]]);
  });

  test("types other than numbers and datetimes are read as PostgreSQL prints them", async () => {
    const plain = (await listed()).find(({ id }) => id === "public.plain");
    assert.equal(plain?.description, { en: "one of each" });
    assert.equal(
      plain?.columns.filter(({ type }) => type !== "hierarchy").map(({ id }) => id),
      ["price", "amount"],
    );
    assert.is(plain?.columns.find(({ id }) => id === "price")?.subtype, "currency");
    assert.equal(await rows(plain), [
      [
        "6f9619ff-8b86-d011-b42d-00c04fc964ff",
        "ok",
        '{a,"b c"}',
        '{"a": null, "b": 1}',
        "[1]",
        "12:34:56.7",
        "1 day 02:00:00",
        "\\x00ff",
        12.5,
        3.25,
        "Abc",
        "x",
        "true",
      ],
    ]);
  });

  test("a user sees only readable columns, and only the schema that the account names", async () => {
    const reader = { ...database.credentials, key: "reader", token: "reader" };
    const hidden = (await listed(reader)).filter(({ schema }) => schema === "other");
    assert.equal(
      hidden.map(({ columns }) => columns.map(({ id }) => id)),
      [["id"]],
    );
    const { properties } = database.credentials;
    const limited = { ...database.credentials, properties: { ...properties, schema: "other" } };
    assert.equal(
      (await listed(limited)).map(({ id }) => id),
      ["other.hidden"],
    );
    const query = { id: "public.plain", columns: [], filters: [], options: { pushdown: false } };
    const outside = await plugin
      .query({ credentials: limited, signal, query })
      .catch((failure: unknown) => failure);
    assert.is(outside instanceof PluginError ? outside.code : "", "PLUGIN_UNKNOWN_DATASET");
  });

  test("checking a server with UTF8 encoding withdraws no capability", async () => {
    const probed = await plugin.capabilitiesOf?.({ credentials: database.credentials, signal });
    assert.equal(probed?.capabilities, plugin.capabilities);
    assert.equal(probed?.demoted, []);
  });

  test("strings in a LATIN1 database can be read, but the connection has fewer capabilities", async () => {
    const latin = await openPostgresDatabase(
      "encoding 'LATIN1' locale_provider 'libc' locale 'C' template template0",
    );
    try {
      await latin.run("create table t (word text, size int); insert into t values ('é', 1)");
      const call = { credentials: latin.credentials, signal };
      const [dataset] = await plugin.datasets(call);
      const narrowed = dataset?.columns.map((column) => column.narrowed);
      assert.is(narrowed?.[0]?.filters?.["="], "none");
      assert.is(narrowed?.[0]?.order, false);
      assert.is(narrowed?.[1], undefined);
      const columns = [{ column_id: "word" }];
      const query = { id: "public.t", columns, filters: [], options: { pushdown: true } };
      assert.equal(rowsOfBatch(await plugin.query({ ...call, query })), [["é"]]);
      const probed = await plugin.capabilitiesOf?.(call);
      assert.equal(
        probed?.demoted.map(({ capability }) => capability),
        ["filters.operators.like"],
      );
    } finally {
      await plugin.release?.(latin.credentials);
      await latin.close();
    }
  });

  test("only the requested tables are listed, and unknown ids are left out", async () => {
    const only = ["public.seen", "public.plain", "public.unknown", "not a table"];
    const found = await plugin.datasets({ credentials: database.credentials, signal, only });
    assert.equal(
      found.map(({ id }) => id),
      ["public.seen", "public.plain"],
    );
  });

  test("object identifiers and addresses can be read, filtered, grouped and summed as the server prints them", async () => {
    await database.run(`
      create table internals (o oid, class regclass, type regtype, change xid, full_change xid8, place pg_lsn, address inet, net cidr);
      insert into internals values
        (4294967295, 'plain', 'integer', '4294967295', '18446744073709551615', '0/16B3748', '10.0.0.1', '10.0.0.0/8'),
        (7, null, null, '7', null, null, '10.0.0.1/24', '10.0.0.1'),
        (7, null, null, null, null, null, '::1', null), (null, null, null, null, null, null, null, null)`);
    const dataset = (await listed()).find(({ id }) => id === "public.internals");
    assert.equal(await rows(dataset), [
      [
        4_294_967_295,
        "plain",
        "integer",
        "4294967295",
        "18446744073709551615",
        "0/16B3748",
        "10.0.0.1",
        "10.0.0.0/8",
      ],
      [7, null, null, "7", null, null, "10.0.0.1/24", "10.0.0.1/32"],
      [7, null, null, null, null, null, "::1", null],
      [null, null, null, null, null, null, null, null],
    ]);
    const ask = async (query: Pick<Query, "columns"> & Partial<Query>) => {
      const whole = { id: "public.internals", filters: [], options: { pushdown: true }, ...query };
      return rowsOfBatch(
        await plugin.query({ credentials: database.credentials, signal, query: whole }),
      );
    };
    const sum = { column_id: "o", aggregation: "sum" as const };
    assert.equal(await ask({ columns: [sum] }), [[4_294_967_309]]);
    const grouped = {
      columns: [{ column_id: "o" }, sum],
      order: [{ column: 0, order: "asc" as const }],
    };
    assert.equal(await ask(grouped), [
      [7, 14],
      [4_294_967_295, 4_294_967_295],
      [null, null],
    ]);
    const found = async (
      column_id: string,
      expression: "=" | "in" | ">",
      value: (string | number)[],
    ) => (await ask({ columns: [sum], filters: [{ column_id, expression, value }] }))[0]?.[0];
    assert.is(await found("o", "=", [7]), 14);
    assert.is(await found("o", ">", [7]), 4_294_967_295);
    assert.is(await found("address", "=", ["10.0.0.1"]), 4_294_967_295);
    assert.is(await found("address", "in", ["::1", "x"]), 7);
    const credentials = {
      ...database.credentials,
      properties: { ...database.credentials.properties, columns: '{"o": "text"}' },
    };
    const filters = [
      { column_id: "o", expression: "in" as const, value: ["7", "-1", "99999999999"] },
    ];
    const query = {
      id: "public.internals",
      columns: [{ column_id: "o" }],
      filters,
      options: { pushdown: false },
    };
    assert.equal(rowsOfBatch(await plugin.query({ credentials, signal, query })), [["7"], ["7"]]);
  });

  test("a column whose type changed, and a dropped column or table, are named with the way out", async () => {
    await database.run(
      "create table changing (n int, gone int); insert into changing values (1, 2)",
    );
    const dataset = (await listed()).find(({ id }) => id === "public.changing")!;
    const failureOf = async (column_id: string) => {
      const query = {
        id: dataset.id,
        columns: [{ column_id }],
        filters: [],
        options: { pushdown: false },
      };
      const call = { credentials: database.credentials, signal, query, dataset };
      const failure = await plugin.query(call).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      return String(failure);
    };
    assert.is(await failureOf("n"), "undefined");
    await database.run(
      "alter table changing alter n type text using 'n ' || n; alter table changing rename gone to away",
    );
    assert.match(
      await failureOf("n"),
      /no column n of type numeric, because it is now hierarchy \(at the source text\); update the dataset/,
    );
    assert.match(
      await failureOf("gone"),
      /no column gone, which was renamed or dropped at the source/,
    );
    await database.run("drop table changing");
    assert.match(
      await failureOf("n"),
      /no dataset public\.changing; at the source, it was renamed or dropped/,
    );
  });
});
