import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

const question = { rows: [], measures: [{ id: "*", aggregation: "count" }], filters: [] };

suite("core/resources/sharing/savedQuestion", (test) => {
  const tenants = openTenantsFor(test);
  const names = async (who: typeof tenants.ada, where: object) =>
    (await tenants.rows(who, "savedquestion", { where })).map(({ name }) => name).toSorted();
  /** Creates a dataset of Ada, which Bob can read if `isShared`. */
  const openDataset = async (isShared = true) => {
    const { ada, bob, call, properties } = tenants;
    const { securable_id: id } = await properties(ada, "savedquestion");
    const resource = { role: "Users", id: bob.userId };
    if (isShared)
      await call(ada, "securable", "associate", { id, resource, properties: { flagRead: true } });
    return String(id);
  };

  test("only its owner sees a private question; readers of the dataset see shared ones but cannot change them", async () => {
    const { ada, bob, call, refusal } = tenants;
    const securable_id = await openDataset();
    const save = (properties: object) =>
      call(ada, "savedquestion", "create", {
        properties: { securable_id, question, ...properties },
      });
    const mine = await save({ name: "Mine" });
    const shared = await save({ name: "Ours", shared: true });
    assert.equal(await names(ada, { securable_id }), ["Mine", "Ours"]);
    assert.equal(await names(bob, { securable_id }), ["Ours"]);
    const change = { properties: { name: "Theirs" } };
    for (const [{ id }, code] of [
      [mine, "RECORD_NOT_FOUND"],
      [shared, "FORBIDDEN"],
    ] as const) {
      const refused = [
        await refusal(bob, "savedquestion", "update", { id, ...change }),
        await refusal(bob, "savedquestion", "validate", { id, ...change }),
        await refusal(bob, "savedquestion", "delete", { id }),
      ];
      assert.equal(
        refused.map((each) => each.code),
        [code, code, code],
      );
    }
    await call(ada, "savedquestion", "update", { id: shared.id, properties: { shared: false } });
    assert.equal(await names(bob, { securable_id }), []);
  });

  test("a reader saves private questions, and shares none; the dataset's owner does not see them", async () => {
    const { ada, bob, call, refusal } = tenants;
    const securable_id = await openDataset();
    const given = { securable_id, question, name: "Bob's" };
    const { id } = await call(bob, "savedquestion", "create", { properties: given });
    assert.equal(await names(bob, { securable_id }), ["Bob's"]);
    assert.equal(await names(ada, { securable_id }), []);
    const refused = [
      await refusal(bob, "savedquestion", "create", { properties: { ...given, shared: true } }),
      await refusal(bob, "savedquestion", "update", { id, properties: { shared: true } }),
    ];
    assert.equal(
      refused.map(({ code }) => code),
      ["FORBIDDEN", "FORBIDDEN"],
    );
  });

  test("a shared question disappears for people who can no longer read the dataset", async () => {
    const { ada, bob, call } = tenants;
    const securable_id = await openDataset();
    const properties = { securable_id, question, name: "Ours", shared: true };
    await call(ada, "savedquestion", "create", { properties });
    assert.equal(await names(bob, { securable_id }), ["Ours"]);
    const resource = { role: "Users", id: bob.userId };
    await call(ada, "securable", "dissociate", { id: securable_id, resource });
    assert.equal(await names(bob, { securable_id }), []);
  });

  test("questions about datasets that a person cannot read, and about dashboards, cannot be saved", async () => {
    const { ada, bob, call, make, refusal } = tenants;
    const properties = { name: "Question", question, securable_id: await openDataset(false) };
    const refused = await refusal(bob, "savedquestion", "create", { properties });
    assert.is(refused.code, "RECORD_NOT_FOUND");
    const { id } = await call(ada, "savedquestion", "create", { properties });
    assert.equal(await tenants.rows(bob, "savedquestion", { where: { id } }), []);
    const ofDashboard = { ...properties, securable_id: await make(ada, "securable") };
    const other = await refusal(ada, "savedquestion", "create", { properties: ofDashboard });
    assert.is(other.code, "CONFLICT");
  });

  test("a question must have the form of a question, and a bounded size", async () => {
    const { ada, refusal } = tenants;
    const securable_id = await openDataset();
    const long = { ...question, filters: [{ id: "x".repeat(70_000), test: "? is null" }] };
    for (const wrong of [{}, { ...question, rows: {} }, [], "question", long]) {
      const properties = { name: "Question", securable_id, question: wrong };
      const { code } = await refusal(ada, "savedquestion", "create", { properties });
      assert.is(code, "MEMBER_INVALID", JSON.stringify(wrong).slice(0, 40));
    }
  });
});
