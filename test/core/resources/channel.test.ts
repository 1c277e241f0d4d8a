import * as assert from "uvu/assert";
import { suite } from "../../support/suite.ts";
import { openTenants, type Tenants } from "./openTenants.ts";

suite("core/resources/channel", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
  });
  test.after(() => tenants.close());

  test("a channel shows of its config what is no secret, and keeps what comes back as null", async () => {
    const { ada, bob, call, refusal, rows, records, make } = tenants;
    const id = await make(ada, "channel");
    const [row] = await rows(ada, "channel", { where: { id } });
    assert.equal(row?.["config"], { url: null, secret: null, text: "Hello" });
    const config = { url: null, secret: "other", text: "Bye" };
    await call(ada, "channel", "update", { id, properties: { config } });
    const [stored] = await records.find("channel", { id });
    assert.equal(stored?.["config"], {
      url: "https://canary-hook.example.org",
      secret: "other",
      text: "Bye",
    });
    for (const [role, target] of [
      ["Users", bob.userId],
      ["Organizations", ada.organizationId],
    ]) {
      const link = { id, resource: { role, id: target } };
      await call(ada, "channel", "associate", link);
      assert.is((await rows(bob, "channel", { where: { id } })).length, 1);
      assert.is(
        (await refusal(bob, "channel", "update", { id, properties: {} })).code,
        "FORBIDDEN",
      );
      await call(ada, "channel", "dissociate", link);
      assert.equal(await rows(bob, "channel", { where: { id } }), []);
    }
  });
});
