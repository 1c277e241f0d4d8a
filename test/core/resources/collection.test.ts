import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { children, openTenants, type Tenants } from "./openTenants.ts";

suite("core/resources/collection", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.after(() => tenants.close());

  test("a collection holds what its readers may see of it, and gives no right on it", async () => {
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
});
