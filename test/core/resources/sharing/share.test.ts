import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { child, openTenantsFor } from "../openTenants.ts";

suite("core/resources/sharing/share", (test) => {
  const tenants = openTenantsFor(test);

  test("a share has a key that cannot be guessed, and opens the one dashboard that is later associated with it", async () => {
    const { ada, bob, call, refusal, rows, make } = tenants;
    const shares = await Promise.all(
      Array.from({ length: 20 }, () => call(ada, "share", "create", {})),
    );
    for (const { id } of shares) assert.match(id, /^[\w-]{22}$/);
    assert.is(new Set(shares.map(({ id }) => id)).size, 20);
    const [share] = shares;
    const dashboard = await make(ada, "securable");
    const target = { role: "Dashboard", id: dashboard };
    const linked = await call(ada, "share", "associate", { id: share?.id, resource: target });
    assert.is(linked["securable_id"], dashboard);
    const french = { id: share?.id, resource: { role: "Locale", id: "fr-BE" } };
    assert.is((await call(ada, "share", "associate", french))["locale_id"], "fr-BE");
    const [row] = await rows(ada, "share", {
      where: { id: share?.id },
      include: [{ model: "Securable" }, { model: "Locale" }],
    });
    assert.equal(
      [child(row, "securable")["id"], child(child(row, "locale"), "name")["en"]],
      [dashboard, "French (Belgium)"],
    );
    assert.equal(await rows(bob, "share", {}), []);
    const readable = {
      id: dashboard,
      resource: { role: "Users", id: bob.userId },
      properties: { flagModify: true },
    };
    await call(ada, "securable", "associate", readable);
    const own = await make(bob, "share");
    const opened = { id: own, resource: target };
    assert.is((await refusal(bob, "share", "associate", opened)).code, "FORBIDDEN");
  });
});
