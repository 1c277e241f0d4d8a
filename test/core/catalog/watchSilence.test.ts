import knexOf, { type Knex } from "knex";
import * as assert from "uvu/assert";
import { notingClient } from "../../../core/catalog/catalogFailure.ts";
import { catalogFailureOf } from "../../../core/catalog/index.ts";
import { watchSilence } from "../../../core/catalog/watchSilence.ts";
import { eventually } from "../../support/eventually.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { openProxy, type Proxy } from "../../support/openProxy.ts";
import { suite } from "../../support/suite.ts";
import { silentLog } from "../../support/testServer.ts";

suite("core/catalog/watchSilence", (test) => {
  let catalog: TestCatalog;
  let way: Proxy;
  const pools: Knex[] = [];
  /** A pool that connects through the proxy. Its watch queries the server either through the proxy or directly. */
  let through: Knex;
  let past: Knex;
  /** A pool that connects through the proxy and has longer deadlines. */
  let patient: Knex;
  test.before(async () => {
    catalog = await openTestCatalog();
    const url = new URL(catalog.databaseUrl);
    const folder = decodeURIComponent(url.host.split(":")[0] ?? "");
    way = await openProxy({ path: `${folder}/.s.PGSQL.5432` });
    const connectionString = `postgresql://${url.username}:${url.password}@127.0.0.1:${way.port}${url.pathname}`;
    const open = (url: string, silentMs = 50, answerMs = 1_000) => {
      const address = { connectionString: url };
      const watch = watchSilence({ address, log: silentLog, silentMs, answerMs });
      const pool = knexOf({
        client: notingClient({ watch }),
        connection: { connectionString, connectionTimeoutMillis: 30_000 },
        pool: { min: 0, max: 1 },
      });
      pools.push(pool);
      return pool;
    };
    through = open(connectionString);
    past = open(catalog.databaseUrl);
    patient = open(connectionString, 250, 30_000);
  });
  test.after(async () => {
    way.stall(false);
    for (const pool of pools) await pool.destroy();
    await way.close();
    await catalog.close();
  });
  const failureOf = (statement: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(statement).then(
      () => assert.unreachable("the statement succeeded"),
      (failure: unknown) => failure,
    );

  /** Waits until the server responds, because a server that is busy for 50 ms also counts as silent. */
  const answers = (pool: Knex) =>
    eventually(
      () =>
        pool.raw("select 1").then(
          () => true,
          () => false,
        ),
      "the database responds",
    );

  test("a slow SQL statement is not interrupted, even in a transaction", async () => {
    await patient.raw("select 1");
    const before = way.madeCount;
    await patient.raw("select pg_sleep(0.6)");
    await patient.transaction((transaction) => transaction.raw("select pg_sleep(0.6)"));
    assert.ok(way.madeCount > before, "the server was queried for its running statements");
  });

  for (const direction of ["requests", "answers", true] as const)
    test(`while a network silently loses ${direction === true ? "all messages" : direction}, the database counts as unavailable`, async () => {
      for (const pool of [through, past]) {
        await answers(pool);
        way.stall(direction);
        const failure = await failureOf(pool.raw("select 1"));
        way.stall(false);
        assert.is(catalogFailureOf(failure), "unavailable");
        await answers(pool);
      }
    });

  test("a transaction without a response fails, and its connection is not used again", async () => {
    await answers(past);
    const failure = await failureOf(
      past.transaction(async (transaction) => {
        await transaction.raw("select 1");
        way.stall("answers");
        await transaction.raw("select 2");
      }),
    );
    way.stall(false);
    assert.is(catalogFailureOf(failure), "unavailable");
    await answers(past);
  });
});
