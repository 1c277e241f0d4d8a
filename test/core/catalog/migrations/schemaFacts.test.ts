import * as assert from "uvu/assert";
import { migrate } from "../../../../core/catalog/migrate.ts";
import { migrations } from "../../../../core/catalog/migrations/index.ts";
import { openCatalog } from "../../../../core/catalog/index.ts";
import { openEmptyDatabase, silentLog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";
import { keepSchema, keptSchema } from "./keptSchemas.ts";
import { schemaFacts, type SchemaFacts } from "./schemaFacts.ts";

suite("core/catalog/migrations: the schema", (test) => {
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;
  let catalog: Awaited<ReturnType<typeof openCatalog>>;
  let facts: SchemaFacts;
  test.before(async () => {
    database = await openEmptyDatabase();
    catalog = await openCatalog({
      databaseUrl: database.databaseUrl,
      dataDir: "unused",
      log: silentLog,
      keepsSchema: true,
    });
    await migrate(catalog.knex, migrations.slice(0, 1));
    facts = await schemaFacts(catalog.knex);
    if (!process.env["KEEP_SCHEMA"]) return;
    await migrate(catalog.knex);
    keepSchema(await schemaFacts(catalog.knex));
  });
  test.after(async () => {
    await catalog.close();
    await database.close();
  });

  test("the first migration creates the schema of release 0.1.0", () => {
    assert.equal(facts, keptSchema("0.1.0"));
  });

  const changes = [
    ["drop index tag_by_user_id", "index tag_by_user_id"],
    ["drop index delivery_by_alertevent_id", "index delivery_by_alertevent_id"],
    ["alter table quota drop constraint quota_check", "constraint quota.quota_check"],
    ["alter table share drop constraint share_pkey cascade", "constraint share.share_pkey"],
    ["alter table tag drop column suborganization", "column tag.suborganization"],
    ["alter table alert alter column notify drop default", "column alert.notify"],
    ["alter table alert alter column notify set default 'once'", "column alert.notify"],
    ["alter table tag alter column user_id set not null", "column tag.user_id"],
    ["alter table tag alter column tag type varchar(9)", "column tag.tag"],
    ['drop trigger user_changed on "user"', "trigger user.user_changed"],
    ["alter table tag disable trigger catalog_changed", "trigger tag.catalog_changed"],
    ["drop view organization_role", "view organization_role"],
    ["alter sequence outbox_id_seq increment by 2", "sequence outbox_id_seq"],
    ["delete from access_version", "rows access_version"],
    ["create type colour as enum ('red')", "type colour"],
    ["comment on table tag is 'a word'", "comment table tag"],
    [
      "create function raise_access_version(integer) returns void language sql as ''",
      "function raise_access_version(integer)",
    ],
  ] as const;
  for (const [change, name] of changes)
    test(`the check of the schema detects this change: ${change}`, async () => {
      const transaction = await catalog.knex.transaction();
      try {
        await transaction.raw(change);
        assert.is.not((await schemaFacts(transaction))[name], facts[name]);
      } finally {
        await transaction.rollback();
      }
    });
});
