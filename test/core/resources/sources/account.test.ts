import * as assert from "uvu/assert";
import { suite } from "../../../support/suite.ts";
import { children, openTenants, type Answer, type Tenants } from "../openTenants.ts";

type Json = Record<string, unknown>;

const declared = [
  { id: "region", type: "text", label: "Region", required: true, destination: false },
  { id: "Timeout", type: "number" },
  { id: "password", type: "password", required: true },
  { id: "apiKey", type: "text" },
  { id: "login_key", type: "text", secret: false },
  { id: "hidden", type: "text", secret: true },
  { id: "untyped", label: "no type, so nobody knows" },
  { id: "odd", type: "hologram" },
];

suite("core/resources/sources/account", (test) => {
  let tenants: Tenants;
  test.before(async () => {
    tenants = await openTenants();
    const properties = {
      slug: "declaring",
      name: { en: "Declaring" },
      base_url: "https://plugin.example.org",
      authorize: "custom",
      properties: declared,
    };
    await tenants.call(tenants.ada, "plugin", "create", { properties });
  });
  test.after(() => tenants.close());

  const complete = { region: "eu", password: "canary" };
  const create = (properties: Json): Promise<Answer> =>
    tenants.call(tenants.ada, "account", "create", {
      properties: { provider: "declaring", ...properties },
    });
  const refusal = (action: "create" | "update", properties: Json, id?: string) =>
    tenants.refusal(tenants.ada, "account", action, { id, properties });

  test("an account can be marked as invalid until its source accepts the credentials", async () => {
    const { id, invalid } = await create({ properties: complete });
    assert.is(invalid, false);
    const { ada, call } = tenants;
    const update = (properties: Json) => call(ada, "account", "update", { id, properties });
    assert.is((await update({ invalid: true }))["invalid"], true);
    assert.is((await update({ name: "renamed" }))["invalid"], true);
    assert.is((await update({ token: "accepted" }))["invalid"], false);
    assert.is((await create({ properties: complete, invalid: true }))["invalid"], true);
  });

  test("an account must have every property that its plugin requires", async () => {
    const incomplete: readonly (readonly [Json, string])[] = [
      [{}, "region"],
      [{ properties: {} }, "region"],
      [{ properties: { region: "", password: "x" } }, "region"],
      [{ properties: { region: "eu", password: null } }, "password"],
    ];
    for (const [properties, missing] of incomplete) {
      const { code, status, message } = await refusal("create", {
        provider: "declaring",
        ...properties,
      });
      assert.equal([code, status], ["MEMBER_MISSING", 400]);
      assert.match(message, `properties.properties.${missing}`);
      assert.match(message, "declaring");
    }
    const { id } = await create({ properties: { REGION: "eu", password: "canary" } });
    const before = tenants.candidates.length;
    const { message } = await refusal("update", { properties: { REGION: "eu" } }, id);
    assert.match(message, "properties.properties.password");
    assert.is(tenants.candidates.length, before, "the source was called");
    await tenants.call(tenants.ada, "account", "update", { id, properties: { name: "kept" } });
    // A member that responses show as null keeps its value if null is sent, and counts as present.
    await tenants.call(tenants.ada, "account", "update", {
      id,
      properties: { properties: { REGION: "us", password: null } },
    });
  });

  test("a property that a plugin declares may also be a member of the account", async () => {
    await tenants.call(tenants.ada, "plugin", "create", {
      properties: {
        slug: "members",
        name: { en: "Members" },
        base_url: "https://plugin.example.org",
        authorize: "custom",
        properties: ["Host", "port", "scope", "identifier", "token"].map((id) => ({
          id,
          required: true,
        })),
      },
    });
    const given = { host: "db", port: 5432, scope: "sales", identifier: "ada", token: "canary" };
    await create({ provider: "members", ...given });
    for (const member of Object.keys(given)) {
      const without = { ...given, [member]: null };
      const { message } = await refusal("create", { provider: "members", ...without });
      assert.match(message, new RegExp(`properties\\.properties\\.${member}`, "i"));
    }
  });

  test("responses show values only of properties that the plugin declares as not secret", async () => {
    const properties = {
      ...complete,
      timeout: 5,
      apiKey: "canary",
      login_key: "ada",
      hidden: "canary",
      untyped: "canary",
      odd: "canary",
      unknown: "canary",
    };
    const masked = {
      region: "eu",
      timeout: 5,
      login_key: "ada",
      password: null,
      apiKey: null,
      hidden: null,
      untyped: null,
      odd: null,
      unknown: null,
    };
    const created = await create({ properties });
    assert.equal(created["properties"], masked);
    const { ada, call, rows } = tenants;
    const { id } = created;
    const changed = { id, properties: { name: "n" } };
    assert.equal((await call(ada, "account", "update", changed))["properties"], masked);
    for (const attributes of [undefined, ["properties"]]) {
      const [row] = await rows(ada, "account", {
        where: { id },
        ...(attributes && { attributes }),
      });
      assert.equal(row?.["properties"], masked);
    }
    const [plugin] = await rows(ada, "plugin", {
      where: { slug: "declaring" },
      include: [{ model: "Account", where: { id } }],
    });
    assert.equal(children(plugin, "accounts")[0]?.["properties"], masked);
    // The plugin's current declaration decides which values are shown.
    const hidden = declared.map((each) => ({ ...each, secret: true }));
    await call(ada, "plugin", "update", { id: plugin?.id, properties: { properties: hidden } });
    const [now] = await rows(ada, "account", { where: { id } });
    assert.ok(Object.values(now?.["properties"] as Json).every((value) => value === null));
    await call(ada, "plugin", "update", { id: plugin?.id, properties: { properties: declared } });
  });

  const changes = [
    { name: "Renamed" },
    { host: "elsewhere.example.org" },
    { port: "5433" },
    { properties: { base_url: "https://elsewhere.example.org" } },
    { token: "another", properties: {}, host: "elsewhere.example.org" },
    { token: "another" },
    { cache: 60 },
    { active: false },
  ];

  test("only owners of a connection can change the connection, because a change decides where its secrets are sent", async () => {
    const { ada, bob, call, refusal, records, candidates } = tenants;
    const made = { provider: "p", host: "db.example.org", token: "the stored secret" };
    const { id } = await call(ada, "account", "create", { properties: made });
    const share = (flags: object) =>
      call(ada, "account", "associate", {
        id,
        resource: { role: "Users", id: bob.userId },
        properties: flags,
      });
    const before = candidates.length;
    for (const flags of [{ flagUse: true }, { flagModify: true }]) {
      await share(flags);
      for (const properties of changes) {
        const { status, message } = await refusal(bob, "account", "update", { id, properties });
        assert.equal([status, /own this account/.test(message)], [403, true]);
      }
    }
    assert.is(candidates.length, before, "no source was called");
    const [kept] = await records.find("account", { id });
    assert.equal([kept?.["host"], kept?.["name"]], ["db.example.org", null]);
    await share({ flagOwn: true });
    const there = { host: "new.example.org", token: "entered again" };
    await call(bob, "account", "update", { id, properties: there });
    assert.is(candidates.at(-1)?.host, "new.example.org");
    await call(ada, "account", "update", { id, properties: made });
  });
});
