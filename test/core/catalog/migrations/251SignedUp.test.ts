import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { migrate } from "../../../../core/catalog/migrate.ts";
import { migrations } from "../../../../core/catalog/migrations/index.ts";
import { openTestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

suite("core/catalog/migrations/251SignedUp", (test) => {
  test("all existing organizations but the first count as signed up", async () => {
    const catalog = await openTestCatalog();
    try {
      const { knex } = catalog;
      await knex.raw("drop schema public cascade; create schema public");
      const step = migrations.findIndex(({ name }) => name === "251SignedUp");
      await migrate(knex, migrations.slice(0, step));
      const ids = ["2026-01-02", "2026-01-01", "2026-01-03"].map((created_at) => ({
        id: randomUUID(),
        created_at,
        updated_at: created_at,
      }));
      for (const { id, ...times } of ids) {
        await knex("organization").insert({ id, name: { en: "O" }, ...times });
        const user_id = randomUUID();
        await knex("user").insert({ id: user_id, email: `${user_id}@example.org`, ...times });
        await knex("organization_user").insert({ organization_id: id, user_id, flagOwn: true });
      }
      await migrate(knex);
      const first: { id: string }[] = await knex("organization").where({ signed_up: false });
      assert.equal(
        first.map(({ id }) => id),
        [ids[1]?.id],
      );
      // A host of the release before names no such column.
      const later = randomUUID();
      const now = { created_at: new Date(), updated_at: new Date() };
      await knex("organization").insert({ id: later, name: { en: "L" }, ...now });
      const row: { signed_up: boolean } = await knex("organization").where({ id: later }).first();
      assert.is(row.signed_up, true);
    } finally {
      await catalog.close();
    }
  });
});
