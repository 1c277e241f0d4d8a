import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/appearance/customChart", (test) => {
  const tenants = openTenantsFor(test);

  test("each save of a chart is a version with its script, which lists show on request alone", async () => {
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

  test("a type is 1 to 32 small letters, digits and hyphens, and members of the organization change what they made", async () => {
    const { ada, bob, ben, make, refusal, refusedBy, properties } = tenants;
    const sample = await properties(ada, "customchart");
    for (const type of ["", "Flow", "a b", "é", "a".repeat(33), 7])
      assert.match(await refusedBy("customchart", { ...sample, type }), /properties\.type/);
    const id = await make(bob, "customchart");
    const change = { id, properties: { script: "x" } };
    assert.is((await refusal(ben, "customchart", "update", change)).code, "FORBIDDEN");
  });
});
