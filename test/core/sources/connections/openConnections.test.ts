import {
  type Connections,
  destinationOf,
  type Principal,
} from "../../../../core/base/contracts/index.ts";
import * as assert from "uvu/assert";
import { readConfig } from "../../../../core/base/config.ts";
import { type InProcess, openConnections } from "../../../../core/sources/connections/index.ts";
import type { Plugin } from "../../../../plugins/protocol/index.ts";
import { definePlugin, serve } from "../../../../plugins/sdk/index.ts";
import { type LegacyPlugin, openLegacyPlugin } from "../../../support/legacyPlugin.ts";
import { createMemoryRecords, type MemoryRecords } from "../../../support/memoryRecords.ts";
import { suite } from "../../../support/suite.ts";

const principal: Principal = {
  authorizationId: "a1",
  authorizationType: "api",
  userId: "u1",
  organizationId: "o1",
  organizationRole: "owner",
  name: "Ada",
  email: "ada@example.org",
};
const signal = () => new AbortController().signal;
const cities = {
  id: "cities",
  name: "Cities",
  columns: [{ id: "name", type: "hierarchy" }],
  rows: [["Ghent"]],
};

function createInProcess(capabilities: Plugin["capabilities"] = { write: true, temporary: true }) {
  const seen = { closeCount: 0, healthCount: 0 };
  const strata: Plugin = {
    capabilities,
    datasets: async () => [],
    query: async () => ({ rowCount: 0, columns: [] }),
    write: async () => ({ rowCount: 0, version: "1" }),
    health: async () => {
      seen.healthCount += 1;
    },
  };
  const inProcess: InProcess = {
    plugins: new Map([["strata", strata]]),
    close: async () => {
      seen.closeCount += 1;
    },
  };
  return { inProcess, seen };
}

