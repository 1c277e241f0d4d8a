import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { openTenantsFor } from "../openTenants.ts";

suite("core/resources/automation/channel", (test) => {
  const tenants = openTenantsFor(test);

  test("a channel never returns the secret members of its config, and sending null keeps these members", async () => {
    const { ada, bob, call, refusal, rows, records, make } = tenants;
    const id = await make(ada, "channel");
    const [row] = await rows(ada, "channel", { where: { id } });
    assert.equal(row?.["config"], { url: null, secret: null, text: "Hello" });
    const config = { url: null, secret: "other", text: "Bye" };
    await call(ada, "channel", "update", { id, properties: { config } });
    const stored = async () => (await records.find("channel", { id }))[0]?.["config"];
    const { previous_secret_until: until, ...kept } = { ...(await stored()) };
    assert.equal(kept, {
      url: "https://canary-hook.example.org",
      secret: "other",
      text: "Bye",
      previous_secret: "canary-secret",
    });
    const hours = (Date.parse(String(until)) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours < 24.1, `both secrets sign for ${hours} hours`);
    // Sending a record back as it was read changes nothing. An empty `previous_secret` ends the overlap of the two
    // secrets.
    const shown = async () => (await rows(ada, "channel", { where: { id } }))[0]?.["config"];
    await call(ada, "channel", "update", { id, properties: { config: await shown() } });
    assert.equal(await stored(), { ...kept, previous_secret_until: until });
    const ended = { url: null, secret: null, previous_secret: "" };
    await call(ada, "channel", "update", { id, properties: { config: ended } });
    assert.equal(await stored(), { url: kept["url"], secret: "other", previous_secret: "" });
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

  /** The minimal config of each channel type. */
  const least = {
    email: { recipients: [{ email: "a@example.org" }] },
    webhook: { url: "https://hook.example.org/a" },
    slack: { url: "https://hook.example.org/b" },
    teams: { url: "https://hook.example.org/c" },
    sms: { to: "+32 2 555 01 00" },
  };

  test("creating a channel without a member that is needed for sending fails, and the error names the member", async () => {
    const { ada, call, refusal, records } = tenants;
    for (const [type, config] of Object.entries(least)) {
      const [member = ""] = Object.keys(config);
      const named = new RegExp(`properties\\.config\\.${member} is required: `);
      const { id } = await call(ada, "channel", "create", { properties: { type, config } });
      const empty = member === "recipients" ? { [member]: [] } : { [member]: null };
      for (const given of [undefined, null, {}, [], empty, { text: "Hello" }]) {
        const body = { properties: { type, config: given } };
        const { status, message } = await refusal(ada, "channel", "create", body);
        assert.is(status, 400);
        assert.match(message, named);
        assert.is((await call(ada, "channel", "validate", body))["message"], message);
      }
      for (const given of [null, {}, { text: "Hello" }]) {
        const body = { id, properties: { config: given } };
        assert.match((await refusal(ada, "channel", "update", body)).message, named);
        assert.is((await call(ada, "channel", "validate", body))["valid"], false);
      }
      // Null keeps the stored value, so a record sent back as it was read is accepted.
      const asRead = { id, properties: { config: { [member]: null } } };
      assert.is((await call(ada, "channel", "validate", asRead))["valid"], true);
      await call(ada, "channel", "update", asRead);
      await call(ada, "channel", "update", { id, properties: { name: { en: "Other" } } });
      const stored = (await records.find("channel", { id }))[0]?.["config"];
      const { secret, ...rest } = { secret: undefined, ...stored };
      assert.equal(rest, config);
      assert.is(typeof secret, type === "webhook" ? "string" : "undefined");
    }
  });

  test("the host creates a webhook's secret, shows the secret once and keeps it until the address changes", async () => {
    const { ada, call, refusal, rows, records } = tenants;
    const properties = { type: "webhook", config: { url: "https://hook.example.org/a" } };
    const made = await call(ada, "channel", "create", { properties });
    const { id, secret } = made as { id: string; secret: string };
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.not.match(JSON.stringify(await rows(ada, "channel", { where: { id } })), secret);
    const stored = async (): Promise<Record<string, unknown>> => ({
      ...(await records.find("channel", { id }))[0]?.["config"],
    });
    assert.is((await stored())["secret"], secret);
    const update = (given: object) =>
      call(ada, "channel", "update", { id, properties: given }) as Promise<{ secret?: string }>;
    assert.is((await update({ config: properties.config })).secret, undefined);
    assert.equal(await stored(), { ...properties.config, secret });
    const rotated = await update({ rotate_secret: true });
    const { secret: second, previous_secret, previous_secret_until: until } = await stored();
    assert.equal([second, previous_secret], [rotated.secret, secret]);
    assert.ok(Date.parse(String(until)) > Date.now());
    const moved = await update({ config: { url: "https://hook.example.org/b" } });
    assert.match(moved.secret ?? "", "whsec_");
    assert.equal(await stored(), { url: "https://hook.example.org/b", secret: moved.secret });
    for (const [type, given] of [
      ["webhook", { rotate_secret: true, config: { url: null, secret: "another secret 2" } }],
      ["slack", { rotate_secret: true }],
    ] as const) {
      const other =
        type === "slack"
          ? (
              await call(ada, "channel", "create", {
                properties: { type, config: properties.config },
              })
            ).id
          : id;
      const body = { id: other, properties: given };
      assert.match((await refusal(ada, "channel", "update", body)).message, "rotate_secret");
    }
  });

  test("each wrong address of a channel is named by its place", async () => {
    const { ada, refusal } = tenants;
    const placesOf = async (type: string, config: object) => {
      const { validation } = await refusal(ada, "channel", "create", {
        properties: { type, config },
      });
      return (validation?.["config"] ?? []).map((text) => text.split(": ")[0]);
    };
    const recipients = ["a@example.org", "b", "c@example.org", "d e@example.org"];
    assert.equal(await placesOf("email", { recipients: recipients.map((email) => ({ email })) }), [
      "recipients[1].email",
      "recipients[3].email",
    ]);
    assert.equal(await placesOf("sms", { to: ["+32 2 555 01 00", "12"] }), ["to[1]"]);
    assert.equal(await placesOf("sms", { to: "12" }), ["to"]);
    assert.equal(await placesOf("email", { recipients: "a@example.org" }), ["recipients"]);
  });

  test("a short secret of a webhook is stored with a warning", async () => {
    const { ada, call } = tenants;
    const config = { url: "https://hook.example.org/a", secret: "x" };
    const properties = { type: "webhook", config };
    for (const action of ["create", "validate"] as const) {
      const { warnings } = await call(ada, "channel", action, { properties });
      assert.match(String(warnings), "config.secret has only 1 character");
    }
    const long = { ...properties, config: { ...config, secret: "x".repeat(16) } };
    const { warnings, secret } = await call(ada, "channel", "create", { properties: long });
    assert.equal([warnings, secret], [undefined, undefined]);
  });

  test("a channel's config is checked by the rules of its type, and unknown members are kept", async () => {
    const { ada, call, refusal, records } = tenants;
    const email = {
      message: { en: "Look" },
      subject: "Sales",
      recipients: [{ email: "a@example.org" }],
      more: [1],
    };
    const webhook = { url: "https://hook.example.org/a", secret: "s".repeat(16), subject: 5 };
    const slack = { url: "https://hook.example.org/b", recipients: "everyone", more: 5 };
    for (const [type, config] of [
      ["email", email],
      ["webhook", webhook],
      ["slack", slack],
      ["slack", { ...slack, text: null }],
      ["teams", { url: slack.url }],
      ["sms", { to: "+32 2 555 01 00" }],
      ["sms", { to: null, recipients: [{ phone: "+32 2 555 01 00" }] }],
      ["email", { recipients: email.recipients, subject: null }],
    ] as const) {
      const properties = { type, config };
      const checked = await call(ada, "channel", "validate", { properties });
      assert.equal(checked as Record<string, unknown>, { valid: true });
      const { id } = await call(ada, "channel", "create", { properties });
      assert.equal((await records.find("channel", { id }))[0]?.["config"], config);
    }
    const ids: Record<string, string> = {};
    for (const [type, config] of Object.entries(least))
      ids[type] = (await call(ada, "channel", "create", { properties: { type, config } })).id;
    for (const [type, member, values] of [
      ["email", "message", [5, ["a"], { en: 5 }, "{{ query }}"]],
      ["email", "subject", [true, { en: null }]],
      ["email", "recipients", ["a@example.org", ["a@example.org"], { email: "a@example.org" }]],
      ["email", "recipients", ["a", "a@b\r\nBcc: c@d", "a@b, c@d", 5].map((email) => [{ email }])],
      ["webhook", "url", [5, "hook", "ftp://hook.example.org", "javascript:alert(1)", ""]],
      ["webhook", "secret", [5, {}, "whsec_short", `whsec_${"!".repeat(40)}`]],
      ["webhook", "previous_secret_until", [5, "soon"]],
      ["slack", "url", [5, "hook"]],
      ["slack", "text", [5, "{{secret}}", { en: "{{constructor}}" }]],
      ["teams", "url", [5, "hook"]],
      ["sms", "to", [5, "nobody", "0032 2", ["+32 2 555 01 00", 5]]],
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
          assert.match(message, new RegExp(`properties\\.config\\.${member}(\\[\\d\\]\\S*)? `));
          const checked = await call(ada, "channel", "validate", body);
          assert.equal([checked["valid"], checked["message"]], [false, message]);
        }
      }
    const { id } = await call(ada, "channel", "create", {
      properties: { type: "slack", config: { url: slack.url, secret: 5 } },
    });
    const moved = await refusal(ada, "channel", "update", { id, properties: { type: "webhook" } });
    assert.match(moved.message, /properties\.config\.secret/);
    const odd = await refusal(ada, "channel", "create", { properties: { type: "pigeon" } });
    assert.is(odd.status, 400);
    assert.match(odd.message, /properties\.type .*must be one of .*, not "pigeon"/);
    for (const [type, kind] of [
      ["x".repeat(41), "a string"],
      [5, "a number"],
    ]) {
      const { message } = await refusal(ada, "channel", "create", { properties: { type } });
      assert.match(message, new RegExp(`must be one of .*, not ${kind}`));
    }
  });
});
