import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

const state = { version: 1, filters: { city: { values: ["Ghent"] } } };

suite("core/resources/sharing/savedView", (test) => {
  const tenants = openTenantsFor(test);
  const names = async (who: typeof tenants.ada, where: object) =>
    (await tenants.rows(who, "savedview", { where })).map(({ name }) => name).toSorted();
  /** Creates a dashboard of Ada that Bob can read. */
  const openDashboard = async () => {
    const { ada, bob, call, make } = tenants;
    const id = await make(ada, "securable");
    const resource = { role: "Users", id: bob.userId };
    await call(ada, "securable", "associate", { id, resource, properties: { flagRead: true } });
    return id;
  };

  test("only its owner sees a private view; readers of the dashboard see shared views but cannot change them", async () => {
    const { ada, bob, call, refusal } = tenants;
    const securable_id = await openDashboard();
    const save = (properties: object) =>
      call(ada, "savedview", "create", { properties: { securable_id, state, ...properties } });
    await save({ name: "Mine" });
    const shared = await save({ name: "Ours", shared: true });
    assert.equal(await names(ada, { securable_id }), ["Mine", "Ours"]);
    assert.equal(await names(bob, { securable_id }), ["Ours"]);
    const { id } = shared;
    const change = { id, properties: { name: "Theirs" } };
    assert.is((await refusal(bob, "savedview", "update", change)).code, "FORBIDDEN");
    assert.is((await refusal(bob, "savedview", "delete", { id })).code, "FORBIDDEN");
    await call(ada, "savedview", "update", { id, properties: { shared: false } });
    assert.equal(await names(bob, { securable_id }), []);
  });

  test("a reader saves private views, and shares none; the dashboard's owner does not see them", async () => {
    const { ada, bob, call, refusal } = tenants;
    const securable_id = await openDashboard();
    const given = { securable_id, state, name: "Bob's" };
    const { id } = await call(bob, "savedview", "create", { properties: given });
    assert.equal(await names(bob, { securable_id }), ["Bob's"]);
    assert.equal(await names(ada, { securable_id }), []);
    for (const member of ["shared", "is_default"]) {
      const refused = [
        await refusal(bob, "savedview", "create", { properties: { ...given, [member]: true } }),
        await refusal(bob, "savedview", "update", { id, properties: { [member]: true } }),
      ];
      assert.equal(
        refused.map(({ code }) => code),
        ["FORBIDDEN", "FORBIDDEN"],
      );
    }
  });

  test("views of dashboards that a person cannot read, and of datasets, cannot be saved", async () => {
    const { ada, bob, call, make, refusal } = tenants;
    const properties = { name: "View", state, securable_id: await make(ada, "securable") };
    const refused = await refusal(bob, "savedview", "create", { properties });
    assert.is(refused.code, "RECORD_NOT_FOUND");
    const { id } = await call(ada, "savedview", "create", { properties });
    assert.equal(await tenants.rows(bob, "savedview", { where: { id } }), []);
  });

  test("a dashboard opens with at most one view, which is shared", async () => {
    const { ada, call, make, refusal, rows } = tenants;
    const securable_id = await make(ada, "securable");
    const save = (name: string, more: object = {}) =>
      call(ada, "savedview", "create", {
        properties: { name, state, securable_id, is_default: true, ...more },
      });
    const first = await save("First");
    const second = await save("Second");
    assert.equal([second["shared"], second["is_default"]], [true, true]);
    const defaults = async () =>
      (await rows(ada, "savedview", { where: { securable_id, is_default: true } })).map(
        ({ name }) => name,
      );
    assert.equal(await defaults(), ["Second"]);
    const properties = { is_default: true };
    await call(ada, "savedview", "update", { id: first.id, properties });
    assert.equal(await defaults(), ["First"]);
    const hidden = { name: "Third", state, securable_id, is_default: true, shared: false };
    assert.is((await refusal(ada, "savedview", "create", { properties: hidden })).code, "CONFLICT");
    await call(ada, "savedview", "update", { id: first.id, properties: { shared: false } });
    assert.equal(await defaults(), []);
  });

  test("a state must be the state of a dashboard, and of a bounded size", async () => {
    const { ada, make, refusal } = tenants;
    const securable_id = await make(ada, "securable");
    const long = { version: 1, filters: { a: { values: ["x".repeat(300_000)] } } };
    for (const wrong of [{}, { version: 2 }, [], "state", long]) {
      const properties = { name: "View", securable_id, state: wrong };
      const { code } = await refusal(ada, "savedview", "create", { properties });
      assert.is(code, "MEMBER_INVALID", JSON.stringify(wrong).slice(0, 40));
    }
  });
});
