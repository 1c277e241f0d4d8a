import * as assert from "uvu/assert";
import { migrate } from "../../../../core/catalog/migrate.ts";
import { migrations } from "../../../../core/catalog/migrations/index.ts";
import { createClient } from "../../../../core/web/client/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { openTestHost } from "../../../support/openTestHost.ts";
import { suite } from "../../../support/suite.ts";
import { latestKeptSchema } from "./keptSchemas.ts";
import { brokenBy, schemaFacts } from "./schemaFacts.ts";

suite("core/catalog/migrations: two versions side by side", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  test("only migrations marked as contracting remove something that the previous release uses", async () => {
    const before = latestKeptSchema();
    assert.ok(Object.keys(before).length > 1_000);
    const problems = brokenBy(before, await schemaFacts(catalog.knex));
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
    test(`this migration is ${expected.length > 0 ? "refused" : "accepted"}: ${change}`, async () => {
      const transaction = await catalog.knex.transaction();
      const before = await schemaFacts(transaction);
      await transaction.raw(change);
      const problems = brokenBy(before, await schemaFacts(transaction));
      await transaction.rollback();
      const found = problems.filter((each) => expected.some((start) => each.startsWith(start)));
      assert.equal(found.length, expected.length, problems.join());
      assert.is(problems.length, found.length, problems.join());
    });

  test.deep(
    "a host can use a catalog that a later version has extended, and keeps the recorded migrations",
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
