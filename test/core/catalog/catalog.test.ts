import * as assert from "uvu/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Knex } from "knex";
import { openCatalog } from "../../../core/catalog/index.ts";
import { silentLog as log } from "../../support/catalog.ts";
import { suite } from "../../support/suite.ts";

suite("core/catalog/catalog", (test) => {
  let dataDir: string;
  test.before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "manifold-catalog-"));
  });
  test.after(() => rm(dataDir, { recursive: true, force: true }));

  const open = () => openCatalog({ databaseUrl: undefined, dataDir, log });

  test("keeps its records in the data folder, and closes twice without harm", async () => {
    const first = await open();
    await first.ready();
    await first.knex.raw(
      "insert into organization values (gen_random_uuid(), '{}', null, now(), now())",
    );
    await first.close();
    await first.close();
    await first.ready().then(
      () => assert.unreachable(),
      (failure: Error) => assert.instance(failure, Error),
    );
    const second = await open();
    assert.is((await second.knex("organization").select("id")).length, 1);
    await second.close();
  });

  test("transactions that wait hold no connection that a reader needs (reliability R4)", async () => {
    const catalog = await open();
    const held: Knex.Transaction[] = [];
    for (let count = 0; count < 10; count++) held.push(await catalog.transactions.transaction());
    assert.is((await catalog.knex("organization").select("id")).length, 1);
    for (const transaction of held) await transaction.rollback();
    await catalog.close();
  });

  test("leaves no server behind when the schema is refused", async () => {
    const first = await open();
    await first.knex("migration").insert({ name: "999_future" });
    await first.close();
    for (let attempt = 0; attempt < 2; attempt++)
      await open().then(
        () => assert.unreachable(),
        (failure: Error) => assert.match(failure.message, /newer than this version/),
      );
  });
});
