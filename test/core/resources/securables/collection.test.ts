import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { children, openTenantsFor } from "../openTenants.ts";

suite("core/resources/securables/collection", (test) => {
  const tenants = openTenantsFor(test);

  test("a collection shows only the entries that its reader may see, and grants no rights on them", async () => {
    const { ada, bob, call, rows, make, records } = tenants;
    const [seen, unseen] = [await make(ada, "securable"), await make(ada, "securable")];
    const id = await make(ada, "collection");
    for (const securable of [seen, unseen])
      await call(ada, "collection", "associate", {
        id,
        resource: { role: "Securables", id: securable },
      });
    await call(ada, "collection", "associate", {
      id,
      resource: { role: "Users", id: bob.userId },
      properties: { flagModify: true },
    });
    await call(ada, "securable", "associate", {
      id: seen,
      resource: { role: "Users", id: bob.userId },
    });
    const listed = async () => {
      const include = [{ model: "Securable", attributes: ["id"] }];
      const [row] = await rows(bob, "collection", { where: { id }, include });
      return children(row, "securables").map((each) => each["id"]);
    };
    assert.equal(await listed(), [seen]);
    assert.is((await records.visible("securable", [unseen], "read", bob)).size, 0);
    const out = { id: seen, resource: { role: "Collections", id } };
    await call(bob, "securable", "dissociate", out);
    assert.equal(await listed(), []);
  });

  test("entries can be added to a collection under the names dashboard and dataset, which clients use", async () => {
    const { ada, call, make, refusal, rows } = tenants;
    const id = await make(ada, "collection");
    const ids = await Promise.all([0, 1].map(() => make(ada, "securable")));
    for (const [index, role] of ["Dashboards", "dataset"].entries())
      await call(ada, "collection", "associate", { id, resource: { role, id: ids[index] } });
    const find = { where: { id }, include: [{ model: "Securable" }] };
    const listed = async () =>
      children((await rows(ada, "collection", find))[0], "securables").length;
    assert.is(await listed(), 2);
    const first = { role: "Dashboard", id: ids[0] };
    await call(ada, "collection", "dissociate", { id, resource: first });
    assert.is(await listed(), 1);
    const none = { id: await make(ada, "tag"), resource: { role: "Charts", id } };
    assert.is((await refusal(ada, "tag", "associate", none)).code, "ROLE_UNKNOWN");
  });
});
