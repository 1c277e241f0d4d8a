import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { migrate } from "../../../../core/catalog/migrate.ts";
import { migrations } from "../../../../core/catalog/migrations/index.ts";
import { createClient } from "../../../../core/web/client/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";
import { brokenBy, type KeptSchema, schemaOf } from "./schemaOf.ts";

/**
 * The columns of the catalog as the release before this one reads and writes them. At a release it is written anew:
 * KEEP_SCHEMA=1 npm test -- core/catalog/migrations/sideBySide.
 */
const kept = join(import.meta.dirname, "kept/schema.json");

suite("core/catalog/migrations: two versions side by side", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  test("no step takes away what the release before reads or writes, unless it says that it contracts", async () => {
    if (process.env["KEEP_SCHEMA"])
      writeFileSync(kept, `${JSON.stringify(await schemaOf(catalog.knex), null, 2)}\n`);
    const before: KeptSchema = JSON.parse(readFileSync(kept, "utf8"));
    assert.ok(Object.keys(before).length > 50);
    const problems = brokenBy(before, await schemaOf(catalog.knex));
    const contracting = migrations.filter(({ contracts }) => contracts);
    assert.equal(contracting.length > 0 ? [] : problems, []);
  });

  const breaches = [
    ['alter table tag rename column tag to "text"', ["tag.tag is gone", "tag.text is new"]],
    ["drop table outbox", ["the table outbox is gone"]],
    ["alter table tag alter column tag type varchar(9)", ["tag.tag was text and is"]],
    ["alter table tag add column colour text not null", ["tag.colour is new"]],
    ["alter table outbox alter column problem set not null", ["outbox.problem could be null"]],
    [
      "alter table outbox alter column created_at drop default",
      ["outbox.created_at had a default"],
    ],
    ["alter table tag add column colour text not null default ''", []],
    ["alter table tag add column colour text", []],
    ["create table colour (id uuid primary key)", []],
  ] as const;
  for (const [change, expected] of breaches)
    test(`a planted step is ${expected.length > 0 ? "refused" : "taken"}: ${change}`, async () => {
      const transaction = await catalog.knex.transaction();
      const before = await schemaOf(transaction);
      await transaction.raw(change);
      const problems = brokenBy(before, await schemaOf(transaction));
      await transaction.rollback();
      const found = problems.filter((each) => expected.some((start) => each.startsWith(start)));
      assert.equal(found.length, expected.length, problems.join());
      assert.is(problems.length, found.length, problems.join());
    });

  test.deep(
    "this version serves on a catalog that a later one has added to, and leaves its steps alone",
    async () => {
      const later = {
        name: "900_later",
        async up(knex: Parameters<(typeof migrations)[number]["up"]>[0]) {
          await knex.raw(`
          alter table securable add column colour text not null default 'none';
          alter table outbox add column urgency integer;
          create table colour (id uuid primary key);`);
        },
      };
      await migrate(catalog.knex, [...migrations, later]);
      const host = await openTestHost({ databaseUrl: catalog.databaseUrl, warmUp: false });
      try {
        const { key = "", token = "" } = host.madeCredentials ?? {};
        const client = createClient({ url: host.url, key, token });
        const pushed = await client.create<{ rows: { id: string }[] }>("data", {
          type: "create",
          data: [["a", 1]],
        });
        const id = String(pushed.rows[0]?.id);
        await client.update("securable", id, { name: { en: "Cities" } });
        const row = await catalog.knex("securable").where({ id }).first("colour");
        assert.is(row.colour, "none");
        await client.delete("securable", id);
      } finally {
        await host.close();
      }
      assert.is((await catalog.knex("migration").where({ name: "900_later" })).length, 1);
    },
  );
});
