import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, children, openTenantsFor } from "../openTenants.ts";

suite("core/resources/people/group", (test) => {
  const tenants = openTenantsFor(test);

  test("a group has the members that clients expect, and belongs to its creator", async () => {
    const { ada, call, rows } = tenants;
    const group = await call(ada, "group", "create", {
      properties: { name: "Sales", public: false },
    });
    assert.equal(Object.keys(group).toSorted(), [
      "created_at",
      "deleted_at",
      "id",
      "name",
      "organization_id",
      "public",
      "suborganization",
      "updated_at",
    ]);
    assert.equal([group["public"], group["name"], group["deleted_at"]], [false, "Sales", null]);
    const [row] = await rows(ada, "group", {
      where: { id: group.id },
      include: [{ model: "User" }],
    });
    const [user] = children(row, "users");
    assert.is(child(user, "groupRole")["flagOwn"], true);
    const renamed = { id: group.id, properties: { name: { en: "Sales", fr: "Ventes" } } };
    assert.equal((await call(ada, "group", "update", renamed))["name"], {
      en: "Sales",
      fr: "Ventes",
    });
    for (const keyphrase of ["ventes", "VENT"])
      assert.is((await rows(ada, "group", { search: { keyphrase } })).length, 1);
  });
});
