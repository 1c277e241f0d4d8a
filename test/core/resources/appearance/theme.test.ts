import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, openTenantsFor } from "../openTenants.ts";

suite("core/resources/appearance/theme", (test) => {
  const tenants = openTenantsFor(test);

  test("built-in themes can be read by everyone and changed by nobody, and other themes belong to the organization", async () => {
    const { ada, bob, eve, call, refusal, rows, make } = tenants;
    const [dark] = await rows(bob, "theme", { where: { id: "default_dark" } });
    assert.is(child(dark, "theme")["type"], "dark");
    for (const action of ["update", "delete"] as const)
      assert.is(
        (await refusal(ada, "theme", action, { id: "default_dark", properties: {} })).code,
        "FORBIDDEN",
      );
    const id = await make(bob, "theme");
    assert.is((await rows(ada, "theme", { where: { id } })).length, 1);
    assert.equal(await rows(eve, "theme", { where: { id } }), []);
    await call(ada, "theme", "update", { id, properties: { theme: { own: true } } });
    const [ben] = await rows(tenants.ben, "theme", { where: { id } });
    assert.equal(ben?.["theme"], { own: true });
    const byAnother = { id, properties: { name: "x" } };
    assert.is((await refusal(tenants.ben, "theme", "update", byAnother)).code, "FORBIDDEN");
    const all = await rows(eve, "theme", { attributes: ["id"], where: { organization_id: null } });
    assert.is(all.length, 12);
  });
});
