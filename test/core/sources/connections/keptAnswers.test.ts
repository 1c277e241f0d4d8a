import { setTimeout } from "node:timers/promises";
import * as assert from "uvu/assert";
import { createClient, type Client } from "../../../../core/web/client/index.ts";
import type { Host } from "../../../../core/host.ts";
import { joinSharedHost } from "../../../support/joinSharedHost.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../../../support/legacyPlugin.ts";
import { suite } from "../../../support/suite.ts";

interface Explained {
  readonly cached: boolean;
  readonly explain: {
    readonly cache: { readonly state: string };
    readonly filters: readonly object[];
    readonly parts: readonly object[];
  };
}

const trips = {
  id: "public.trips",
  name: { en: "Trips" },
  columns: [
    { id: "city", name: { en: "City" }, type: "hierarchy" },
    { id: "km", name: { en: "Km" }, type: "numeric" },
  ],
  rows: [
    ["Ghent", 3],
    ["Lille", 5],
  ],
};

suite("core/host with cached answers of a plugin", (test) => {
  const plugins: LegacyPlugin[] = [];
  let host: Host;
  let client: Client;
  let pluginId = "";
  let accountId = "";
  let dataset: { readonly id: string; readonly columns: readonly { readonly id: string }[] };
  let query: Readonly<Record<string, unknown>> = {};

  const openPlugin = async () => {
    const options = { version: "3.0.0", pushdown: true, datasets: [trips] } as const;
    const plugin = await openLegacyPlugin(options);
    plugins.push(plugin);
    return plugin.url;
  };
  test.before(async () => {
    host = await joinSharedHost();
    const { key, token } = host.madeCredentials ?? { key: "", token: "" };
    client = createClient({ url: host.url, key, token });
    const plugin = await client.create<{ id: string }>("plugin", {
      slug: "kept",
      name: { en: "Kept" },
      base_url: await openPlugin(),
      protocol_version: "3.0.0",
      pushdown: true,
      authorize: "host/key/token",
    });
    pluginId = plugin.id;
    const account = await client.create<{ id: string }>("account", {
      provider: "kept",
      name: "kept",
      host: "db.example.org",
      identifier: "ada",
      token: "a-password",
      cache: 600,
    });
    accountId = account.id;
    const properties = { provider: "kept", account_id: accountId, action: "create" };
    const made = await client.create<{ data: (typeof dataset)[] }>("dataprovider", {
      ...properties,
      datasets: [trips.id],
    });
    dataset = made.data[0] as typeof dataset;
    const aggregation = { type: "sum" };
    const measure = { dataset_id: dataset.id, column_id: dataset.columns[1]?.id, aggregation };
    query = { measures: [measure] };
  });
  test.after(async () => {
    for (const plugin of plugins) await plugin.close();
    await host.close();
  });

  const isKept = async () => (await client.get<{ readonly cached: boolean }>("data", query)).cached;
  const warm = async () => {
    await isKept();
    assert.is(await isKept(), true);
  };

  test("changing the source, the credentials or the caller takes effect at the next query", async () => {
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["the password", () => client.update("account", accountId, { token: "another" })],
      ["the user", () => client.update("account", accountId, { identifier: "bob" })],
      [
        "the server",
        () => client.update("account", accountId, { host: "other.example.org", token: "another" }),
      ],
      [
        "the plugin",
        async () => {
          const there = { base_url: await openPlugin(), new_secret: "another" };
          await client.update("plugin", pluginId, there);
          await client.update("account", accountId, { token: "another" });
        },
      ],
      ["the plugin's settings", () => client.update("plugin", pluginId, { pushdown: false })],
      ["the seconds", () => client.update("account", accountId, { cache: 0 })],
    ];
    for (const [what, change] of changes) {
      await warm();
      await change();
      assert.is(await isKept(), false, what);
    }
    assert.is(await isKept(), false, "0 seconds disable the cache");
    await client.update("account", accountId, { cache: 600 });
  });

  test("queries of an inactive connection fail, even if their answers were cached", async () => {
    await warm();
    await client.update("account", accountId, { active: false });
    const failure = await client.get("data", query).then(
      () => undefined,
      (thrown: { readonly status?: number }) => thrown.status,
    );
    assert.is(failure, 403);
    await client.update("account", accountId, { active: true });
    assert.equal((await client.get<{ data: unknown }>("data", query)).data, [[8]]);
  });

  test("queries of an expired connection fail with an error that gives the reason, even if their answers were cached", async () => {
    await warm();
    let soon = new Date();
    // Leaves time to cache the answer before the connection expires, even on a busy machine.
    for (let aheadMs = 300; aheadMs < 60_000; aheadMs *= 5) {
      soon = new Date(Date.now() + aheadMs);
      await client.update("account", accountId, { expiry: soon.toISOString() });
      const isWarm = await warm().then(
        () => true,
        () => false,
      );
      if (isWarm) break;
    }
    await setTimeout(soon.getTime() + 20 - Date.now());
    const refused = (resource: string, find: Readonly<Record<string, unknown>>) =>
      client.get(resource, find).then(
        (): { readonly status?: number; readonly message?: string } => ({ message: "answered" }),
        (thrown: { readonly status?: number; readonly message?: string }) => thrown,
      );
    for (const failure of [
      await refused("data", query),
      await refused("dataprovider", { account_id: accountId }),
    ]) {
      assert.is(failure.status, 403);
      assert.match(failure.message ?? "", `expired at ${soon.toISOString()}`);
    }
    const { rows } = await client.get<{ rows: { invalid: boolean }[] }>("account", {
      where: { id: accountId },
    });
    assert.is(rows[0]?.invalid, false, "expiry says nothing about the credentials");
    const later = new Date(Date.now() + 3_600_000).toISOString();
    await client.update("account", accountId, { expiry: later });
    await isKept();
    await client.update("account", accountId, { expiry: null });
    await isKept();
  });

  test("a dataset's cache seconds override its connection's cache seconds", async () => {
    await client.update("account", accountId, { cache: 0 });
    await isKept();
    assert.is(await isKept(), false);
    const updated = await client.update<{ cache: number }>("securable", dataset.id, { cache: 600 });
    assert.is(updated.cache, 600);
    await warm();
    await client.update("securable", dataset.id, { cache: 0 });
    assert.is(await isKept(), false);
    await client.update("account", accountId, { cache: 600 });
  });

  test("a cached answer shows the current labels of its own values", async () => {
    const [city] = dataset.columns;
    const find = {
      dimensions: [{ dataset_id: dataset.id, column_id: city?.id }],
      options: { locale_id: "fr" },
    };
    const label = (id: string, fr: string) =>
      client.update("hierarchy", String(city?.id), {
        updates: [{ id, name: { en: id, fr }, color: "#00f" }],
      });
    interface Cells {
      readonly cached: boolean;
      readonly data: unknown;
    }
    const sendQuery = async () => {
      const { cached, data } = await client.get<Cells>("data", find);
      return { cached, data };
    };
    const lille = { id: "Lille", name: { en: "Lille" } };
    const named = (fr: string) => [[{ id: "Ghent", name: { fr }, color: "#00f" }], [lille]];
    await sendQuery();
    await label("Ghent", "Gand");
    await label("Nowhere", "Nulle part");
    assert.equal(await sendQuery(), { cached: true, data: named("Gand") });
    await label("Ghent", "Gand-sur-Lys");
    assert.equal(await sendQuery(), { cached: true, data: named("Gand-sur-Lys") });
    assert.equal(await sendQuery(), { cached: true, data: named("Gand-sur-Lys") });
  });

  test("a plugin receives a connection's port and scope, and its identifier if the plugin declares one", async () => {
    const declared = [{ id: "Identifier", type: "text" }];
    await client.update("plugin", pluginId, { authorize: "custom", properties: declared });
    const place = { port: 5432, scope: "sales", token: "another" };
    await client.update("account", accountId, { ...place, identifier: "ada" });
    await isKept();
    const { headers } = plugins.at(-1)?.requests.at(-1) ?? {};
    const names = ["host", "key", "token", "property-host", "property-key", "property-token"];
    const more = ["property-port", "property-scope", "property-identifier"];
    assert.equal(
      [...names, ...more].map((name) => headers?.[`x-${name}`]),
      [
        "other.example.org",
        "ada",
        "another",
        "other.example.org",
        "ada",
        "another",
        "5432",
        "sales",
        "ada",
      ],
    );
  });

  test("over HTTP, an embed token can use the explain action within its restrictions", async () => {
    const [city] = dataset.columns;
    const pair = await client.create<{ id: string; token: string }>("authorization", {
      type: "embed",
      username: "viewer",
      name: "Viewer",
      email: "v@example.org",
      role: "viewer",
      access: { datasets: [{ id: dataset.id, rights: "use" }] },
      filters: [
        {
          clause: "where",
          origin: "global",
          securable_id: dataset.id,
          column_id: city?.id,
          expression: "? = ?",
          value: "Ghent",
        },
      ],
    });
    const explain = async (key: string, token: string) => {
      const answer = await fetch(`${host.url}/0.1.0/data`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ action: "explain", version: "0.1.0", key, token, find: query }),
      });
      assert.is(answer.status, 200);
      return (await answer.json()) as Explained;
    };
    const first = await explain(pair.id, pair.token);
    assert.not("data" in first);
    assert.equal(first.explain.filters, [
      {
        origin: "token",
        dataset_id: dataset.id,
        column_id: city?.id,
        expression: "? = ?",
        checked: true,
      },
    ]);
    assert.is(first.explain.cache.state, "miss");
    assert.is((await explain(pair.id, pair.token)).explain.cache.state, "hit");
  });
});
