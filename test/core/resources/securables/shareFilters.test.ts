import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, children, openTenants, type Tenants } from "../openTenants.ts";

suite("core/resources/securables/shareFilters", (test) => {
  let tenants: Tenants;
  let datasetId: string;
  let columnId: string;
  let filter: Record<string, unknown>;
  test.before(async () => {
    tenants = await openTenants();
    const { ada, call } = tenants;
    const properties = { type: "dataset", name: { en: "Trips" } };
    datasetId = (await call(ada, "securable", "create", { properties })).id;
    const column = { order: 0, name: { en: "City" }, type: "hierarchy" };
    columnId = (await call(ada, "column", "create", { properties: column })).id;
    const target = { role: "Securable", id: datasetId };
    await call(ada, "column", "associate", { id: columnId, resource: target });
    filter = {
      clause: "where",
      origin: "global",
      securable_id: datasetId,
      column_id: columnId,
      expression: "? = ?",
      value: "Ghent",
    };
  });
  test.after(() => tenants.close());

  const share = (role: string, id: string, properties: object) =>
    tenants.call(tenants.ada, "securable", "associate", {
      id: datasetId,
      resource: { role, id },
      properties,
    });
  const storedOf = async (table: string, key: string, id: string): Promise<unknown> =>
    (
      await tenants.catalog
        .knex(table)
        .where({ securable_id: datasetId, [key]: id })
        .first()
    )?.filters;

  test("a share with a user, group or integration stores its filters, whichever record comes first", async () => {
    const { ada, bob, call, make } = tenants;
    const groupId = await make(ada, "group");
    const integrationId = await make(ada, "integration");
    for (const [resource, role, table, id] of [
      ["user", "Users", "securable_user", bob.userId],
      ["group", "Groups", "securable_group", groupId],
      ["integration", "Integrations", "securable_integration", integrationId],
    ] as const) {
      const key = `${resource}_id`;
      await share(role, id, { flagUse: true, filters: [filter] });
      assert.equal(await storedOf(table, key, id), [filter], role);
      await share(role, id, { flagUse: true, filters: [] });
      assert.is(await storedOf(table, key, id), null, role);
      await call(ada, resource, "associate", {
        id,
        resource: { role: "Securables", id: datasetId },
        properties: { filters: [filter, filter] },
      });
      assert.equal(await storedOf(table, key, id), [filter, filter], role);
      await share(role, id, { flagModify: true });
      assert.equal(await storedOf(table, key, id), [filter, filter], "without filters they stay");
      await share(role, id, { filters: null });
      assert.is(await storedOf(table, key, id), null, role);
    }
  });

  test("only a dataset's owners can read the filters of its shares", async () => {
    const { ada, ben, bob, rows } = tenants;
    await share("Users", bob.userId, { flagModify: true, filters: [filter] });
    await share("Users", ben.userId, { flagOwn: true, filters: [filter, filter] });
    const find = { where: { id: datasetId }, include: [{ model: "User", as: "Users" }] };
    const seenBy = async (who: typeof ada, of: typeof ada) => {
      const [row] = await rows(who, "securable", find);
      const one = children(row, "users").find((each) => each["id"] === of.userId);
      return child(one, "securableUser")["filters"];
    };
    assert.equal(await seenBy(ada, bob), [filter]);
    assert.equal(await seenBy(ben, ben), [filter, filter]);
    assert.is(await seenBy(bob, bob), null);
    assert.is(await seenBy(ada, ada), null);
    const back = { where: { id: "me" }, include: [{ model: "Securable" }] };
    const [me] = await rows(bob, "user", back);
    const [own] = children(me, "securables");
    assert.equal([own?.["id"], child(own, "securableUser")["filters"]], [datasetId, null]);
  });

  test("a share with an invalid filter is refused as a whole", async () => {
    const { ada, bob, make, refusal, call } = tenants;
    const other = await make(ada, "column");
    const bad: readonly [unknown, string, RegExp][] = [
      [{ a: 1 }, "MEMBER_INVALID", /properties.filters/],
      [[1], "MEMBER_INVALID", /filters\[0\]/],
      [[{ ...filter, origin: "chart" }], "MEMBER_INVALID", /origin/],
      [[{ ...filter, clause: "having" }], "MEMBER_INVALID", /clause/],
      [[{ ...filter, column_id: other }], "MEMBER_INVALID", /column_id/],
      [[{ ...filter, securable_id: other }], "MEMBER_INVALID", /securable_id/],
      [[{ ...filter, value: 3 }], "MEMBER_INVALID", /value|parameters/],
      [[filter, { ...filter, expression: "1 = 1" }], "MEMBER_INVALID", /filters\[1\]/],
      [[{ ...filter, sql: "x" }], "MEMBER_UNKNOWN", /sql/],
    ];
    const target = { role: "Users", id: bob.userId };
    await call(ada, "securable", "dissociate", { id: datasetId, resource: target });
    for (const [filters, code, message] of bad) {
      const body = { id: datasetId, resource: target, properties: { flagUse: true, filters } };
      const refused = await refusal(ada, "securable", "associate", body);
      assert.is(refused.code, code, JSON.stringify(filters));
      assert.match(refused.message, message);
    }
    assert.is(await storedOf("securable_user", "user_id", bob.userId), undefined);
  });

  test("a share's filter may have an unset parameter, because the users of the share set it", async () => {
    const { bob } = tenants;
    const value = { parameter: "metadata.city", type: "hierarchy" };
    await share("Users", bob.userId, { filters: [{ ...filter, value }] });
    assert.equal(await storedOf("securable_user", "user_id", bob.userId), [{ ...filter, value }]);
  });

  test("shares of dashboards and connections cannot have filters, because these records have no rows", async () => {
    const { ada, bob, make, refusal, records } = tenants;
    const dashboard = await make(ada, "securable");
    const body = { resource: { role: "Users", id: bob.userId }, properties: { filters: [filter] } };
    const refused = await refusal(ada, "securable", "associate", { id: dashboard, ...body });
    assert.match(refused.message, /share its datasets with filters/);
    const account = await make(ada, "account");
    const [row] = await records.find("account", { id: account });
    const shared = { role: "Shareables", id: row?.["shareable_id"] };
    const given = { id: bob.userId, resource: shared, properties: { filters: [filter] } };
    assert.match((await refusal(ada, "user", "associate", given)).message, /must be omitted/);
  });

  test("no action or search gives a user with row filters any information about all rows", async () => {
    const { ada, ben, bob, call, make, refusal, rows, records } = tenants;
    await records.change("securable", datasetId, { rows: 7, source_query: "select 1" });
    await records.change("column", columnId, { cardinality: 3, maximum: 9 });
    const groupId = await make(ada, "group");
    const member = { id: groupId, resource: { role: "Users", id: ben.userId } };
    await call(ada, "group", "associate", member);
    await call(ada, "securable", "dissociate", {
      id: datasetId,
      resource: { role: "Users", id: ben.userId },
    });
    await share("Users", bob.userId, { flagModify: true, filters: [filter] });
    await share("Groups", groupId, { flagModify: true, filters: [filter] });
    const filtersOf = async (who: typeof ada): Promise<unknown[]> => {
      const include = [{ model: "Column" }];
      const [row] = await rows(who, "securable", { where: { id: datasetId }, include });
      const [column] = children(row, "columns");
      const updated = await call(who, "securable", "update", { id: datasetId, properties: {} });
      const changed = await call(who, "column", "update", { id: columnId, properties: {} });
      const found = [
        await rows(who, "securable", { where: { rows: 7 } }),
        await rows(who, "securable", { where: { source_query: "select 1" } }),
        await rows(who, "securable", { where: { id: datasetId, rows: { gt: 5 } } }),
        await rows(who, "column", { where: { maximum: { gte: 9 } } }),
        await rows(who, "securable", {
          search: { keyphrase: "select", match_types: ["source_query"] },
        }),
      ];
      return [
        row?.["rows"],
        row?.["source_query"],
        column?.["cardinality"],
        column?.["maximum"],
        updated["rows"],
        changed["cardinality"],
        found.map(({ length }) => length),
      ];
    };
    const all = [7, "select 1", 3, 9, 7, 3, [1, 1, 1, 1, 1]];
    const nothing = [null, null, null, null, null, null, [0, 0, 0, 0, 0]];
    assert.equal(await filtersOf(ada), all);
    assert.equal([await filtersOf(bob), await filtersOf(ben)], [nothing, nothing]);
    const values = { updates: [{ id: "Ghent" }] };
    await call(ada, "hierarchy", "update", { id: columnId, properties: values });
    const list = { find: { where: { column_id: columnId } } };
    assert.is((await call(ada, "hierarchy", "get", list))["count"], 1);
    for (const who of [bob, ben])
      assert.is((await refusal(who, "hierarchy", "get", list)).code, "FORBIDDEN");
    await share("Users", bob.userId, { flagModify: true, filters: [] });
    await call(ada, "group", "dissociate", member);
    await share("Users", ben.userId, { flagModify: true });
    assert.equal([await filtersOf(bob), await filtersOf(ben)], [all, all]);
  });
});
