import * as assert from "uvu/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Knex } from "knex";
import { openCatalog } from "../../../core/catalog/index.ts";
import { openTestCatalog, silentLog as log } from "../../support/catalog.ts";
import { fillDataFolder } from "../../support/fillDataFolder.ts";
import { suite } from "../../support/suite.ts";

suite("core/catalog/catalog", (test) => {
  let dataDir: string;
  test.before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "manifold-catalog-"));
    await fillDataFolder(dataDir);
  });
  test.after(() => rm(dataDir, { recursive: true, force: true }));

  const open = () => openCatalog({ databaseUrl: undefined, dataDir, log });

  test("a catalog that is reopened in its data folder still contains its records", async () => {
    const first = await open();
    await first.ready();
    await first.knex.raw(
      `insert into organization (id, name, created_at, updated_at)
       values (gen_random_uuid(), '{}', now(), now())`,
    );
    await first.close();
    await first.close();
    await first.ready().then(
      () => assert.unreachable(),
      (failure: Error) => assert.instance(failure, Error),
    );
    const second = await open();
    assert.is((await second.knex("organization").select("id")).length, 1);
    // The last test of this suite needs this row. Another start of the server would only write it.
    await second.knex("migration").insert({ name: "999_future" });
    await second.close();
  });

  test("calls that only read get a connection even while transactions wait for a connection", async () => {
    const catalog = await openTestCatalog();
    const held: Knex.Transaction[] = [];
    for (let count = 0; count < 10; count++) held.push(await catalog.transactions.transaction());
    assert.equal(await catalog.knex("organization").select("id"), []);
    for (const transaction of held) await transaction.rollback();
    await catalog.close();
  });

  test("the error for a failed SQL statement contains the server's message but not the statement or its values", async () => {
    const catalog = await openTestCatalog();
    const { knex } = catalog;
    const id = "7b2e1a52-6f0c-4a57-9a3e-0f4f1e2d3c4b";
    const insert = () =>
      knex("organization").insert({ id, name: {}, created_at: new Date(), updated_at: new Date() });
    await insert();
    for (const run of [
      () => insert(),
      () =>
        knex.raw("select 'a-canary'::uuid as canary_column where ? = 'a-canary-too'", ["\u0000"]),
      () => catalog.transactions.transaction((each) => each.raw("select canary_column")),
    ])
      await run().then(
        () => assert.unreachable(),
        (failure: Error) => {
          const logged = JSON.stringify({
            ...failure,
            message: failure.message,
            stack: failure.stack,
          });
          assert.not.match(logged, /insert into|select |a-canary-too|4a57-9a3e/i);
          assert.ok(failure.message.length > 0);
        },
      );
    await catalog.close();
  });

  test("if the catalog's schema is refused, the embedded server stops", async () => {
    for (let attempt = 0; attempt < 2; attempt++)
      await open().then(
        () => assert.unreachable(),
        (failure: Error) => assert.match(failure.message, /changed by a newer version/),
      );
  });
});
