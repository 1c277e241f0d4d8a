import * as assert from "uvu/assert";
import { declarations } from "../../../core/resources/index.ts";
import { suite } from "../../support/suite.ts";
import { openTenants, samples, type Tenants } from "./openTenants.ts";

/** Every secret string in the samples. Each contains the word `canary`. */
const canaries = [
  ...new Set(JSON.stringify(Object.values(samples)).match(/[^"]*canary[^"]*/g)),
].map(String);

suite("core/resources/secrets", (test) => {
  let tenants: Tenants;
  let pluginSecret: string;
  let token: string;
  let accountId: string;

  test.before(async () => {
    tenants = await openTenants();
    const { ada, call } = tenants;
    const plugin = await call(ada, "plugin", "create", {
      properties: samples["plugin"],
    });
    pluginSecret = String(plugin["secret"]);
    token = String(
      (await call(ada, "authorization", "create", { properties: samples["authorization"] }))[
        "token"
      ],
    );
    accountId = (await call(ada, "account", "create", { properties: samples["account"] })).id;
    for (const resource of ["channel", "ssoconfig"]) await tenants.make(ada, resource);
  });
  test.after(() => tenants.close());

  const shows = (value: unknown) => {
    const text = JSON.stringify(value);
    return [...canaries, pluginSecret, token].filter((secret) => text.includes(secret));
  };

  test("the samples of this test contain a secret for every resource that accepts secrets", () => {
    assert.equal(canaries.toSorted(), [
      "canary-certificate",
      "canary-code",
      "canary-property",
      "canary-secret",
      "canary-token",
      "https://canary-hook.example.org",
    ]);
  });

  test("generated secrets have 256 random bits, and `create` returns them", () => {
    for (const secret of [pluginSecret, token])
      assert.is(Buffer.from(secret, "base64url").length, 32);
  });

  test("the catalog stores secrets only encrypted or hashed", async () => {
    for (const resource of declarations.keys())
      assert.equal(shows(await tenants.catalog.knex(resource).select("*")), [], resource);
    const [row] = await tenants.records.find("account", { id: accountId });
    assert.ok(row);
    assert.is(tenants.records.reveal("account", row, "token"), "canary-token");
    assert.is(tenants.records.reveal("account", row, "code"), "canary-code");
    assert.equal(row["properties"], { password: "canary-property" });
  });

  test("an encrypted secret cannot be decrypted as part of another record", async () => {
    const { knex } = tenants.catalog;
    const [row] = await tenants.records.find("account", { id: accountId });
    const other = await tenants.records.insert("account", {
      provider: "x",
      user_id: tenants.eve.userId,
    });
    await knex("account").where({ id: other.id }).update({ token: row?.["token"] });
    const [moved] = await tenants.records.find("account", { id: other.id });
    assert.ok(moved);
    assert.throws(() => tenants.records.reveal("account", moved, "token"), /cannot be decrypted/);
    await tenants.records.remove("account", [other.id]);
  });

  test("apart from `create`, no action returns a secret", async () => {
    const { ada, call, rows } = tenants;
    const answers = [];
    for (const resource of declarations.keys()) answers.push(await rows(ada, resource));
    const [account] = await rows(ada, "account", {
      include: [{ model: "Plugin" }, { model: "User", as: "Owner" }],
    });
    answers.push(account);
    answers.push(await call(ada, "account", "update", { id: accountId, properties: { cache: 5 } }));
    answers.push(
      await call(ada, "account", "associate", {
        id: accountId,
        resource: { role: "Users", id: tenants.bob.userId },
      }),
    );
    assert.equal(shows(answers), []);
    assert.equal(account?.["properties"], { password: null });
  });

  test("secret, hidden and sealed members cannot be selected, searched or sorted", async () => {
    const { ada, call, refusal } = tenants;
    let tried = 0;
    for (const [resource, { fields }] of declarations)
      for (const [member, field] of Object.entries(fields)) {
        if (!field.secret && !field.hidden && !field.sealed) continue;
        const finds: Record<string, unknown>[] = [
          { where: { [member]: "a" } },
          { where: { [member]: null } },
          { where: { [member]: { like: "v1%" } } },
          { where: { [`${member}.password`]: { like: "c%" } } },
          { where: { or: [{ not: { [member]: { gt: "a" } } }] } },
          { order: [[member, "asc"]] },
          { search: { keyphrase: "c", match_types: [member] } },
        ];
        for (const find of finds) {
          const { code, status, message } = await refusal(ada, resource, "get", { find });
          assert.equal(
            [code, status],
            ["MEMBER_UNKNOWN", 400],
            `${resource} ${JSON.stringify(find)}`,
          );
          assert.ok(message.includes(member), message);
          tried++;
        }
        // A hidden member is omitted in the same way as an unknown member.
        const shown = await call(ada, resource, "get", {
          find: { attributes: [member], limit: 5 },
        });
        const records = shown?.["rows"] as Record<string, unknown>[];
        if (!field.sealed)
          assert.not.ok(
            records.some((record) => member in record),
            member,
          );
      }
    assert.ok(tried > 30);
    const included = [
      { model: "Plugin", where: { secret: { like: "a%" } } },
      { model: "Plugin", order: [["secret", "asc"]] },
    ];
    for (const include of included)
      assert.is(
        (await refusal(ada, "account", "get", { find: { include: [include] } })).code,
        "MEMBER_UNKNOWN",
      );
    const include = [{ model: "Plugin", attributes: ["secret"] }];
    assert.not.match(
      JSON.stringify(await call(ada, "account", "get", { find: { include } })),
      "secret",
    );
  });

  test("no error contains a secret", async () => {
    const { ada, refusal } = tenants;
    const refusals = [
      await refusal(ada, "account", "create", {
        properties: { ...samples["account"], token: "refused" },
      }),
      await refusal(ada, "account", "create", {
        properties: { ...samples["account"], cache: "canary-token" },
      }),
      await refusal(ada, "account", "update", {
        id: accountId,
        properties: { token: ["canary-token"] },
      }),
      await refusal(ada, "plugin", "create", {
        properties: { ...samples["plugin"], secret: "canary-token" },
      }),
    ];
    assert.equal(
      refusals.flatMap(({ message, validation }) => shows([message, validation])),
      [],
    );
  });
});
