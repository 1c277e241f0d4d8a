import { randomUUID } from "node:crypto";
import * as assert from "uvu/assert";
import { declarations } from "../../../../core/resources/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

/** A suborganization name of the maximum length. It cannot be compressed, so it is too long for an index entry. */
const longest = Array.from({ length: 1_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
).join("");

suite("core/catalog/schema/sharing", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
  });
  test.after(() => catalog.close());

  test("an index finds users by a suborganization name of the maximum length", async () => {
    const now = new Date();
    const row = { id: randomUUID(), email: "u@example.org", created_at: now, updated_at: now };
    await catalog.knex("user").insert({ ...row, suborganization: longest });
    const found = await catalog.knex("user").where({ suborganization: longest }).pluck("id");
    assert.equal(found, [row.id]);
  });

  test("an index returns the records that are shared with a user, group or integration, with their rights", async () => {
    const { rows } = await catalog.knex.raw(
      `select x.indrelid::regclass::text as table, x.indnkeyatts as keys, array_agg(a.attname::text order by k.at) as columns
         from pg_index x cross join lateral unnest(x.indkey::int[]) with ordinality k(number, at)
         join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number
        where x.indpred is null group by x.indexrelid, x.indrelid, x.indnkeyatts`,
    );
    const indexes = rows as { table: string; keys: number; columns: string[] }[];
    let checked = 0;
    for (const name of ["securable", "account", "collection", "formula", "integration"])
      for (const association of Object.values(declarations.get(name)?.associations ?? {})) {
        if (association.kind !== "through" || !association.link.flags) continue;
        if (!["user", "group", "integration"].includes(association.resource)) continue;
        const { link, ownKey, otherKey } = association;
        const isServed = indexes.some(
          ({ table, columns }) =>
            table === link.table &&
            columns[0] === otherKey &&
            columns[1] === ownKey &&
            (link.flags ?? []).every((flag) => columns.includes(flag)),
        );
        assert.ok(isServed, `${link.table} by ${otherKey}`);
        checked += 1;
      }
    assert.is(checked, 11);
  });
});
