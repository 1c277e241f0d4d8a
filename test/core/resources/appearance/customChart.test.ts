import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/appearance/customChart", (test) => {
  const tenants = openTenantsFor(test);

  test("each save of a chart creates a version with the script, and lists include the script only on request", async () => {
    const { ada, eve, call, rows, make } = tenants;
    const id = await make(ada, "customchart");
    await call(ada, "customchart", "update", { id, properties: { script: "second" } });
    await call(ada, "customchart", "update", { id, properties: { name: { en: "Named anew" } } });
    const find = { where: { customchart_id: id }, order: [["created_at", "asc"]] };
    const attributes = ["script", "name"];
    const versions = await rows(ada, "customchartversion", { ...find, attributes });
    assert.equal(
      versions.map(({ script }) => script),
      ["manifold.draw = () => {};", "second", "second"],
    );
    assert.equal(versions[2]?.["name"], { en: "Named anew" });
    assert.is((await rows(ada, "customchartversion", find))[0]?.["script"], null);
    assert.is((await rows(ada, "customchart", { where: { id } }))[0]?.["script"], "second");
    assert.equal(await rows(eve, "customchartversion", find), []);
    assert.equal(await rows(eve, "customchart", { where: { id } }), []);
  });

  const draft = "manifold.draw = () => { /* draft */ };";
  const statusOf = async (id: string) => {
    const [chart] = await tenants.rows(tenants.ada, "customchart", { where: { id } });
    return chart?.["status"];
  };
  const scriptFor = async (who: typeof tenants.ada, id: string) => {
    const [chart] = await tenants.rows(who, "customchart", { where: { id } });
    return chart?.["script"];
  };
  const versionsOf = async (id: string) =>
    tenants.rows(tenants.ada, "customchartversion", {
      where: { customchart_id: id },
      attributes: ["id", "script"],
      order: [["created_at", "desc"]],
    });

  test("a draft script by a person who is not an owner runs only for that person until an owner approves it", async () => {
    const { ada, bob, ben, call, make } = tenants;
    const id = await make(bob, "customchart");
    await call(bob, "customchart", "update", { id, properties: { script: draft } });
    assert.is(await statusOf(id), "draft");
    assert.equal(
      [await scriptFor(bob, id), await scriptFor(ben, id), await scriptFor(ada, id)],
      [draft, null, null],
    );
    const [newest] = await versionsOf(id);
    assert.is(newest?.["script"], draft, "an owner reviews the script in the versions");
    const approved = await call(ada, "customchart", "update", {
      id,
      properties: { approved_version_id: newest?.id },
    });
    assert.equal([approved["status"], approved["approved_version_id"]], ["approved", newest?.id]);
    assert.equal([await scriptFor(ben, id), await scriptFor(ada, id)], [draft, draft]);
  });

  test("each change of a chart's script needs approval, and until then others see the approved script", async () => {
    const { ada, bob, ben, call, make, rows } = tenants;
    const id = await make(bob, "customchart");
    const [first] = await versionsOf(id);
    const approve = (approved_version_id: unknown) =>
      call(ada, "customchart", "update", { id, properties: { approved_version_id } });
    await approve(first?.id);
    await call(bob, "customchart", "update", { id, properties: { name: { en: "Renamed" } } });
    assert.is(await statusOf(id), "approved", "a name is not code");
    await call(bob, "customchart", "update", { id, properties: { script: draft } });
    assert.is(await statusOf(id), "changed");
    assert.equal([await scriptFor(bob, id), await scriptFor(ben, id)], [draft, first?.["script"]]);
    await call(ada, "customchart", "update", { id, properties: { name: { en: "By Ada" } } });
    assert.is(await statusOf(id), "changed", "renaming by an owner approves nothing");
    await call(bob, "customchart", "update", { id, properties: { script: first?.["script"] } });
    assert.is(await statusOf(id), "approved", "back to the approved script");
    const [read = {}] = await rows(bob, "customchart", { where: { id } });
    await call(bob, "customchart", "update", { id, properties: { ...read, script: draft } });
    assert.is(await statusOf(id), "changed", "a record sent back unchanged keeps its approval");
    await approve(null);
    assert.equal([await statusOf(id), await scriptFor(ben, id)], ["draft", null]);
  });

  test("scripts that an owner saves are approved at once, and every approval is audited", async () => {
    const { ada, bob, call, make, rows } = tenants;
    const id = await make(ada, "customchart");
    assert.equal([await statusOf(id), typeof (await scriptFor(bob, id))], ["approved", "string"]);
    const { status } = await call(ada, "customchart", "update", {
      id,
      properties: { script: draft },
    });
    assert.equal([status, await scriptFor(bob, id)], ["approved", draft]);
    await call(ada, "customchart", "update", { id, properties: { approved_version_id: null } });
    const [newest] = await versionsOf(id);
    const where = { record_id: id, action: { in: ["chart_approve", "chart_withdraw"] } };
    const events = await rows(ada, "auditevent", { where, order: [["created_at", "asc"]] });
    assert.equal(
      events.map(({ action, user_id }) => [action, user_id]),
      [
        ["chart_approve", ada.userId],
        ["chart_withdraw", ada.userId],
      ],
    );
    assert.equal(events[0]?.["target"], {
      role: "Version",
      resource: "customchartversion",
      id: newest?.id,
    });
  });

  test("only an owner can approve a version of a chart, and the version must belong to that chart", async () => {
    const { ada, bob, addUser, call, make, refusal } = tenants;
    const id = await make(bob, "customchart");
    const [own] = await versionsOf(id);
    const [other] = await versionsOf(await make(ada, "customchart"));
    const head = await addUser(
      ada,
      "head-of-north",
      { suborganization: "north" },
      { flagOwn: true },
    );
    const attempt = async (who: typeof ada, properties: object) =>
      (await refusal(who, "customchart", "update", { id, properties })).status;
    assert.is(await attempt(bob, { approved_version_id: own?.id }), 403);
    assert.ok([403, 404].includes(await attempt(head, { approved_version_id: own?.id })));
    assert.is(await attempt(ada, { approved_version_id: other?.id }), 404);
    assert.is(await attempt(ada, { approved_version_id: own?.id, script: draft }), 409);
    for (const properties of [{ status: "approved" }, { approved_version_id: own?.id }]) {
      const base = { ...(await tenants.properties(bob, "customchart")), ...properties };
      assert.is((await refusal(bob, "customchart", "create", { properties: base })).status, 400);
    }
    assert.is(await attempt(bob, { status: "approved" }), 400);
    const search = { find: { where: { script: { like: "draft" } } } };
    assert.is((await refusal(bob, "customchart", "get", search)).status, 400);
    await call(bob, "customchart", "delete", { id });
  });

  test("the approved version of a chart is kept even after more than a hundred newer versions", async () => {
    const { ada, bob, ben, call, make, catalog } = tenants;
    const id = await make(bob, "customchart");
    const [first] = await versionsOf(id);
    const properties = { approved_version_id: first?.id };
    await call(ada, "customchart", "update", { id, properties });
    await catalog.knex.raw(
      `insert into customchartversion (id, name, type, script, slots_config, customchart_id, user_id, created_at, updated_at)
       select gen_random_uuid(), name, type, script, slots_config, customchart_id, user_id, clock_timestamp(), clock_timestamp()
         from customchartversion, generate_series(1, 120) where id = ?`,
      [String(first?.id)],
    );
    await call(bob, "customchart", "update", { id, properties: { script: draft } });
    assert.is(await scriptFor(ben, id), first?.["script"]);
    assert.is((await catalog.knex("customchartversion").where({ customchart_id: id })).length, 101);
  });

  test("a chart type name has 1 to 32 lowercase letters, digits and hyphens", async () => {
    const { ada, bob, ben, make, refusal, refusedBy, properties } = tenants;
    const sample = await properties(ada, "customchart");
    for (const type of ["", "Flow", "a b", "é", "a".repeat(33), 7])
      assert.match(await refusedBy("customchart", { ...sample, type }), /properties\.type/);
    const id = await make(bob, "customchart");
    const change = { id, properties: { script: "x" } };
    assert.is((await refusal(ben, "customchart", "update", change)).code, "FORBIDDEN");
  });
});