suite("core/sources/connections/openConnections", (test) => {
  let plugin: LegacyPlugin;
  let records: MemoryRecords;
  let connections: Connections;
  let seen: { closeCount: number; healthCount: number };
  const config = readConfig({ egressAllow: ["127.0.0.1"], pluginTimeoutMs: 5000 }, {});

  test.before(async () => {
    plugin = await openLegacyPlugin({
      version: "3.0.0",
      pushdown: false,
      datasets: [cities],
      secret: "plugin-secret",
      authorize: { key: "ada", token: "t0ken" },
    });
  });
  test.beforeEach(async () => {
    const created = createInProcess();
    seen = created.seen;
    records = createMemoryRecords();
    connections = await openConnections({ config, records, plugins: created.inProcess });
    await records.insert("plugin", {
      id: "p1",
      slug: "cities",
      base_url: plugin.url,
      protocol_version: null,
      pushdown: false,
      secret: "plugin-secret",
      user_id: "u1",
      organization_id: "o1",
    });
    await records.insert("organization", { id: "o2", signed_up: true });
    records.link("user", "Organizations", "u2", "o2");
    const account = {
      id: "c1",
      provider: "cities",
      plugin_id: "p1",
      identifier: "ada",
      token: "t0ken",
      properties: { region: "eu" },
      active: true,
      user_id: "u1",
    };
    const source = { plugin: { id: "p1", base_url: plugin.url }, properties: [] };
    const confirmed_for = JSON.stringify(destinationOf(account, source));
    await records.insert("account", { ...account, confirmed_for });
  });
  test.afterEach(() => connections.close());
  test.after(() => plugin.close());

  test("an account's connection calls its plugin with the account's credentials", async () => {
    const connection = await connections.ofAccount("c1");
    assert.is(connection.name, "cities");
    await connection.authorize({ signal: signal() });
    assert.is((await connection.datasets({ signal: signal() }))[0]?.id, "cities");
    assert.is(plugin.requests.at(-1)?.headers["x-property-region"], "eu");
  });

  test("an account becomes invalid when its source rejects the credentials, and valid when the source accepts them", async () => {
    const invalid = async () => (await records.find("account", { id: "c1" }))[0]?.["invalid"];
    const list = async (token: string, override?: object) => {
      await records.change("account", "c1", { token });
      const connection = await connections.ofAccount("c1", override);
      return connection.authorize({ signal: signal() }).then(
        () => "good",
        (thrown: { code?: string }) => thrown.code,
      );
    };
    assert.is(await list("t0ken"), "good");
    assert.is(await invalid(), undefined, "nothing is written while nothing changes");
    assert.is(await list("another", { password: "a third" }), "PLUGIN_FORBIDDEN");
    assert.is(await invalid(), undefined, "a token's overrides do not affect the account");
    assert.is(await list("another"), "PLUGIN_FORBIDDEN");
    assert.is(await invalid(), true);
    assert.is(await list("t0ken"), "good");
    assert.is(await invalid(), false);
  });

  test("a token's overrides replace members of the account for the plugin, and change the connection's fingerprint", async () => {
    const override = {
      host: "https://db.example.org",
      user: "ada",
      password: "t0ken",
      database: "north",
      schema: "s",
      properties: {
        region: "us",
        extra: "x",
      },
    };
    const connection = await connections.ofAccount("c1", override);
    await connection.authorize({ signal: signal() });
    const { headers } = plugin.requests.at(-1) ?? { headers: {} as Record<string, unknown> };
    const names = ["host", "region", "extra", "database", "schema"];
    assert.equal(
      names.map((name) => headers[`x-property-${name}`]),
      ["https://db.example.org", "us", "x", "north", "s"],
    );
    const plain = await connections.ofAccount("c1");
    assert.is.not(connection.fingerprint, plain.fingerprint);
    const wrong = await connections.ofAccount("c1", { password: "another" });
    const failure: { code?: string } = await wrong.authorize({ signal: signal() }).then(
      () => ({}),
      (thrown) => thrown,
    );
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    const count = plugin.requests.length;
    const elsewhere = await connections.ofAccount("c1", { base_url: "http://127.0.0.2:9" });
    assert.is.not(elsewhere.fingerprint, plain.fingerprint);
    const refused: unknown = await elsewhere
      .datasets({ signal: signal() })
      .catch((thrown) => thrown);
    assert.instance(refused, Error);
    assert.is(plugin.requests.length, count);
  });

  test("an address in a token needs the grants of the account's organization, not those of the plugin's organization", async () => {
    const list = async (override?: { base_url: string }) => {
      const connection = await connections.ofAccount("c1", override);
      return connection.datasets({ signal: signal() }).then(
        (datasets) => datasets[0]?.id,
        (failure: { code?: string }) => failure.code,
      );
    };
    await records.change("account", "c1", { user_id: "u2" });
    assert.is(await list(), "cities");
    assert.is(await list({ base_url: plugin.url }), "PLUGIN_INVALID");
    await records.change("account", "c1", { user_id: "u1" });
    assert.is(await list({ base_url: plugin.url }), "cities");
    await records.change("plugin", "p1", { organization_id: "o2" });
    assert.is(await list(), "PLUGIN_INVALID");
  });

  const confirmed_for = JSON.stringify({ provider: "cities", "properties.region": "eu" });
  const refusals: readonly (readonly [
    string,
    string,
    Record<string, unknown> | undefined,
    string,
  ])[] = [
    ["an unknown account", "c9", undefined, "RECORD_NOT_FOUND"],
    ["an inactive account", "c1", { active: false }, "PLUGIN_FORBIDDEN"],
    ["an account without a plugin", "c1", { plugin_id: null, confirmed_for }, "PLUGIN_INVALID"],
    ["an account of a deleted plugin", "c1", { plugin_id: "p9", confirmed_for }, "PLUGIN_INVALID"],
  ];
  for (const [what, id, change, code] of refusals)
    test(`using ${what} fails with ${code}`, async () => {
      if (change) await records.change("account", id, change);
      const failure: { code?: string } = await connections.ofAccount(id).then(
        () => ({}),
        (thrown) => thrown,
      );
      assert.is(failure.code, code);
    });

  test("plugins in the host's process count as verified, and plugins over HTTP do not", async () => {
    const remote = await connections.ofAccount("c1");
    const { store, scratch } = connections;
    assert.equal(
      [store, scratch, remote].map(({ isTrusted }) => isTrusted),
      [true, true, false],
    );
  });

  test("a plugin with `authorize: none` is never called to check credentials", async () => {
    plugin.requests.length = 0;
    await records.change("plugin", "p1", { authorize: "none" });
    await records.change("account", "c1", { token: "wrong" });
    const connection = await connections.ofAccount("c1");
    assert.equal(await connection.authorize({ signal: signal() }), { encryption: "clear" });
    assert.not.ok(plugin.requests.some(({ path }) => path === "/authorize"));
  });

  test("a caller's providers are the connectors and the plugins that the caller can use", async () => {
    const stranger = { ...principal, userId: "u9", organizationId: "o9" };
    const slugsOf = async (caller: Principal) =>
      (await connections.providers(caller)).map(({ provider, kind }) => `${kind} ${provider}`);
    const own = await slugsOf(principal);
    assert.equal(own.slice(0, 2), ["connector clickhouse", "connector files"]);
    assert.is(own.at(-1), "plugin cities");
    assert.equal(await slugsOf(stranger), own.slice(0, -1), "someone else's plugin is absent");
    assert.ok(
      (await connections.providers(principal)).every(
        ({ kind, properties }) => kind === "plugin" || properties === null,
      ),
      "listing imports no connector",
    );
    const [postgres, ...none] = await connections.providers(principal, "postgresql");
    assert.equal(none, []);
    assert.ok(postgres?.properties?.some((each) => "id" in each && each.id === "scope"));
    assert.equal(await connections.providers(stranger, "cities"), []);
  });

  test("an account can be authorized with credentials that are not yet stored", async () => {
    const account = { provider: "cities", identifier: "ada", token: "wrong" };
    const connection = await connections.candidate(account, principal);
    const failure: { code?: string; message?: string } = await connection
      .authorize({ signal: signal() })
      .then(
        () => ({}),
        (thrown) => thrown,
      );
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.not.match(failure.message ?? "", "wrong user");
  });

  test("an unknown plugin, another person's plugin and a plugin in the host's process return the same error", async () => {
    const foreigner = { ...principal, userId: "u2" };
    for (const [provider, caller] of [
      ["cities", foreigner],
      ["none", principal],
      ["strata", principal],
    ] as const) {
      const failure: { code?: string } = await connections.candidate({ provider }, caller).then(
        () => ({}),
        (thrown) => thrown,
      );
      assert.is(failure.code, "MEMBER_INVALID", provider);
    }
  });

  test("only equal credentials have equal fingerprints, and a fingerprint reveals no credential", async () => {
    const base = {
      provider: "cities",
      identifier: "ada",
      token: "t0ken",
      properties: { a: "1", b: "2" },
    };
    const print = async (change: object) =>
      (await connections.candidate({ ...base, ...change }, principal)).fingerprint;
    const first = await print({});
    assert.is(first, await print({ properties: { b: "2", a: "1" } }));
    const others = await Promise.all(
      [
        { token: "other" },
        { identifier: "bob" },
        { host: "h" },
        { properties: { a: "1" } },
        { properties: { a: "2", b: "1" } },
      ].map(print),
    );
    assert.is(new Set([first, ...others]).size, 6);
    assert.match(first, /^[0-9a-f]{64}$/);
  });

  test("the host requests the capabilities of a manifold-1 plugin once, or again after a failure", async () => {
    await records.change("plugin", "p1", { protocol_version: "manifold-1" });
    plugin.requests.length = 0;
    const failure: { message?: string } = await connections.ofAccount("c1").then(
      () => ({}),
      (thrown) => thrown,
    );
    assert.match(failure.message ?? "", "(connection cities)");
    plugin.answerNext("/capabilities", (response) => response.end('{"limit":true,"unknown":1}'));
    const first = await connections.ofAccount("c1");
    const second = await connections.ofAccount("c1");
    assert.ok(first.capabilities.limit && second.capabilities.limit);
    assert.equal(
      plugin.requests.map(({ path }) => path),
      ["/capabilities", "/capabilities"],
    );
  });

  test("the version of a plugin at a token's address comes from that plugin, not from the plugin's record", async () => {
    const served = await serve(
      definePlugin({
        datasets: [{ id: "x", columns: [{ id: "n", type: "numeric" }] }],
        rows: () => [],
      }),
    );
    try {
      assert.is((await connections.ofAccount("c1")).protocolVersion, "3.0.0");
      const { protocolVersion } = await connections.ofAccount("c1", { base_url: served.url });
      assert.is(protocolVersion, "manifold-1");
      assert.is((await records.find("plugin", { id: "p1" }))[0]?.answered_version, "3.0.0");
    } finally {
      await served.close();
    }
  });

  test("a health check calls the plugins in the host's process", async () => {
    await connections.health(signal());
    assert.is(seen.healthCount, 1);
  });

  test("closing the connections does not close the plugins that were passed in", async () => {
    await connections.close();
    assert.is(seen.closeCount, 0);
  });

  for (const [what, store, capabilities] of [
    ["unknown", "clickhouse", undefined],
    ["not writable", "strata", {}],
    ["a prototype key", "__proto__", undefined],
  ] as const)
    test(`if a store is ${what}, the start fails, and the error names the setting`, async () => {
      const { inProcess } = createInProcess(capabilities);
      const failure: { message?: string } = await openConnections({
        config: { ...config, store },
        records,
        plugins: inProcess,
      }).then(
        () => ({}),
        (thrown) => thrown,
      );
      assert.match(failure.message ?? "", "MANIFOLD_STORE");
    });
});
