import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { children, openTenantsFor, samples } from "../openTenants.ts";

suite("core/resources/ai/aiConversation", (test) => {
  const tenants = openTenantsFor(test);

  test("only a conversation's user can see the conversation, its messages and their attachments", async () => {
    const { ada, ben, call, rows, refusal, make } = tenants;
    const id = await make(ada, "aiconversation");
    const message = await call(ada, "aimessage", "create", {
      properties: { ...samples["aimessage"], conversation_id: id },
    });
    await call(ada, "aimessageasset", "create", {
      properties: { type: "item", value: { a: 1 }, message_id: message.id },
    });
    const include = [{ model: "AIMessage", include: [{ model: "AIMessageAsset" }] }];
    const [row] = await rows(ada, "aiconversation", { where: { id }, include });
    const [seen] = children(row, "aiMessages");
    assert.equal(seen?.["content"], { role: "user", content: "Hello" });
    assert.equal(
      children(seen, "aiMessageAssets").map(({ value }) => value),
      [{ a: 1 }],
    );
    for (const resource of ["aiconversation", "aimessage", "aimessageasset"])
      assert.equal(await rows(ben, resource, {}), [], resource);
    const into = { properties: { ...samples["aimessage"], conversation_id: id } };
    assert.is((await refusal(ben, "aimessage", "create", into)).code, "RECORD_NOT_FOUND");
    assert.match(
      await tenants.refusedBy("aimessage", {
        content: { role: "system", content: "x" },
        conversation_id: id,
      }),
      /content/,
    );
    await call(ada, "aiconversation", "delete", { id });
    assert.equal(await rows(ada, "aimessage", { where: { id: message.id } }), []);
  });
});
