import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, givenIds, openTenantsFor } from "../openTenants.ts";

type Json = Record<string, unknown>;

suite("core/resources/reference/reference", (test) => {
  const tenants = openTenantsFor(test);

  test("everyone can read and search reference records, and nobody can write them", async () => {
    const { ada, eve, rows, kernel, call } = tenants;
    for (const [resource, id] of Object.entries(givenIds)) {
      assert.equal(Object.keys(kernel.handlers[resource] ?? {}), ["get"]);
      for (const who of [ada, eve])
        assert.is((await rows(who, resource, { where: { id } })).length, 1);
      for (const right of ["modify", "own"] as const)
        assert.is((await tenants.records.visible(resource, [id], right, ada)).size, 0);
    }
    const found = await rows(ada, "country", {
      where: { "name.fr": "Belgique" },
      attributes: ["id"],
    });
    assert.equal(found, [{ id: "BE" }]);
    const page = await call(ada, "country", "get", { find: { limit: 10, order: [["id", "asc"]] } });
    assert.equal([page["count"], (page["rows"] as Json[])[0]?.["id"]], [249, "AD"]);
    for (const role of ["Country", "countries", "Countries"]) {
      const user = { id: ada.userId, resource: { role, id: "BE" } };
      assert.is((await call(ada, "user", "associate", user))["country_id"], "BE");
      if (role !== "Countries")
        assert.is((await call(ada, "user", "dissociate", user))["country_id"], null);
    }
    const [me] = await rows(ada, "user", { where: { id: "me" }, include: [{ model: "Country" }] });
    assert.is(child(child(me, "country"), "name")["nl"], "België");
    for (const id of ["be", "ZZ", "", "B\u0000", 7])
      assert.is(
        (
          await tenants.refusal(ada, "user", "associate", {
            id: ada.userId,
            resource: { role: "Country", id },
          })
        ).code,
        "RECORD_NOT_FOUND",
      );
  });
});
