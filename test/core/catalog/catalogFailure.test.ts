import knexOf from "knex";
import * as assert from "uvu/assert";
import { notingClient } from "../../../core/catalog/catalogFailure.ts";
import { catalogFailureOf } from "../../../core/catalog/index.ts";
import { openTestCatalog, type TestCatalog } from "../../support/catalog.ts";
import { openFakeApp, send } from "../../support/fakeApp.ts";
import { suite } from "../../support/suite.ts";

suite("core/catalog/catalogFailure", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  const raise = (state: string) => `do $$ begin raise sqlstate '${state}'; end $$`;
  const failureOf = (statement: string, pool: "knex" | "transactions" = "knex"): Promise<unknown> =>
    catalog[pool].raw(statement).then(
      () => assert.unreachable("the statement succeeded"),
      (failure: unknown) => failure,
    );

  test("failures of an unavailable or full database are distinguished from faulty SQL statements", async () => {
    for (const [state, kind] of [
      ["57P01", "unavailable"],
      ["57P03", "unavailable"],
      ["53300", "unavailable"],
      ["58030", "unavailable"],
      ["53100", "full"],
      ["23505", undefined],
      ["08P01", undefined],
      ["57014", undefined],
    ] as const)
      assert.is(catalogFailureOf(await failureOf(raise(state))), kind, state);
    assert.is(catalogFailureOf(await failureOf("select nonsense")), undefined);
    const inTransaction = await catalog.transactions
      .transaction((transaction) => transaction.raw(raise("53100")))
      .catch((failure: unknown) => failure);
    assert.is(catalogFailureOf(inTransaction), "full");
    assert.is(catalogFailureOf(new Error("wrapped", { cause: inTransaction })), "full");
  });

  test("every error of a broken connection counts as an unavailable database", async () => {
    const { client } = knexOf({ client: notingClient() });
    for (const code of ["EPIPE", "ECONNRESET", "ENOENT", undefined]) {
      const broken = Object.assign(new Error("the connection broke"), { code });
      const query = (_config: unknown, done: (failure: Error) => void) => done(broken);
      const failure = await client._query({ query }, { sql: "select 1" }).then(
        () => assert.unreachable("the statement succeeded"),
        (thrown: unknown) => thrown,
      );
      assert.is(catalogFailureOf(failure), "unavailable", String(code));
    }
  });

  test("calls fail with 507 if the catalog's disk is full, and with 503 if its database is unavailable", async () => {
    for (const [state, status, code] of [
      ["53100", 507, "CATALOG_FULL"],
      ["57P01", 503, "CATALOG_UNAVAILABLE"],
    ] as const) {
      const failure = await failureOf(raise(state));
      const get = async () => {
        throw failure;
      };
      const app = await openFakeApp({ handlers: new Map([["data", { get }]]) });
      const body = JSON.stringify({ action: "get", key: "K", token: "T" });
      const answer = await send(`${app.url}/0.1.0/data`, { body });
      await app.close();
      assert.is(answer.status, status);
      assert.is((answer.json() as { type: { code: string } }).type.code, code);
      assert.is(answer.headers["retry-after"], status === 503 ? "2" : undefined);
      assert.not.match(JSON.stringify(answer.json()), /sqlstate|do \$\$/);
    }
  });

  test("failures of connections to other databases do not count as failures of the catalog", async () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    assert.is(catalogFailureOf(refused), undefined);
    const ended = await failureOf("select pg_terminate_backend(pg_backend_pid())");
    assert.is(catalogFailureOf(ended), "unavailable");
  });
});
