import { setTimeout as sleep } from "node:timers/promises";
import * as assert from "uvu/assert";
import pg from "pg";
import { open } from "../../../connectors/postgres/index.ts";
import type { Credentials, Plugin, Query } from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";

const setUp = `
create table t (id int, word text);
insert into t select i, 'word ' || i from generate_series(1, 5000) i;
create view endless as select i, pg_sleep(0.01)::text as slept, repeat('x', 1000) as filler
  from generate_series(1, 1000000) i;
create view still as select pg_sleep(60)::text as slept;`;

suite("connectors/postgres when something fails", (test) => {
  let database: PostgresDatabase;
  let plugin: Plugin;
  const opened: Plugin[] = [];
  const openPlugin = async (timeoutMs = 20_000, sizeBytes = 2 ** 26) => {
    const made = await open({ reach: openReach(), timeoutMs, sizeBytes });
    opened.push(made);
    return made;
  };
  const query = (id: string, columnIds: readonly string[]): Query => ({
    id,
    columns: columnIds.map((column_id) => ({ column_id })),
    filters: [],
    options: { pushdown: false },
  });
  const ask = (
    asked: Query,
    {
      by = plugin,
      signal = new AbortController().signal,
      credentials = database.credentials,
    }: { by?: Plugin; signal?: AbortSignal; credentials?: Credentials } = {},
  ) => by.query({ credentials, signal, query: asked });
  /** Statements that the connector has running, and its connections. */
  const atServer = async () => {
    const [row] = await database.run(
      `select count(*) filter (where state = 'active')::int, count(*)::int from pg_stat_activity
       where datname = current_database() and application_name = 'manifold'`,
    );
    return { running: Number(row?.[0]), connections: Number(row?.[1]) };
  };
  const until = async (isReached: () => Promise<boolean>, what: string) => {
    for (let round = 0; round < 500; round++) {
      if (await isReached()) return;
      await sleep(20);
    }
    throw new Error(`not reached: ${what}`);
  };
  const isRunning = async () => (await atServer()).running > 0;

  test.before(async () => {
    database = await openPostgresDatabase();
    await database.run(setUp);
    plugin = await openPlugin();
  });
  test.after(async () => {
    await Promise.all(opened.map((each) => each.close?.()));
    await until(async () => (await atServer()).connections === 0, "no connection is left");
    await database.close();
  });

  for (const [id, columnIds] of [
    ["public.endless", ["slept", "filler"]],
    ["public.still", ["slept"]],
  ] as const)
    test(`a cancelled call of ${id} ends the statement at the server`, async () => {
      const leaving = new AbortController();
      const asking = ask(query(id, columnIds), { signal: leaving.signal }).catch(
        (reason: unknown) => reason,
      );
      await until(isRunning, "the statement runs");
      leaving.abort(new Error("the client left"));
      assert.match(String(await asking), "the client left");
      await until(async () => !(await isRunning()), "the statement ended");
    });

  test("a call whose connection the server ends fails, and the next one gets another", async () => {
    const asking = failureOf(ask(query("public.endless", ["slept"])));
    await until(isRunning, "the statement runs");
    await database.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'manifold'`,
    );
    const failure = await asking;
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, "PostgreSQL");
    assert.is((await ask(query("public.t", ["id"]))).rowCount, 5000);
  });

  test("an idle connection that the server ended is not used again", async () => {
    await ask(query("public.t", ["id"]));
    await database.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'manifold'`,
    );
    await until(async () => (await atServer()).connections === 0, "the connections ended");
    assert.is((await ask(query("public.t", ["id"]))).rowCount, 5000);
  });

  test("a statement that takes too long is PLUGIN_TIMEOUT", async () => {
    const hasty = await openPlugin(1500);
    const failure = await failureOf(ask(query("public.still", ["slept"]), { by: hasty }));
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    await until(async () => !(await isRunning()), "the statement ended");
  });

  test("a lock that another holds is PLUGIN_TIMEOUT", async () => {
    const hasty = await openPlugin(1500);
    await ask(query("public.t", ["id"]), { by: hasty });
    await database.run("begin; lock table t in access exclusive mode");
    try {
      const failure = await failureOf(ask(query("public.t", ["id"]), { by: hasty }));
      assert.is(failure.code, "PLUGIN_TIMEOUT");
    } finally {
      await database.run("rollback");
    }
  });

  test("more calls than connections wait, and are busy after the deadline", async () => {
    const hasty = await openPlugin(1500);
    const leaving = new AbortController();
    const long = Array.from({ length: 8 }, () =>
      ask(query("public.endless", ["slept"]), { by: hasty, signal: leaving.signal }).catch(
        () => undefined,
      ),
    );
    const failure = await failureOf(ask(query("public.t", ["id"]), { by: hasty }));
    assert.ok(["PLUGIN_BUSY", "PLUGIN_TIMEOUT"].includes(failure.code), failure.code);
    leaving.abort();
    await Promise.all(long);
    assert.is((await ask(query("public.t", ["id"]), { by: hasty })).rowCount, 5000);
  });

  test("a wrong password is PLUGIN_FORBIDDEN, and no message has it", async () => {
    await database.run("drop role if exists guarded; create role guarded login password 'right'");
    const { host, port } = database.server;
    const client = new pg.Client({ host, port, user: "guarded", password: "wrong-secret" });
    client.on("error", () => undefined);
    // The embedded server may trust its own socket; then no password is wrong.
    const isChecked = await client.connect().then(
      () => client.end().then(() => false),
      (failure: Error) => !failure.message.includes("does not exist"),
    );
    assert.ok(isChecked, "the server checks passwords");
    const credentials = { ...database.credentials, key: "guarded", token: "wrong-secret" };
    const call = { credentials, signal: new AbortController().signal };
    const failure = await failureOf(plugin.authorize!(call));
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.not.match(JSON.stringify([failure.message, failure.details]), "wrong-secret");
  });

  test("a server that does not answer, and a database that is not there, are named", async () => {
    const { host: _, ...own } = database.credentials;
    const nobody = { ...own, host: "127.0.0.1", properties: { port: "1", scope: "x" } };
    const failure = await failureOf(ask(query("public.t", ["id"]), { credentials: nobody }));
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, "ECONNREFUSED");
    const { properties } = database.credentials;
    const other = { ...database.credentials, properties: { ...properties, scope: "no such db" } };
    const missing = await failureOf(ask(query("public.t", ["id"]), { credentials: other }));
    assert.is(missing.code, "PLUGIN_INVALID");
    assert.match(missing.message, "no such db");
  });

  test("a table that was dropped, and columns that went or changed, are seen at the next call", async () => {
    await database.run("create table moving (a int, b text); insert into moving values (1, 'x')");
    const both = query("public.moving", ["a", "b"]);
    assert.is((await ask(both)).rowCount, 1);
    await database.run("alter table moving alter a type text using 'now ' || a");
    const { columns } = await ask(both);
    assert.is(columns[0]?.type, "hierarchy");
    await database.run("alter table moving drop b");
    const column = await failureOf(ask(both));
    assert.is(column.code, "PLUGIN_UNKNOWN_COLUMN");
    assert.equal(column.details, ["public.moving", "b"]);
    await database.run("drop table moving");
    const table = await failureOf(ask(both));
    assert.is(table.code, "PLUGIN_UNKNOWN_DATASET");
  });

  test("an answer of too many bytes is refused while it streams", async () => {
    const small = await openPlugin(20_000, 20_000);
    const failure = await failureOf(ask(query("public.t", ["word"]), { by: small }));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, "20000 bytes");
    await until(async () => !(await isRunning()), "the statement ended");
  });

  test("a view that writes is refused: sessions only read", async () => {
    await database.run(`
      create function note() returns int language sql volatile as
        'insert into t values (-1, ''written'') returning 1';
      create view writing as select note() as n`);
    const failure = await failureOf(ask(query("public.writing", ["n"])));
    assert.match(failure.message, "read-only");
    const rows = await database.run("select count(*)::int from t where id = -1");
    assert.equal(rows, [[0]]);
  });

  test("a table of 1,600 columns is described and read", async () => {
    const names = Array.from({ length: 1600 }, (_, index) => `c${index}`);
    await database.run(`create table wide (${names.map((name) => `${name} int`).join(", ")})`);
    await database.run(`insert into wide (c0, c1599) values (1, 2)`);
    const { columns } = await ask(query("public.wide", names));
    assert.is(columns.length, 1600);
    const last = columns[1599];
    assert.is(last?.type === "numeric" ? last.values[0] : undefined, 2);
  });
});
