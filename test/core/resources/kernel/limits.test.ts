import * as assert from "uvu/assert";
import { declarations } from "../../../../core/resources/index.ts";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/kernel/limits", (test) => {
  const tenants = openTenantsFor(test);

  test("the longest allowed tag and the longest hierarchy value fit into their indexes", async () => {
    const { ada, call, make } = tenants;
    const longest = Array.from({ length: 800 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join("");
    const { id } = await call(ada, "tag", "create", { properties: { tag: longest } });
    assert.is((await tenants.rows(ada, "tag", { where: { tag: longest } })).length, 1);
    assert.match(await tenants.refusedBy("tag", { tag: `${longest}x` }), /at most 800 characters/);
    const column = await make(ada, "column");
    const updates = (value: string) => ({ id: column, properties: { updates: [{ id: value }] } });
    await call(ada, "hierarchy", "update", updates(longest));
    const refused = await tenants.refusal(ada, "hierarchy", "update", updates(`${longest}x`));
    assert.match(refused.message, /updates\[0\]\.id .*at most 800 characters/);
    await call(ada, "tag", "delete", { id });
  });

  test("the maximum length of every indexed string member fits into its index", async () => {
    const { rows } = await tenants.catalog.knex.raw(
      `select distinct c.relname as resource, a.attname as member from pg_index i
         join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
         join pg_class x on x.oid = i.indexrelid join pg_am m on m.oid = x.relam
        -- A hash is of any length.
        where n.nspname = 'public' and a.atttypid = 'text'::regtype and m.amname <> 'hash'`,
    );
    let checked = 0;
    for (const { resource, member } of rows as { resource: string; member: string }[]) {
      const field = declarations.get(resource)?.fields[member];
      if (!field || field.on.length === 0 || field.expects.startsWith("one of")) continue;
      if (field.refersTo || member === "slug") continue;
      assert.ok((field.length ?? Infinity) <= 800, `${resource}.${member}`);
      checked++;
    }
    assert.ok(checked > 0);
  });
});
