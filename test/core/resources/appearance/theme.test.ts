import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, openTenantsFor } from "../openTenants.ts";

suite("core/resources/appearance/theme", (test) => {
  const tenants = openTenantsFor(test);

  test("everyone can read built-in themes but nobody can change them, and all other themes belong to an organization", async () => {
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

  test("a theme causes a warning for each of its members that no picture uses", async () => {
    const { ada, call } = tenants;
    const name = { en: "Own" };
    const wrong = { background: "reddish", colors: ["#b5451b", "b5451b"], colours: ["red"] };
    const made = await call(ada, "theme", "create", { properties: { name, theme: wrong } });
    const warnings = [
      "theme.colours has no effect; members with an effect: type, background, itemsBackground, mainColor, colors",
      "theme.background has no effect, because it must be a color such as #1a2b3c",
      "theme.colors[1] has no effect, because it must be a color such as #1a2b3c",
    ];
    assert.equal(made["warnings"], warnings);
    assert.equal(made["theme"], wrong);
    const properties = {
      theme: { type: "dark", background: "black", mainColor: "hsl(20, 70%, 40%)" },
    };
    assert.is(
      (await call(ada, "theme", "update", { id: made.id, properties }))["warnings"],
      undefined,
    );
    const tried = await call(ada, "theme", "validate", { properties: { name, theme: wrong } });
    assert.equal(tried["warnings"], warnings);
  });
});
