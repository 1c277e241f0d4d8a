import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/people/ssoConfig", (test) => {
  const tenants = openTenantsFor(test);

  test("only owners of the organization can see its ssoconfigs, and nobody can see their secrets", async () => {
    const { ada, ben, call, rows, make } = tenants;
    const id = await make(ada, "ssoconfig");
    assert.equal(await rows(ben, "ssoconfig", {}), []);
    const [row] = await rows(ada, "ssoconfig", { where: { id } });
    assert.equal(row?.["config"], { certificate: null });
    await call(ada, "ssoconfig", "update", {
      id,
      properties: { config: { certificate: null, url: "u" } },
    });
    const [stored] = await tenants.records.find("ssoconfig", { id });
    assert.equal(stored?.["config"], { certificate: "canary-certificate", url: "u" });
  });
});
