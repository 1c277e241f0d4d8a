import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { suite } from "../../../support/suite.ts";

const now = new Date("2026-01-02T03:04:05.000Z");
const times = { created_at: now, updated_at: now };

/** Fills an empty catalog with two organizations, and with records of one of them. */
async function fill({ knex }: TestCatalog) {
  const ids = { ada: randomUUID(), eve: randomUUID(), one: randomUUID(), two: randomUUID() };
  for (const [user, organization] of [
    [ids.ada, ids.one],
    [ids.eve, ids.two],
  ] as const) {
    await knex("organization").insert({ id: organization, name: { en: "O" }, ...times });
    await knex("user").insert({ id: user, email: "u@example.org", suborganization: "s", ...times });
    await knex("organization_user").insert({
      organization_id: organization,
      user_id: user,
      flagOwn: true,
    });
  }
  const authorization = { id: randomUUID(), type: "api", user_id: ids.ada, ...times };
  await knex("authorization").insert({
    ...authorization,
    expiry: now,
    token_hash: Buffer.from("hash"),
  });
  const account = randomUUID();
  await knex("account").insert({
    id: account,
    provider: "sample",
    active: true,
    invalid: false,
    cache: 0,
    datasets_meta_sync_enabled: true,
    datasets_meta_sync_interval: 1,
    synced: false,
    shareable_id: randomUUID(),
    user_id: ids.ada,
    ...times,
  });
  const securable = { dataset: randomUUID(), dashboard: randomUUID() };
  for (const [type, id] of Object.entries(securable))
    await knex("securable").insert({
      id,
      type,
      contents: type === "dashboard" ? { version: "0.1.99", views: [] } : null,
      featured: false,
      derived: false,
      cache: 0,
      is_variant: false,
      uses_strata_experimental: false,
      meta_sync_interval: 1,
      meta_sync_inherit: true,
      meta_sync_enabled: true,
      account_id: account,
      owner_id: ids.ada,
      modified_at: now,
      ...times,
    });
  await knex("securable_user").insert({
    securable_id: securable.dataset,
    user_id: ids.eve,
    flagUse: true,
  });
  const columns = [randomUUID(), randomUUID()];
  await knex("column").insert(
    columns.map((id, order) => ({
      id,
      order,
      type: "hierarchy",
      isLabel: false,
      hidden: false,
      colors_enabled: true,
      hierarchy_enabled: false,
      ordering_enabled: false,
      currency_id: "EUR",
      version: 0,
      securable_id: securable.dataset,
      ...times,
    })),
  );
  await knex("column_joins").insert({ column_id: columns[0], joins_id: columns[1] });
  return { ...ids, ...securable };
}

suite("core/catalog/schema/createSchema", (test) => {
  let catalog: TestCatalog;
  let ids: Awaited<ReturnType<typeof fill>>;
  test.before(async () => {
    catalog = await openTestCatalog();
    ids = await fill(catalog);
  });
  test.after(() => catalog.close());

  test("every organization has one group named Public, which contains all its users", async () => {
    const { knex } = catalog;
    const third = randomUUID();
    await knex("organization").insert({ id: third, name: { en: "Third" }, ...times });
    const groups = await knex("group").where({ public: true }).pluck("organization_id");
    assert.equal(groups.toSorted(), [ids.one, ids.two, third].toSorted());
    const members = await knex("membership as m")
      .join("group as g", "g.id", "m.group_id")
      .select("m.user_id", "g.organization_id")
      .orderBy("m.user_id");
    assert.equal(
      members.map((row) => [row.user_id, row.organization_id]).toSorted(),
      [
        [ids.ada, ids.one],
        [ids.eve, ids.two],
      ].toSorted(),
    );
    const second = { id: randomUUID(), name: '"Second"', public: true, organization_id: third };
    await knex("group")
      .insert({ ...second, ...times })
      .then(
        () => assert.unreachable("a second Public group"),
        (failure: { code?: string }) => assert.is(failure.code, "23505"),
      );
  });

  test("deleting a record also deletes its links", async () => {
    const { knex } = catalog;
    const version = { id: randomUUID(), securable_id: ids.dashboard, environment: "production" };
    await knex("securableversion").insert({ ...version, ...times });
    await knex("securable_dataset").insert({
      dashboard_id: ids.dashboard,
      dataset_id: ids.dataset,
    });
    await knex("securable").where({ id: ids.dashboard }).delete();
    assert.equal(await knex("securableversion").select("*"), []);
    assert.equal(await knex("securable_dataset").select("*"), []);
    await knex("user").where({ id: ids.ada }).delete();
    for (const table of ["account", "securable", "column", "column_joins", "authorization"])
      assert.equal(await knex(table).select("*"), [], table);
  });
});
