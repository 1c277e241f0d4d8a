import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { layer } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;

/** Hosts that point to the machine or its network, in every notation. */
const hosts = [
  "127.0.0.1",
  "localhost",
  "localhost.",
  "db.localhost",
  "10.0.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "0.0.0.0",
  "2130706433",
  "0x7f.1",
  "127.1",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[fd00::1]",
];

/**
 * One host for each kind of address. The quick layer tests these hosts with every member, and all other hosts with only
 * one member.
 */
const kinds = ["127.0.0.1", "db.localhost", "[fd00::1]"];
const isTried = (host: string) => layer === "deep" || kinds.includes(host);

suite("core/host and forbidden addresses", (test) => {
  let people: People;
  let trap: Server;
  let trapPort = 0;
  let heard = 0;
  const folder = mkdtempSync(join(tmpdir(), "manifold-refused-"));
  test.before(async () => {
    trap = createServer((socket) => {
      heard++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => trap.listen(0, "127.0.0.1", resolve));
    const bound = trap.address();
    trapPort = bound && typeof bound === "object" ? bound.port : 0;
    people = await openPeople({ egressAllow: [], fileFolders: [folder] });
  });
  test.after(async () => {
    await people?.close();
    trap.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (resource: string, action: string, members: Json) =>
    people.call(resource, { action, ...people.owner.pair, ...members });
  /** Tries to create and to validate a record. Checks that each call fails with the path of the member. */
  const refuses = async (resource: string, properties: Json, path: string) => {
    const made = await call(resource, "create", { properties });
    const text = `${resource} ${JSON.stringify(properties)}: ${JSON.stringify(made.body)}`;
    assert.ok(made.status >= 400 && made.status < 500, text);
    assert.match(String(made.body["message"]), path, text);
    const seen = await call(resource, "validate", { properties });
    assert.is(seen.body["valid"], false, text);
    assert.match(String(seen.body["message"]), path, text);
  };
  /** Creates a plugin whose address is allowed at the time of creation. */
  const plugin = async (base_url: string, more: Json = {}): Promise<string> => {
    const slug = `p-${randomUUID().slice(0, 8)}`;
    const values = { slug, name: { en: slug }, base_url, authorize: "none", ...more };
    const made = await call("plugin", "create", { properties: values });
    assert.is(made.status, 200, JSON.stringify(made.body));
    return slug;
  };

  test("every connector rejects a private address without calling it", async () => {
    const api = JSON.stringify({ datasets: { a: { path: "/a", columns: { a: "text" } } } });
    for (const host of hosts) {
      const members = { identifier: "u", token: "t" };
      for (const provider of ["postgresql", "mysql", "mariadb", "clickhouse"]) {
        if (provider !== "postgresql" && !isTried(host)) continue;
        const values = { provider, host, port: trapPort, scope: "d", ...members };
        await refuses("account", values, "properties.host");
      }
      if (!isTried(host)) continue;
      const url = `http://${host}:${trapPort}`;
      for (const provider of ["postgresql", "clickhouse", "files"])
        await refuses("account", { provider, host: `${url}/x.csv`, ...members }, "properties.host");
      const rest = { provider: "rest", properties: { api }, ...members };
      await refuses("account", { ...rest, host: url }, "properties.host");
      const authentication = { type: "oauth2", tokenUrl: `${url}/token` };
      const described = JSON.stringify({ ...(JSON.parse(api) as Json), authentication });
      await refuses(
        "account",
        { ...rest, host: "https://api.example.org", properties: { api: described } },
        "properties.properties.api",
      );
      await refuses(
        "account",
        { provider: "files", host: "s3://b/x.csv", properties: { endpoint: url }, ...members },
        "properties.properties.endpoint",
      );
    }
    assert.is(heard, 0);
  });

  test("plugins, channels and sign-on providers cannot have private addresses, and the error names the member", async () => {
    for (const host of hosts) {
      const url = `http://${host}:${trapPort}`;
      const slug = `s-${randomUUID().slice(0, 8)}`;
      await refuses("plugin", { slug, name: { en: slug }, base_url: url }, "properties.base_url");
      if (!isTried(host)) continue;
      for (const type of ["webhook", "slack", "teams"])
        await refuses("channel", { name: "C", type, config: { url } }, "properties.config.url");
      await refuses(
        "ssoconfig",
        {
          name: "S",
          type: "openid",
          config: { issuer: `https://${host}`, client_id: "a", client_secret: "b" },
        },
        "properties.config.issuer",
      );
    }
    const url = "https://user:secret@hooks.example.org";
    await refuses("channel", { name: "C", type: "webhook", config: { url } }, "config.url");
    const alert = { name: "A", query: {}, frequency: "daily" };
    const dataset = await people.push();
    const query = {
      measures: [
        {
          dataset_id: dataset.id,
          column_id: dataset.columns["km"],
          aggregation: { type: "sum" },
        },
      ],
    };
    const channels = [{ name: "C", type: "webhook", config: { url: "http://127.0.0.1" } }];
    await refuses("alert", { ...alert, query, channels }, "properties.channels[0].config.url");
    assert.is(heard, 0);
  });

  test("updating an address to a private address fails and changes nothing", async () => {
    const slug = await plugin("https://plugin.example.org");
    const found = await people.owner.get("plugin", { where: { slug } });
    const id = String(found.rows[0]?.["id"]);
    const channel = await people.owner.create<{ id: string }>("channel", {
      name: "C",
      type: "webhook",
      config: { url: "https://hooks.example.org" },
    });
    const url = `http://127.0.0.1:${trapPort}`;
    for (const [resource, record, properties, path] of [
      ["plugin", id, { base_url: url }, "properties.base_url"],
      ["channel", channel.id, { config: { url } }, "properties.config.url"],
    ] as const)
      for (const action of ["update", "validate"]) {
        const { body } = await call(resource, action, { id: record, properties });
        assert.match(String(body["message"]), path);
      }
    const again = await people.owner.get("plugin", { where: { slug } });
    assert.is(again.rows[0]?.["base_url"], "https://plugin.example.org");
  });

  test("a connection's members must be valid in an HTTP header, even with `authorize: none`", async () => {
    const provider = await plugin("https://plugin.example.org");
    const long = "x".repeat(20_000);
    for (const [properties, path] of [
      [{ token: "a\r\nX-Secret: b" }, "properties.token"],
      [{ token: "a\nb" }, "properties.token"],
      [{ token: "a\u0001b" }, "properties.token"],
      [{ token: "a\u007fb" }, "properties.token"],
      [{ token: long }, "properties.token"],
      [{ identifier: "a\rb" }, "properties.identifier"],
      [{ host: "h\nb" }, "properties.host"],
      [{ scope: "s\nb" }, "properties.scope"],
      [{ properties: { tenant: "a\nb" } }, "properties.properties.tenant"],
      [{ properties: { "a b": "c" } }, "properties.properties.a b"],
      [{ properties: { "a\r\nb": "c" } }, "properties.properties"],
      [{ properties: { tenant: long } }, "properties.properties.tenant"],
    ] as const)
      await refuses("account", { provider, ...properties }, path);
    const good = { token: "pässwörd ✓ \t 東京", properties: { tenant: "ünïcode ✓" } };
    const made = await call("account", "create", { properties: { provider, ...good } });
    assert.is(made.status, 200, JSON.stringify(made.body));
    const id = made.body["id"];
    const properties = { token: "a\nb" };
    const changed = await call("account", "update", { id, properties });
    assert.is(changed.status, 400);
    assert.match(String(changed.body["message"]), "properties.token");
    assert.not.match(JSON.stringify(changed.body), "a\\\\nb");
  });

  test("validating an incomplete connection checks the members that are present", async () => {
    const { body } = await call("account", "validate", {
      properties: { provider: "postgresql", host: "10.0.0.1" },
    });
    assert.is(body["valid"], false);
    assert.match(String(body["message"]), "properties.host");
  });

  test("overrides in tokens and users cannot contain private addresses", async () => {
    const provider = await plugin("https://plugin.example.org");
    const made = await call("account", "create", { properties: { provider, token: "t" } });
    const id = String(made.body["id"]);
    const base_url = `http://127.0.0.1:${trapPort}`;
    const dataset = randomUUID();
    for (const override of [{ base_url }, { datasets: { [dataset]: { base_url } } }]) {
      const account_overrides = { [id]: override };
      for (const [resource, properties] of [
        ["authorization", { type: "embed", username: "u", account_overrides }],
        ["user", { email: "u@example.org", account_overrides }],
      ] as const) {
        const refused = await call(resource, "create", { properties });
        assert.is(refused.status, 400, JSON.stringify(refused.body));
        assert.match(String(refused.body["message"]), `account_overrides.${id}`);
      }
    }
  });

  test("a credential that cannot be sent to an API or file server fails, and the error names the member", async () => {
    const dataset = { datasets: { a: { path: "/a", columns: { a: "text" } } } };
    const rest = (more: Json) => JSON.stringify({ ...dataset, ...more });
    const host = "https://api.example.org";
    for (const [properties, path] of [
      [
        { token: "a\nb", properties: { api: rest({ authentication: { type: "bearer" } }) } },
        "token",
      ],
      [
        {
          token: "é",
          properties: { api: rest({ authentication: { type: "key", in: "header", name: "k" } }) },
        },
        "token",
      ],
      [
        {
          token: "t",
          properties: { api: rest({ authentication: { type: "key", in: "header", name: "a b" } }) },
        },
        "authentication.name",
      ],
      [{ properties: { api: rest({ headers: { "x-a": "b\r\nc" } }) } }, "headers.x-a"],
      [{ properties: { api: rest({ headers: { "x a": "b" } }) } }, "headers.x a"],
      [{ properties: { api: rest({ headers: { "x-a": "東" } }) } }, "headers.x-a"],
    ] as const)
      await refuses("account", { provider: "rest", host, ...properties }, path);
    await refuses(
      "account",
      { provider: "files", host: "https://files.example.org/a.csv", token: "a\nb" },
      "token",
    );
  });

  test("with `authorize: none`, an unresolvable host name is accepted", async () => {
    const provider = await plugin(`https://${randomUUID()}.invalid`);
    const made = await call("account", "create", { properties: { provider, token: "t" } });
    assert.is(made.status, 200, JSON.stringify(made.body));
  });
});
