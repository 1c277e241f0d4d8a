import * as assert from "uvu/assert";
import { migrate } from "../../../../core/catalog/migrate.ts";
import { migrations } from "../../../../core/catalog/migrations/index.ts";
import { declarations } from "../../../../core/resources/index.ts";
import { fillCatalog, sizeOf } from "../../../bench/catalog/fillCatalog.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const previous = migrations.slice(
  0,
  migrations.findIndex(({ name }) => name === "005Indexes"),
);
const step = migrations[previous.length];

const columnCount = rounds({ quick: 2_000, deep: 10_000 });

/** A suborganization as long as it may be, of characters that neither compress nor fit into an index. */
const longest = Array.from({ length: 1_000 }, (_, index) =>
  String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
).join("");

suite("core/catalog/migrations/005Indexes", (test) => {
  let catalog: TestCatalog;
  test.before(async () => {
    catalog = await openTestCatalog();
    await catalog.knex.raw("drop schema public cascade; create schema public");
    await migrate(catalog.knex, previous);
    await fillCatalog(catalog.knex, 1, sizeOf(columnCount));
    await catalog.knex("user").where({ name: "User 3" }).update({ suborganization: longest });
  });
  test.after(() => catalog.close());

  /** The number of rows of each table, with a hash of all that they hold. */
  const contentOf = async () => {
    const { knex } = catalog;
    const tables: string[] = await knex("pg_tables")
      .where({ schemaname: "public" })
      .whereNot("tablename", "migration")
      .orderBy("tablename")
      .pluck("tablename");
    const content: Record<string, unknown> = {};
    for (const table of tables) {
      const { rows } = await knex.raw(
        "select count(*)::int as number, md5(string_agg(t::text, '|' order by t::text)) as hash from ?? t",
        [table],
      );
      content[table] = rows[0];
    }
    return content;
  };

  const indexesOf = async () => {
    const { rows } = await catalog.knex.raw(
      `select i.relname as name, x.indisvalid as valid, x.indrelid::regclass::text as table, a.attname as first
         from pg_index x join pg_class i on i.oid = x.indexrelid
         join pg_attribute a on a.attrelid = x.indrelid and a.attnum = x.indkey[0]
         join pg_class t on t.oid = x.indrelid
        where t.relnamespace = 'public'::regnamespace`,
    );
    return rows as { name: string; valid: boolean; table: string; first: string }[];
  };

  test("takes a catalog of the version before with all that it holds, and leaves an index where one was", async () => {
    const before = await contentOf();
    assert.ok(
      Object.values(before).filter((each) => (each as { number: number }).number > 0).length > 20,
    );
    const had = await indexesOf();
    assert.ok(step);
    await migrate(catalog.knex, [...previous, step]);
    assert.equal(await contentOf(), before);
    const has = await indexesOf();
    assert.ok(has.length > had.length);
    assert.equal(
      has.filter(({ valid }) => !valid),
      [],
    );
    const missing = had.filter(
      ({ table, first }) => !has.some((each) => each.table === table && each.first === first),
    );
    assert.equal(missing, []);
  });

  test("leads from every user, group and integration to what it was given, with the rights, by one index", async () => {
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

  test("is followed by every later version", async () => {
    await migrate(catalog.knex);
    const applied: string[] = await catalog.knex("migration").pluck("name");
    assert.equal(applied.toSorted(), migrations.map(({ name }) => name).toSorted());
    const { rows } = await catalog.knex.raw('select count(*)::int as number from "column"');
    assert.equal(rows, [{ number: columnCount }]);
  });
});
