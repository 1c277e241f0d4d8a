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

  test("runs each step once, also when hosts start together", async () => {
    const steps = [...migrations, step("900_test", "create table extra (id int primary key)")];
    await Promise.all([
      migrate(catalog.knex, steps),
      migrate(catalog.knex, steps),
      migrate(catalog.knex, steps),
    ]);
    await migrate(catalog.knex, steps);
    assert.equal(await names(), [...migrations.map(({ name }) => name), "900_test"]);
  });

  test("leaves nothing of a start whose last step fails", async () => {
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

  test("opens a catalog that newer code only added to, for hosts that are upgraded one by one", async () => {
    const added = step("900_test", "alter table securable add column extra text default 'x'");
    await migrate(catalog.knex, [...migrations, added]);
    await migrate(catalog.knex);
    await catalog.knex("migration").where({ name: "900_test" }).update({ expands: false });
    assert.match(
      await migrate(catalog.knex).then(
        () => "",
        (failure: Error) => failure.message,
      ),
      /newer than this version of manifold \(it has 900_test\)/,
    );
  });

  test("a step that contracts is recorded as one that earlier versions must not meet", async () => {
    const contracting = { ...step("900_test", "select 1"), contracts: true } as const;
    await migrate(catalog.knex, [...migrations, contracting]);
    const [row] = await catalog.knex("migration").where({ name: "900_test" });
    assert.is(row?.["expands"], false);
    const [added] = await catalog.knex("migration").where({ name: "240Quotas" });
    assert.is(added?.["expands"], true);
  });

  test("refuses a catalog of newer code, and says so", async () => {
    await catalog.knex("migration").insert({ name: "999_future" });
    const refusal = await openCatalog({
      databaseUrl: catalog.databaseUrl,
      dataDir: "unused",
      log: silentLog,
    }).then(
      async (opened) => void (await opened.close()),
      (failure: Error) => failure.message,
    );
    assert.match(refusal ?? "", /newer than this version of manifold \(it has 999_future\)/);
  });
});
