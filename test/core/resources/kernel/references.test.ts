import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor, samples } from "../openTenants.ts";

suite("core/resources/kernel/references", (test) => {
  const tenants = openTenantsFor(test);

  test("a new record can refer only to records that its creator may see", async () => {
    const { ada, eve, call, refusal, make } = tenants;
    const foreign = {
      securable: await make(eve, "securable"),
      column: await make(eve, "column"),
      aiconversation: await make(eve, "aiconversation"),
      aimessage: await make(eve, "aimessage"),
    };
    const cases: [string, string, string][] = [
      ["alert", "securable_id", foreign.securable],
      ["acceleration", "created_at_column_id", foreign.column],
      ["aimessage", "conversation_id", foreign.aiconversation],
      ["aimessageasset", "message_id", foreign.aimessage],
      ["user", "country_id", "XX"],
    ];
    for (const [resource, member, id] of cases) {
      const random = resource === "user" ? "YY" : randomUUID();
      const properties = await tenants.properties(ada, resource);
      const refused = async (value: string) =>
        (
          await refusal(ada, resource, "create", { properties: { ...properties, [member]: value } })
        ).message.replace(value, "<id>");
      assert.is(await refused(id), await refused(random), resource);
      assert.match(await refused(id), /there is no \w+ <id>/);
    }
    const alert = await make(ada, "alert");
    const moved = { id: alert, properties: { securable_id: foreign.securable } };
    assert.is((await refusal(ada, "alert", "update", moved)).code, "RECORD_NOT_FOUND");
    assert.match(
      await tenants.refusedBy("alert", { ...samples["alert"], chart_id: "odd" }),
      /chart_id .*UUID/,
    );
    await call(ada, "alert", "update", { id: alert, properties: { securable_id: null } });
  });
});
