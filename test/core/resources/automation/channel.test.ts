import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/automation/channel", (test) => {
  const tenants = openTenantsFor(test);

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

  test("the config of a channel is checked by its type, and members that are not known are kept (contract C1)", async () => {
    const { ada, call, refusal, records } = tenants;
    const email = {
      message: { en: "Look" },
      subject: "Sales",
      recipients: [{ email: "a@example.org" }],
      more: [1],
    };
    const webhook = { url: "https://hook.example.org/a", secret: "s", subject: 5 };
    const slack = { url: 5, recipients: "everyone" };
    for (const [type, config] of [
      ["email", email],
      ["webhook", webhook],
      ["slack", slack],
      ["sms", null],
      ["email", { subject: null }],
    ] as const) {
      const properties = { type, config };
      const checked = await call(ada, "channel", "validate", { properties });
      assert.equal(checked as Record<string, unknown>, { valid: true });
      const { id } = await call(ada, "channel", "create", { properties });
      assert.equal((await records.find("channel", { id }))[0]?.["config"], config);
    }
    const ids: Record<string, string> = {};
    for (const type of ["email", "webhook"])
      ids[type] = (await call(ada, "channel", "create", { properties: { type } })).id;
    for (const [type, member, values] of [
      ["email", "message", [5, ["a"], { en: 5 }]],
      ["email", "subject", [true, { en: null }]],
      ["email", "recipients", ["a@example.org", ["a@example.org"], { email: "a@example.org" }]],
      ["webhook", "url", [5, "hook", "ftp://hook.example.org", "javascript:alert(1)", ""]],
      ["webhook", "secret", [5, {}]],
    ] as const)
      for (const value of values) {
        const config = { [member]: value };
        const bodies = [
          { properties: { type, config } },
          { id: ids[type], properties: { config } },
        ];
        for (const [index, action] of (["create", "update"] as const).entries()) {
          const body = bodies[index] ?? {};
          const { status, message } = await refusal(ada, "channel", action, body);
          assert.is(status, 400);
          assert.match(message, new RegExp(`properties\\.config\\.${member} `));
          const checked = await call(ada, "channel", "validate", body);
          assert.equal([checked["valid"], checked["message"]], [false, message]);
        }
      }
    const { id } = await call(ada, "channel", "create", {
      properties: { type: "slack", config: slack },
    });
    const moved = await refusal(ada, "channel", "update", { id, properties: { type: "webhook" } });
    assert.match(moved.message, /properties\.config\.url/);
    const odd = await refusal(ada, "channel", "create", { properties: { type: "pigeon" } });
    assert.equal([odd.status, /properties\.type/.test(odd.message)], [400, true]);
  });
});
