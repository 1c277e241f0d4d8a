import * as assert from "uvu/assert";
import { randomUUID } from "node:crypto";
import { suite } from "../../../../support/suite.ts";
import { openTenantsFor, samples } from "../../openTenants.ts";

suite("core/resources/kernel/actions/create", (test) => {
  const tenants = openTenantsFor(test);

  test("`create` returns the record, with its defaults, at the top level of the answer", async () => {
    const { ada, call } = tenants;
    const column = await call(ada, "column", "create", { properties: { order: 3 } });
    const defaults = {
      color: "#3182bd",
      lowestLevel: 0,
      highestLevel: 0,
      version: 0,
      width: 170,
      hierarchy_enabled: false,
      ordering_enabled: false,
      colors_enabled: true,
      isLabel: false,
      duration_format: "long",
      expression: null,
      securable_id: null,
    };
    for (const [member, value] of Object.entries(defaults))
      assert.is(column[member], value, member);
    const account = await call(ada, "account", "create", {
      properties: { provider: "sample", port: 5432, name: { en: "A" } },
    });
    const { active, invalid, cache, synced, port, name, properties } = account;
    assert.equal(
      { active, invalid, cache, synced, port, name, properties },
      {
        active: true,
        invalid: false,
        cache: 0,
        synced: false,
        port: "5432",
        name: { en: "A" },
        properties: {},
      },
    );
    assert.is(account["datasets_meta_sync_interval"], 1);
    assert.match(String(account["date"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const dashboard = await call(ada, "securable", "create", { properties: { type: "dashboard" } });
    const { views } = dashboard["contents"] as { views: Record<string, unknown>[] };
    assert.equal(
      views.map((view) => [view["screenModus"], view["items"], view["filterGroups"]]),
      [
        ["desktop", [], []],
        ["tablet", [], []],
        ["mobile", [], []],
      ],
    );
    const dataset = await call(ada, "securable", "create", {
      properties: { type: "dataset", contents: { a: 1 } },
    });
    assert.is(dataset["contents"], null);
  });

  test("`create` stores a record with all its associations or stores nothing", async () => {
    const { ada, call, refusal, records } = tenants;
    const { id } = await call(ada, "securable", "create", { properties: { type: "dataset" } });
    const column = await call(ada, "column", "create", {
      properties: { order: 0 },
      associations: [{ role: "securable", id }],
    });
    assert.is(column["securable_id"], id);
    for (const none of [undefined, null, [], {}])
      assert.ok(
        (await call(ada, "column", "create", { properties: { order: 0 }, associations: none })).id,
      );
    const before = (await records.find("column", {})).length;
    const associations: unknown[] = [
      [
        { role: "securable", id },
        { role: "securable", id: randomUUID() },
      ],
      [{ role: "nope", id }],
      [7],
      { role: "securable", id },
      "securable",
    ];
    for (const each of associations)
      await refusal(ada, "column", "create", { properties: { order: 0 }, associations: each });
    assert.is((await records.find("column", {})).length, before);
  });

  test("a failed `create` call stores nothing and lists every problem by member", async () => {
    const { ada, refusal, records } = tenants;
    const { code, status, validation } = await refusal(ada, "plugin", "create", {
      properties: {
        slug: "no spaces",
        base_url: "https://x.example/",
        name: "text",
        color: "red",
        authorize: null,
        url: "javascript:1",
      },
    });
    assert.equal([code, status], ["MEMBER_INVALID", 400]);
    assert.equal(Object.keys(validation ?? {}).sort(), [
      "authorize",
      "base_url",
      "color",
      "name",
      "slug",
      "url",
    ]);
    const missing = await refusal(ada, "plugin", "create", { properties: {} });
    assert.is(missing.code, "MEMBER_MISSING");
    assert.equal(Object.keys(missing.validation ?? {}).sort(), ["base_url", "name", "slug"]);
    for (const properties of [undefined, null, [], "x"])
      assert.equal((await refusal(ada, "plugin", "create", { properties })).status, 400);
    assert.equal(await records.find("plugin", {}), []);
  });

  test("`create` treats names such as constructor as data, and stores every string unchanged", async () => {
    const { ada, call, rows } = tenants;
    const custom_metadata = JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": "x", "deep": {"__proto__": 2}}',
    );
    const name = { en: "<script>'\"\\ 漢字 🔑", fr: "" };
    const { id } = await call(ada, "securable", "create", {
      properties: { type: "dashboard", name, custom_metadata },
    });
    const [row] = await rows(ada, "securable", { where: { id } });
    assert.is(
      JSON.stringify(row?.["custom_metadata"]).includes('"__proto__":{"polluted":1}'),
      true,
    );
    assert.equal(row?.["name"], name);
    assert.is(({} as Record<string, unknown>)["polluted"], undefined);
  });

  test("values that PostgreSQL cannot store cause a client error", async () => {
    const { ada, refusal } = tenants;
    const odd = [
      { name: { en: "a\u0000" } },
      { css: "\ud800" },
      { custom_metadata: { deep: [{ "\u0000": 1 }] } },
    ];
    for (const properties of odd) {
      const { code, status } = await refusal(ada, "securable", "create", {
        properties: { type: "dashboard", ...properties },
      });
      assert.equal([code, status], ["MEMBER_INVALID", 400], JSON.stringify(properties));
    }
  });

  test("`create` accepts up to 65,536 bytes of custom metadata", async () => {
    const { ada, call, refusal } = tenants;
    const sized = (size: number) => ({
      type: "dashboard",
      custom_metadata: { a: "x".repeat(size - '{"a":""}'.length) },
    });
    assert.ok((await call(ada, "securable", "create", { properties: sized(65_536) })).id);
    assert.match(
      (await refusal(ada, "securable", "create", { properties: sized(65_537) })).message,
      /65536 bytes/,
    );
  });

  test("creating a plugin fails if its address is not allowed", async () => {
    const { ada, call, refusal } = tenants;
    const create = (base_url: string, slug: string) => ({
      properties: { ...samples["plugin"], base_url, slug },
    });
    const good = [
      "http://127.0.0.1:3000",
      "https://x.example/a/b",
      `https://x.example/${"a".repeat(982)}`,
    ];
    for (const [index, url] of good.entries())
      assert.ok((await call(ada, "plugin", "create", create(url, `good${index}`))).id);
    const bad = [
      "https://x.example/",
      "ftp://x.example",
      "x.example",
      "",
      "https://u:p@x.example",
      "https://x.example?a=1",
      `https://x.example/${"a".repeat(983)}`,
    ];
    for (const url of bad)
      assert.is(
        (await refusal(ada, "plugin", "create", create(url, "bad"))).code,
        "MEMBER_INVALID",
        url,
      );
    for (const slug of ["", "a b", "a".repeat(51), "é", "a/b"])
      assert.is(
        (await refusal(ada, "plugin", "create", create("https://x.example", slug))).code,
        "MEMBER_INVALID",
        slug,
      );
  });

  test("creating a plugin requires a slug that is unique within its organization", async () => {
    const { ada, eve, call, refusal } = tenants;
    await call(ada, "plugin", "create", { properties: { ...samples["plugin"], slug: "unique" } });
    const { code, status, message } = await refusal(ada, "plugin", "create", {
      properties: { ...samples["plugin"], slug: "unique" },
    });
    assert.equal(
      [code, status, message],
      ["CONFLICT", 409, "another plugin already has this slug"],
    );
    assert.ok(
      (
        await call(eve, "plugin", "create", {
          properties: { ...samples["plugin"], slug: "unique" },
        })
      ).id,
    );
  });

  test("`create` checks a connection with its source first, and stores nothing if the source refuses the connection", async () => {
    const { ada, call, refusal, records, candidates } = tenants;
    const before = (await records.find("account", {})).length;
    const refused = await refusal(ada, "account", "create", {
      properties: { ...samples["account"], token: "refused" },
    });
    assert.equal([refused.code, refused.status], ["PLUGIN_FORBIDDEN", 403]);
    assert.is((await records.find("account", {})).length, before);
    const account = await call(ada, "account", "create", { properties: samples["account"] });
    assert.equal(
      [candidates.at(-1)?.token, candidates.at(-1)?.properties],
      ["canary-token", { password: "canary-property" }],
    );
    const testedCount = candidates.length;
    await call(ada, "account", "update", {
      id: account.id,
      properties: { cache: 60, active: false },
    });
    assert.is(candidates.length, testedCount);
    await call(ada, "account", "update", {
      id: account.id,
      properties: { identifier: "me", properties: { password: null } },
    });
    const { token, properties } = candidates.at(-1) ?? {};
    assert.equal(
      { token, properties },
      { token: "canary-token", properties: { password: "canary-property" } },
    );
    const changed = { id: account.id, properties: { token: "refused" } };
    assert.is((await refusal(ada, "account", "update", changed)).code, "PLUGIN_FORBIDDEN");
    const [row] = await records.find("account", { id: account.id });
    assert.ok(row);
    assert.is(records.reveal("account", row, "token"), "canary-token");
  });

  test("creating a connection links it to the plugin named as its provider", async () => {
    const { bob, eve, call } = tenants;
    const properties = { ...samples["account"], provider: "own" };
    const plugin = await call(eve, "plugin", "create", {
      properties: { ...samples["plugin"], slug: "own" },
    });
    assert.is((await call(eve, "account", "create", { properties }))["plugin_id"], plugin.id);
    assert.is((await call(bob, "account", "create", { properties }))["plugin_id"], null);
  });

  test("creating an API token returns a token of the caller with the requested lifetime", async () => {
    const { bob, call, refusal, rows } = tenants;
    const properties = { type: "api", user_id: tenants.ada.userId };
    const foreign = await refusal(bob, "authorization", "create", { properties });
    assert.match(foreign.message, /acts as the user who creates it/);
    const made = await call(bob, "authorization", "create", { properties: { type: "api" } });
    assert.equal([made["user_id"], made["expiry"]], [bob.userId, "9999-12-31T00:00:00.000Z"]);
    const day = await call(bob, "authorization", "create", {
      properties: { type: "api", expiry: "24 hours" },
    });
    const lifeMs = Date.parse(String(day["expiry"])) - Date.parse(String(day["created_at"]));
    assert.ok(Math.abs(lifeMs - 86_400_000) < 10_000);
    assert.is(
      (await rows(bob, "authorization", { where: { type: "api" } })).some((row) => "token" in row),
      false,
    );
    for (const type of ["login", "technical", "", 7]) {
      const { status, message } = await refusal(bob, "authorization", "create", {
        properties: { type },
      });
      assert.is(status, 400);
      assert.match(message, /properties\.type/);
    }
    for (const expiry of ["soon", "0 hours", "-1 days", 5, ""])
      assert.is(
        (await refusal(bob, "authorization", "create", { properties: { type: "api", expiry } }))
          .status,
        400,
      );
  });
});
