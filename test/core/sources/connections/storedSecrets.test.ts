// This file costs more than three seconds, because every kind of connection is made at a real server or file.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import type { Query } from "../../../../core/web/client/index.ts";
import { openTestCatalog, type TestCatalog } from "../../../support/catalog.ts";
import { eventually } from "../../../support/eventually.ts";
import { forwardSocket, type Forwarded } from "../../../support/forwardSocket.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../../../support/legacyPlugin.ts";
import {
  mariadbSuite,
  openMariadbDatabase,
  type MariadbDatabase,
} from "../../../support/mariadbDatabase.ts";
import { openListener, type Listener } from "../../../support/openListener.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../../support/postgresDatabase.ts";
import { refused } from "../../../support/refused.ts";
import { layer, rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

const canary = "canary-password";
const columns = { x: "text" };
const list = `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a.csv</Key><Size>8</Size><LastModified>2024-01-01T00:00:00Z</LastModified><ETag>"e"</ETag></Contents></ListBucketResult>`;
const trips = {
  id: "trips",
  name: { en: "Trips" },
  columns: [{ id: "km", name: { en: "km" }, type: "numeric" }],
  rows: [[1], [2]],
};

/**
 * The ways of authentication that use a secret. The quick layer tests one way that sends the secret to another address
 * and one way that does not.
 */
const authentications = (tokenUrl: string): readonly Json[] => {
  const [bearer, oauth2] = [{ type: "bearer" }, { type: "oauth2", tokenUrl }];
  const others = [
    { type: "basic" },
    { type: "key", in: "header", name: "X-Api-Key" },
    { type: "key", in: "query", name: "key" },
  ];
  return rounds({ quick: [bearer, oauth2], deep: [bearer, ...others, oauth2] });
};

/**
 * Opens an HTTP server that acts as an API, a file, a bucket, a token server and a ClickHouse, and records its
 * requests.
 */
async function openWeb() {
  const headers: string[] = [];
  const server = createServer((request, response) => {
    headers.push(JSON.stringify(request.headers));
    const url = request.url ?? "";
    if (url.includes("list-type")) response.end(list);
    else if (url.includes("token")) response.end('{"access_token":"t","expires_in":60}');
    else if (url.includes(".csv")) response.end("a,b\n1,2\n");
    else if (request.method === "POST") response.end("[1]\n");
    else response.end("[]");
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    headers,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

suite("core/host and stored secrets", (test) => {
  let people: People;
  let owner: Person;
  let web: Awaited<ReturnType<typeof openWeb>>;
  let listener: Listener;
  let elsewhere: string;
  let database: PostgresDatabase;
  let forwarded: Forwarded;
  let user: string;
  let own: TestCatalog;
  test.before(async () => {
    own = await openTestCatalog();
    database = await openPostgresDatabase();
    const { host, port } = database.server;
    forwarded = await forwardSocket(`${host}/.s.PGSQL.${port}`);
    user = `reader_${database.database}`;
    await database.run(`create role ${user} login password '${canary}'`);
    web = await openWeb();
    listener = await openListener();
    elsewhere = `http://127.0.0.1:${listener.port}`;
    people = await openPeople({
      egressAllow: ["127.0.0.1", "127.0.0.2", "localhost"],
      databaseUrl: own.databaseUrl,
    });
    owner = people.owner;
  });
  const closes: (() => Promise<void>)[] = [];
  const openPlugin: typeof openLegacyPlugin = async (options) => {
    const opened = await openLegacyPlugin(options);
    closes.push(() => opened.close());
    return opened;
  };
  const openOther = async () => {
    const opened = await openWeb();
    closes.push(opened.close);
    return opened;
  };
  test.after(async () => {
    await people.close();
    for (const close of closes) await close();
    await web.close();
    await listener.close();
    await forwarded.close();
    await database.run(`drop role ${user}`);
    await database.close();
    await own.close();
  });

  /** Updates a record, without type checks of the properties. */
  const change = (resource: string, id: string, properties: Json): Promise<unknown> =>
    owner.update(resource, id, properties);
  const api = (authentication: Json, path = "a") =>
    JSON.stringify({ authentication, datasets: { a: { path, columns } } });
  const connect = (properties: Json) =>
    owner.create<Json & { id: string }>("account", { token: canary, ...properties });

  /** The kinds of connections, each with changes that would send its secret elsewhere or with less protection. */
  const kinds = (): Readonly<Record<string, readonly [Json, readonly Json[]]>> => ({
    postgresql: [
      {
        provider: "postgresql",
        host: forwarded.host,
        port: forwarded.port,
        scope: database.database,
        identifier: user,
        properties: { ssl: "prefer" },
      },
      [
        { host: "127.0.0.2", port: listener.port },
        { port: listener.port },
        { host: `postgres://127.0.0.1:${listener.port}/x`, port: null },
        { provider: "mysql", port: listener.port },
        {
          provider: "rest",
          host: elsewhere,
          port: null,
          properties: { api: api({ type: "bearer" }) },
        },
        { properties: { ssl: "disable" } },
        { properties: {} },
      ],
    ],
    clickhouse: [
      { provider: "clickhouse", host: web.url },
      [
        { host: elsewhere },
        { host: String.raw`${web.url}\:${listener.port}/..` },
        { port: listener.port },
        { provider: "files", host: `${elsewhere}/a.csv` },
        { properties: { ssl: "require" } },
      ],
    ],
    ...Object.fromEntries(
      authentications(`${web.url}/token`).map((authentication, place) => [
        `rest ${String(authentication["type"])} ${place}`,
        [
          {
            provider: "rest",
            host: web.url,
            identifier: "ada",
            properties: { api: api(authentication) },
          },
          [
            { host: elsewhere },
            { host: `http://127.0.0.1:${listener.port}/`, identifier: "eve" },
            { properties: { api: api({ type: "oauth2", tokenUrl: `${elsewhere}/token` }) } },
          ],
        ] as const,
      ]),
    ),
    "files with a bearer token": [
      { provider: "files", host: `${web.url}/a.csv` },
      [{ host: `${elsewhere}/a.csv` }, { host: `${elsewhere}/a.csv`, identifier: "eve" }],
    ],
    S3: [
      {
        provider: "files",
        host: "s3://bucket/",
        identifier: "access-key",
        properties: { endpoint: web.url },
      },
      [
        { properties: { endpoint: elsewhere } },
        { host: "s3://another/" },
        { properties: { endpoint: web.url, region: "eu-west-1" } },
        { host: `${elsewhere}/a.csv` },
      ],
    ],
  });

  test("`update` and `validate` never send a connector's stored secret to a new address", async () => {
    for (const [kind, [properties, changes]] of Object.entries(kinds())) {
      const { id } = await connect(properties);
      for (const [place, changed] of changes.entries()) {
        const at = `${kind} ${JSON.stringify(changed)}`;
        const failure = await refused(owner.update("account", id, changed));
        assert.equal([failure.status, failure.code], [400, "SECRET_AGAIN"], at);
        assert.match(failure.message, /properties\.token must be entered again .* to change /, at);
        // `update` and `validate` use the same check.
        if (place > 0 && layer === "quick") continue;
        const { body } = await people.call("account", {
          action: "validate",
          ...owner.pair,
          id,
          properties: changed,
        });
        assert.equal(
          [body["valid"], Object.keys(body["validation"] ?? {})],
          [false, ["token"]],
          at,
        );
      }
      await owner.update("account", id, { ...properties, token: canary });
      await owner.update("account", id, { name: "renamed" });
      await change("account", id, { identifier: properties["identifier"] ?? null });
    }
    assert.equal(listener.heard, []);
  });

  /** Creates a plugin that needs a secret and credentials, and a dataset of that plugin. */
  const register = async (slug: string) => {
    const served = await openPlugin({
      version: "3.0.0",
      pushdown: false,
      datasets: [trips],
      secret: "plugin-secret",
      authorize: { key: "ada", token: canary },
    });
    const plugin = await owner.create<{ id: string }>("plugin", {
      slug,
      name: { en: slug },
      base_url: served.url,
      authorize: "custom",
      properties: [
        { id: "tenant", type: "text" },
        { id: "server", type: "text" },
        { id: "note", type: "text", destination: false },
        { id: "api_key", type: "password" },
        { id: "untyped" },
      ],
    });
    await owner.update("plugin", plugin.id, { new_secret: "plugin-secret", keep_secret_hours: 0 });
    const properties = { tenant: "t1", api_key: "canary-key", untyped: "canary-untyped" };
    const account = await connect({ provider: slug, identifier: "ada", properties });
    const { data } = await owner.create<{ data: { id: string; columns: { id: string }[] }[] }>(
      "dataprovider",
      { provider: slug, account_id: account.id, datasets: ["trips"] },
    );
    const [dataset] = data;
    const [column] = dataset?.columns ?? [];
    const query: Query = {
      measures: [
        { dataset_id: dataset?.id, column_id: column?.id, aggregation: { type: "count" } },
      ],
    };
    const access = { datasets: [{ id: dataset?.id, rights: "use" }] };
    return { served, pluginId: plugin.id, accountId: account.id, query, access, properties };
  };

  test("secrets of a plugin and its accounts are never sent to a new address", async () => {
    const { served, pluginId, accountId, query, properties } = await register("moving");
    const other = await openPlugin({ version: "3.0.0", pushdown: false, datasets: [trips] });
    const move = (changed: Json) => owner.update("plugin", pluginId, changed);
    const failure = await refused(move({ base_url: elsewhere }));
    assert.equal([failure.status, failure.code], [400, "SECRET_AGAIN"]);
    assert.match(failure.message, /properties\.new_secret .* to change base_url/);
    const kept = { base_url: elsewhere, new_secret: "n", keep_secret_hours: 24 };
    assert.match(
      (await refused(move(kept))).message,
      /keep_secret_hours.*former secret is not sent/,
    );
    const { body } = await people.call("plugin", {
      action: "validate",
      ...owner.pair,
      id: pluginId,
      properties: { base_url: elsewhere },
    });
    assert.is(body["valid"], false);
    await move({ base_url: served.url.replace("http:", "HTTP:") });
    for (const changed of [
      { properties: { ...properties, api_key: null, untyped: null, server: elsewhere } },
      { properties: { ...properties, api_key: null, untyped: "another" } },
      { properties: { ...properties, tenant: "t2" } },
      { host: elsewhere },
      { port: 1 },
      { provider: "rest", host: elsewhere, properties: { api: api({ type: "bearer" }) } },
    ])
      assert.is(
        (await refused(owner.update("account", accountId, changed))).code,
        "SECRET_AGAIN",
        JSON.stringify(changed),
      );
    await owner.update("account", accountId, {
      properties: { ...properties, note: "n", api_key: null, untyped: null },
    });
    await owner.get("data", query);
    await move({ base_url: other.url, new_secret: "a-second-secret" });
    const calls: readonly (() => Promise<unknown>)[] = [
      () => owner.get("data", query),
      () => owner.get("dataprovider", { provider: "moving", account_id: accountId }),
      () => owner.update("account", accountId, { identifier: "eve" }),
      () => owner.update("account", accountId, { token: "new" }),
    ];
    for (const call of calls)
      assert.match((await refused(call())).code, /^SECRET_(UNCONFIRMED|AGAIN)$/);
    await people.call("plugin", {
      action: "check",
      ...owner.pair,
      id: pluginId,
      options: { account_id: accountId },
    });
    assert.not.match(JSON.stringify(other.requests), /canary|plugin-secret/);
    assert.equal(listener.heard, []);
    const again = { token: "t", properties: { tenant: "t1", api_key: "k", untyped: "u" } };
    await owner.update("account", accountId, again);
    await owner.get("data", query);
    assert.not.match(JSON.stringify(other.requests), /canary|plugin-secret/);
    assert.match(JSON.stringify(other.requests), /a-second-secret/);
    // Deleting the confirmation from the database does not confirm the new address.
    await own.knex("account").where({ id: accountId }).update({ confirmed_for: null });
    await eventually(
      () =>
        owner.get("data", query).then(
          () => false,
          ({ code }: { readonly code?: string }) => code === "SECRET_UNCONFIRMED",
        ),
      "secrets without a confirmed destination are not sent",
    );
    assert.is(
      (await refused(owner.update("account", accountId, { identifier: "eve" }))).code,
      "SECRET_AGAIN",
    );
  });

  test("a token that replaces an address sends its own secrets or none", async () => {
    const { served, pluginId, accountId, query, access } = await register("overridden");
    const other = await openPlugin({ version: "3.0.0", pushdown: false, datasets: [trips] });
    const sendQuery = async (override: Json) => {
      const token = await people.mint({ access, account_overrides: { [accountId]: override } });
      await token.get("data", query).catch(() => undefined);
      return token;
    };
    const sent = (requests: LegacyPlugin["requests"]) => JSON.stringify(requests.at(-1)?.headers);
    for (const override of [
      { host: "db.evil.example" },
      { properties: { server: "evil" } },
      { properties: { tenant: "evil.example" } },
      { properties: { untyped: "https://evil.example" } },
    ]) {
      await sendQuery(override);
      assert.match(sent(served.requests), "plugin-secret");
      assert.not.match(sent(served.requests), /canary/, JSON.stringify(override));
    }
    for (const override of [
      { user: "eve" },
      { database: "north", schema: "s" },
      { properties: { tenant: "t2" } },
    ]) {
      await sendQuery(override);
      assert.match(
        sent(served.requests),
        /canary-password.*canary-key|canary-key.*canary-password/,
      );
    }
    await sendQuery({
      host: "db.evil.example",
      password: "its-own",
      properties: { api_key: "own-key" },
    });
    assert.match(sent(served.requests), /its-own/);
    assert.not.match(sent(served.requests), /canary/);

    const token = await sendQuery({ base_url: other.url });
    assert.match(sent(other.requests), "plugin-secret");
    assert.not.match(sent(other.requests), /canary/);
    const { rows } = await owner.get("auditevent", { where: { action: "secret_redirect" } });
    const [event] = rows;
    assert.equal(
      [event?.["resource"], event?.["record_id"], event?.["target"]],
      [
        "plugin",
        pluginId,
        { role: "Authorizations", resource: "authorization", id: token.pair.key },
      ],
    );
  });

  test("secrets in a user's override are never sent to an address from a token", async () => {
    const { served, accountId, query, access } = await register("layered");
    const token = await people.mint({
      access,
      username: "layered",
      account_overrides: { [accountId]: { host: "db.evil.example" } },
    });
    const account_overrides = {
      [accountId]: { password: "canary-of-user", properties: { api_key: "canary-of-user" } },
    };
    await owner.update("user", token.id, { account_overrides });
    await token.get("data", query).catch(() => undefined);
    assert.not.match(JSON.stringify(served.requests.at(-1)?.headers), /canary/);
  });

  test("a token that replaces a connector's address must include a password", async () => {
    const { id } = await connect({ provider: "files", host: `${web.url}/a.csv` });
    const other = await openOther();
    const { data } = await owner.create<{ data: { id: string; columns: { id: string }[] }[] }>(
      "dataprovider",
      { provider: "files", account_id: id, datasets: ['main."a.csv"'] },
    );
    const [dataset] = data;
    const query = { dimensions: [{ dataset_id: dataset?.id, column_id: dataset?.columns[0]?.id }] };
    const access = { datasets: [{ id: dataset?.id, rights: "use" }] };
    const account_overrides = { [id]: { host: `${other.url}/a.csv` } };
    await (await people.mint({ access, account_overrides })).get("data", query);
    assert.ok(other.headers.length > 0);
    assert.not.match(other.headers.join(), canary);
  });

  test("secrets of webhooks and sign-on providers are never sent to a new address", async () => {
    const config = { url: `${web.url}/hook`, secret: "a secret of the hook" };
    const { id } = await owner.create<{ id: string }>("channel", { type: "webhook", config });
    const url = `${elsewhere}/hook`;
    for (const properties of [
      { config: { url, secret: null } },
      { config: { ...config, url, previous_secret: null, secret: null } },
      { type: "slack" },
      { type: "teams", config: { url, secret: null } },
    ]) {
      const update: Promise<unknown> = change("channel", id, properties);
      assert.is((await refused(update)).code, "SECRET_AGAIN");
      const { body } = await people.call("channel", {
        action: "validate",
        ...owner.pair,
        id,
        properties,
      });
      assert.is(body["valid"], false);
    }
    await owner.update("channel", id, { config: { url: null, secret: "the next secret" } });
    await owner.update("channel", id, { config: { url, secret: "a third secret" } });
    const [row] = (await owner.get("channel", { where: { id } })).rows;
    assert.equal(
      row?.["config"],
      { url: null, secret: null },
      "the previous secret does not sign there",
    );

    const issuer = "https://issuer.example.org";
    const provider = { issuer, client_id: "c", client_secret: "canary-secret" };
    const sign = await owner.create<{ id: string }>("ssoconfig", {
      name: "sso",
      type: "openid",
      config: provider,
    });
    const moved = { config: { ...provider, issuer: "https://evil.example", client_secret: null } };
    const failure = await refused(owner.update("ssoconfig", sign.id, moved));
    assert.match(failure.message, /properties\.config\.client_secret .* config\.issuer/);
    await owner.update("ssoconfig", sign.id, {
      config: { ...provider, client_id: "d", client_secret: null },
    });
    assert.equal(listener.heard, []);
  });

  test("even a co-owner of a connection cannot obtain its secret", async () => {
    const bob = await people.add("bob");
    const { id } = await connect({ provider: "clickhouse", host: web.url });
    await owner.associate("account", id, { role: "Users", id: bob.id }, { flagOwn: true });
    const failure = await refused(bob.update("account", id, { host: elsewhere }));
    assert.is(failure.code, "SECRET_AGAIN");
    // A plugin with the same name as a connector, at the attacker's address.
    const slug = "clickhouse";
    await bob.create("plugin", {
      slug,
      name: { en: slug },
      base_url: elsewhere,
      authorize: "custom",
    });
    // The host asks the new plugin for its version, with the secret that it made for this plugin.
    const asked = Buffer.concat(listener.heard.splice(0)).toString();
    assert.match(asked, /^GET \/capabilities /);
    assert.not.match(asked, canary);
    for (const properties of [{ provider: slug }, { identifier: "eve" }])
      assert.is((await refused(bob.update("account", id, properties))).code, "SECRET_AGAIN");
    assert.equal(listener.heard, []);
  });

  test("stronger TLS, the host in another letter case and unchanged values do not require the secret again", async () => {
    const [properties] = kinds()["postgresql"] ?? [{}];
    const { id } = await connect({ ...properties, host: "LOCALHOST" }).catch(() =>
      connect(properties),
    );
    await owner.update("account", id, { port: String(forwarded.port) });
    const failure = await refused(owner.update("account", id, { properties: { ssl: "require" } }));
    assert.match(failure.message, /offers no TLS/);
  });

  test("after a change of address, only a newly entered secret is sent to the new address", async () => {
    const { id } = await connect({ provider: "files", host: `${web.url}/a.csv` });
    const other = await openOther();
    await owner.update("account", id, { host: `${other.url}/b.csv`, token: "a-new-secret" });
    assert.match(other.headers.join(), "a-new-secret");
    assert.not.match(other.headers.join(), canary);
  });

  test("no secret is sent if the address was changed directly in the database", async () => {
    const { id } = await connect({ provider: "files", host: `${web.url}/a.csv` });
    await own
      .knex("account")
      .where({ id })
      .update({ host: `${elsewhere}/a.csv` });
    const find = { account_id: id, provider: "files" };
    const failure = await refused(owner.get("dataprovider", find));
    assert.equal([failure.status, failure.code], [409, "SECRET_UNCONFIRMED"]);
    assert.match(failure.message, /host has changed.*token again/);
    assert.equal(listener.heard, []);
  });
});

mariadbSuite("core/host and stored passwords of MySQL", (test) => {
  let people: People;
  let listener: Listener;
  let mariadb: MariadbDatabase;
  test.before(async () => {
    mariadb = await openMariadbDatabase();
    listener = await openListener();
    people = await openPeople();
  });
  test.after(async () => {
    await people.close();
    await listener.close();
    await mariadb.close();
  });

  test("the password of a MySQL account is never sent to a new address", async () => {
    const { owner } = people;
    const { host, port, user: identifier, password: token } = mariadb;
    const account = { provider: "mysql", host, port, identifier, token };
    const { id } = await owner.create<{ id: string }>("account", account);
    for (const changed of [
      { port: listener.port },
      { provider: "mariadb", port: listener.port },
      { host: `https://127.0.0.1:${listener.port}/x`, port: null },
      { properties: { ssl: "disable" } },
    ])
      assert.is((await refused(owner.update("account", id, changed))).code, "SECRET_AGAIN");
    await owner.update("account", id, { scope: mariadb.database });
    assert.equal(listener.heard, []);
  });
});
