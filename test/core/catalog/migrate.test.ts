import * as assert from "uvu/assert";
import { openCatalog } from "../../../core/catalog/index.ts";
import { migrate } from "../../../core/catalog/migrate.ts";
import { type Migration, migrations } from "../../../core/catalog/migrations/index.ts";
import { openTestCatalog, silentLog, type TestCatalog } from "../../support/catalog.ts";
import { suite } from "../../support/suite.ts";

const step = (name: string, statement: string): Migration => ({
  name,
  up: async (knex) => void (await knex.raw(statement)),
});

suite("core/catalog/migrate", (test) => {
  let catalog: TestCatalog;
  test.beforeEach(async () => {
    catalog = await openTestCatalog();
  });
  test.afterEach(() => catalog.close());

  const names = async () => catalog.knex("migration").orderBy("name").pluck("name");

  const refusalOf = async () =>
    openCatalog({ databaseUrl: catalog.databaseUrl, dataDir: "unused", log: silentLog }).then(
      async (opened) => {
        await opened.close();
        return "it opened";
      },
      (failure: Error) => failure.message,
    );

  test("each migration runs once, even if hosts start at the same time", async () => {
    const steps = [...migrations, step("900_test", "create table extra (id int primary key)")];
    await Promise.all([
      migrate(catalog.knex, steps),
      migrate(catalog.knex, steps),
      migrate(catalog.knex, steps),
    ]);
    await migrate(catalog.knex, steps);
    assert.equal(await names(), [...migrations.map(({ name }) => name), "900_test"]);
  });

  test("if the last migration of a start fails, all migrations of that start are rolled back", async () => {
    const good = step("900_test", "create table extra (id int primary key)");
    const bad = step("901_test", "create table extra (id int primary key)");
    await migrate(catalog.knex, [...migrations, good, bad]).then(
      () => assert.unreachable(),
      (failure: Error) => assert.match(failure.message, /already exists/),
    );
    assert.equal(
      await names(),
      migrations.map(({ name }) => name),
    );
    assert.not(await catalog.knex.schema.hasTable("extra"));
  });

  test("a host can open a catalog that a newer version has only extended", async () => {
    const added = step("900_test", "alter table securable add column extra text default 'x'");
    await migrate(catalog.knex, [...migrations, added]);
    await migrate(catalog.knex);
    await catalog.knex("migration").where({ name: "900_test" }).update({ expands: false });
    assert.match(
      await migrate(catalog.knex).then(
        () => "",
        (failure: Error) => failure.message,
      ),
      /newer version of manifold \(steps 900_test\)/,
    );
  });

  test("earlier versions refuse a catalog once a migration has removed something from the catalog", async () => {
    const contracting = { ...step("900_test", "select 1"), contracts: true } as const;
    await migrate(catalog.knex, [...migrations, contracting]);
    const [row] = await catalog.knex("migration").where({ name: "900_test" });
    assert.is(row?.["expands"], false);
    const [added] = await catalog.knex("migration").where({ name: "001Schema" });
    assert.is(added?.["expands"], true);
  });

  test("a catalog older than release 0.1.0 is refused and not changed", async () => {
    const { knex } = catalog;
    await knex("migration").delete();
    const steps = ["001First", "002Sharing", "260UserFeatures"];
    await knex("migration").insert(steps.map((name) => ({ name, expands: true })));
    const refusal = await refusalOf();
    assert.match(refusal, /created by a build before release 0\.1\.0, which releases cannot read/);
    assert.match(refusal, /start with an empty database or, without DATABASE_URL, with an empty/);
    assert.equal(await names(), steps);
    // The oldest builds did not record whether a migration step only adds to the schema.
    await knex.raw("alter table migration drop column expands");
    assert.is(await refusalOf(), refusal);
  });

  test("the error for the catalog of a newer version explains why the catalog is refused", async () => {
    await catalog.knex("migration").insert({ name: "999_future" });
    assert.match(await refusalOf(), /newer version of manifold \(steps 999_future\)/);
  });
});
