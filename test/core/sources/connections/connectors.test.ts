import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { readConfig, type Config } from "../../../../core/base/config.ts";
import { ApiError } from "../../../../core/base/errors.ts";
import { type InProcess, openConnections } from "../../../../core/sources/connections/index.ts";
import {
  type Connections,
  destinationOf,
  type Principal,
} from "../../../../core/base/contracts/index.ts";
import type { Drivers } from "../../../../core/sources/drivers/index.ts";
import type { Connector } from "../../../../plugins/protocol/index.ts";
import { createFakeConnector, type FakeConnector } from "../../../support/fakeConnector.ts";
import { createMemoryRecords, type MemoryRecords } from "../../../support/memoryRecords.ts";
import { failureOf, refusal } from "../../../support/refused.ts";
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

const inProcess: InProcess = {
  plugins: new Map([
    [
      "strata",
      {
        capabilities: { write: true, temporary: true },
        datasets: async () => [],
        query: async () => ({ rowCount: 0, columns: [] }),
        write: async () => ({ rowCount: 0, version: "1" }),
      },
    ],
  ]),
  close: async () => {},
};

suite("core/sources/connections/connectors", (test) => {
  let fake: FakeConnector;
  let records: MemoryRecords;
  const opened: Connections[] = [];
  test.beforeEach(() => {
    fake = createFakeConnector();
    records = createMemoryRecords();
  });
  test.afterEach(async () => {
    for (const connections of opened.splice(0)) await connections.close();
  });

  /** Returns a lookup that resolves only the given host names. */
  const lookupOf =
    (names: Readonly<Record<string, readonly string[]>>): LookupFunction =>
    (name, options, callback) => {
      const found = (names[name] ?? []).map((address) => ({ address, family: 4 }));
      if (!options.all) throw new Error("all addresses of a name are checked");
      if (found.length > 0) callback(null, found);
      else callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    };
  const open = async (
    settings: { readonly [Member in keyof Config]?: Config[Member] } = {},
    names: Readonly<Record<string, readonly string[]>> = { "db.example.org": ["93.184.215.14"] },
    drivers?: Drivers,
  ) => {
    const connections = await openConnections({
      config: readConfig({ pluginTimeoutMs: 5000, ...settings }, {}),
      records,
      plugins: inProcess,
      lookup: lookupOf(names),
      loadConnector: fake.load,
      ...(drivers && { drivers }),
    });
    opened.push(connections);
    return connections;
  };
  const account = (values: Readonly<Record<string, unknown>> = {}) => {
    const row = {
      id: "c1",
      provider: "postgresql",
      plugin_id: null,
      host: "db.example.org",
      port: "5433",
      scope: "sales",
      identifier: "ada",
      token: "canary",
      properties: { SSL: "require", retries: 3 },
      active: true,
      user_id: "u1",
      ...values,
    };
    const confirmed_for = JSON.stringify(destinationOf(row, { properties: [] }));
    return records.insert("account", { ...row, confirmed_for });
  };

  for (const [provider, folder] of [
    ["postgresql", "postgres"],
    ["mysql", "mysql"],
    ["mariadb", "mysql"],
    ["clickhouse", "clickhouse"],
    ["sqlite", "sqlite"],
    ["duckdb", "duckdb"],
    ["files", "files"],
    ["rest", "rest"],
  ] as const)
    test(`the provider ${provider} is a connector, which is imported when an account first uses it`, async () => {
      const connections = await open({ fileFolders: [tmpdir()] });
      assert.equal(fake.loaded, []);
      const connection = await connections.candidate(
        { provider, host: "db.example.org", token: "t" },
        principal,
      );
      assert.equal(fake.loaded, [`connectors/${folder}`]);
      assert.is(connection.name, provider);
      assert.is(connection.isTrusted, true);
      await connection.authorize({ signal: signal() });
      await connections.candidate({ provider, host: "db.example.org" }, principal);
      assert.is(fake.loaded.length, 1);
      assert.is(fake.opened.length, 1);
    });

  test("a connector with a driver receives the URL of the driver, which the host locates when an account is first used", async () => {
    const located: string[] = [];
    const drivers = {
      async locate(name: string) {
        located.push(name);
        return `file:///drivers/${name}`;
      },
      async close() {},
    };
    const connections = await open({ fileFolders: [tmpdir()] }, undefined, drivers);
    for (const provider of ["postgresql", "duckdb", "mysql", "mariadb", "mysql"])
      await connections.candidate({ provider, host: "db.example.org", token: "t" }, principal);
    assert.equal(located, ["duckdb", "mysql"]);
    assert.equal(
      fake.opened.map(({ driverUrl }) => driverUrl),
      [undefined, "file:///drivers/duckdb", "file:///drivers/mysql"],
    );
  });

  test("using an account whose driver is still being installed fails with 503, and works after the installation", async () => {
    let isInstalled = false;
    const drivers = {
      async locate() {
        if (isInstalled) return "file:///drivers/duckdb";
        throw new ApiError("DRIVER_INSTALLING", ["DuckDB"], { retryAfterS: 10 });
      },
      async close() {},
    };
    const connections = await open({ fileFolders: [tmpdir()] }, undefined, drivers);
    const candidate = () =>
      connections.candidate({ provider: "duckdb", host: "sales.csv" }, principal);
    await candidate().then(
      () => assert.unreachable(),
      (failure: unknown) => {
        assert.ok(failure instanceof ApiError);
        assert.is(failure.status, 503);
      },
    );
    isInstalled = true;
    assert.is((await candidate()).name, "duckdb");
  });

  test("every connector of this package declares the properties of its accounts", async () => {
    const modules: readonly Connector[] = [
      await import("../../../../connectors/clickhouse/index.ts"),
      await import("../../../../connectors/duckdb/index.ts"),
      await import("../../../../connectors/mysql/index.ts"),
      await import("../../../../connectors/postgres/index.ts"),
      await import("../../../../connectors/sqlite/index.ts"),
    ];
    for (const { open: opens, properties } of modules) {
      assert.type(opens, "function");
      const ids = properties.map(({ id }) => id.toLowerCase());
      assert.is(new Set(ids).size, ids.length);
      for (const { label, type, options } of properties) {
        assert.ok(label.length > 0);
        assert.is(type === "select", options !== undefined);
      }
    }
  });

  test("a connector receives host, user, password, port, database and its declared properties as strings", async () => {
    const connections = await open();
    await account();
    const connection = await connections.ofAccount("c1");
    await connection.datasets({ signal: signal() });
    assert.equal(fake.calls.at(-1)?.credentials, {
      host: "db.example.org",
      key: "ada",
      token: "canary",
      properties: { port: "5433", scope: "sales", ssl: "require", retries: "3" },
    });
  });

  test("a token's overrides are passed to the connector and change the fingerprint of the connection", async () => {
    const connections = await open();
    await account();
    const own = await connections.ofAccount("c1");
    const replaced = await connections.ofAccount("c1", {
      host: "north.example.org",
      user: "eve",
      password: "other",
      database: "north",
      schema: "s",
      properties: { retries: "5" },
    });
    await replaced.datasets({ signal: signal() });
    assert.equal(fake.calls.at(-1)?.credentials, {
      host: "north.example.org",
      key: "eve",
      token: "other",
      properties: { port: "5433", scope: "north", ssl: "require", retries: "5", schema: "s" },
    });
    assert.is.not(own.fingerprint, replaced.fingerprint);
    const failure = await failureOf(connections.ofAccount("c1", { properties: { evil: "x" } }));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(
      failure.message,
      /cannot have the property "evil"; the properties are: schema, ssl, retries/,
    );
    assert.not.match(failure.message, "canary");
  });

  test("an unknown provider fails, and the error lists the caller's connectors and plugins", async () => {
    await records.insert("plugin", { id: "p1", slug: "bikes", user_id: "u1" });
    await records.insert("plugin", { id: "p2", slug: "hidden", user_id: "u2" });
    const connections = await open();
    const failure = await refusal(connections.candidate({ provider: "oracle" }, principal));
    assert.is(failure.code, "MEMBER_INVALID");
    assert.match(failure.message, "properties.provider");
    assert.match(failure.message, "bikes, clickhouse, files, mariadb, mysql, postgresql, rest;");
    assert.not.match(failure.message, "hidden");
    assert.equal(fake.loaded, []);
  });

  test("a plugin that the caller may use takes precedence over a connector with the same name", async () => {
    await records.insert("plugin", {
      id: "p1",
      slug: "postgresql",
      base_url: "https://plugin.example.org",
      protocol_version: "3.0.0",
      user_id: "u1",
    });
    const connections = await open();
    await connections.candidate({ provider: "postgresql" }, principal);
    assert.equal(fake.loaded, []);
    await connections.candidate({ provider: "postgresql" }, { ...principal, userId: "u2" });
    assert.is(fake.loaded.length, 1);
    // An account that was created for the connector keeps using the connector.
    await account();
    assert.is((await connections.ofAccount("c1")).isTrusted, true);
  });

  test("MANIFOLD_CONNECTORS restricts which connectors accounts may use", async () => {
    const connections = await open({ connectors: ["mysql"] });
    await account();
    const failure = await failureOf(connections.ofAccount("c1"));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, "MANIFOLD_CONNECTORS");
    assert.is((await connections.candidate({ provider: "mysql" }, principal)).name, "mysql");
    const none = await open({ connectors: ["none"] });
    const refused = await refusal(none.candidate({ provider: "mysql" }, principal));
    assert.match(refused.message, "there are none yet");
    for (const [settings, message] of [
      [
        { connectors: ["oracle"] },
        /MANIFOLD_CONNECTORS contains "oracle", which is not a connector; the connectors are: clickhouse/,
      ],
      [{ connectors: ["sqlite"] }, /opens files; set their folders in MANIFOLD_FILE_FOLDERS/],
      [{ fileFolders: ["/no/such/folder"] }, /MANIFOLD_FILE_FOLDERS contains "\/no\/such\/folder"/],
    ] as const) {
      const thrown = await open(settings).then(
        () => undefined,
        (failed: unknown) => failed,
      );
      assert.match(String(thrown), message);
    }
  });

  test("file connectors work only with granted folders, which they receive without symbolic links", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-folders-")));
    try {
      mkdirSync(join(folder, "real"));
      symlinkSync(join(folder, "real"), join(folder, "link"));
      const without = await open();
      assert.match(
        (await refusal(without.candidate({ provider: "duckdb" }, principal))).message,
        "is neither a connector",
      );
      const connections = await open({ fileFolders: [join(folder, "link")] });
      await connections.candidate({ provider: "duckdb", host: "x" }, principal);
      assert.equal(fake.opened.at(-1)?.reach.folders, [join(folder, "real")]);
      writeFileSync(join(folder, "file"), "");
      const thrown = await open({ fileFolders: [join(folder, "file")] }).catch(String);
      assert.match(String(thrown), "which is not a folder");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const host of [
    "127.0.0.1",
    "localhost.example.org",
    "10.0.0.1",
    "::1",
    "[::1]",
    "::ffff:127.0.0.1",
    "::127.0.0.1",
    "::7f00:1",
    "2130706433",
    "0x7f.1",
    "127.1",
    "169.254.169.254",
    "fd00::1",
    "fe80::1",
    "100.64.0.1",
    "0.0.0.0",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "mixed.example.org",
    "/var/run/postgresql",
    "db.example.org/x",
    "db.example.org:5432",
    "ada:secret@db.example.org",
    "db.example.org#",
    "",
    "a b",
  ])
    test(`an account cannot reach ${JSON.stringify(host)}`, async () => {
      const connections = await open(
        {},
        {
          "localhost.example.org": ["127.0.0.1"],
          "mixed.example.org": ["93.184.215.14", "10.0.0.1"],
        },
      );
      const connection = await connections.candidate({ provider: "mysql", host }, principal);
      const failure = await failureOf(connection.authorize({ signal: signal() }));
      assert.is(failure.code, "PLUGIN_INVALID");
      // The error does not reveal the address to which the name resolves.
      if (host.endsWith(".org")) assert.not.match(failure.message, /127\.0\.0\.1|10\.0\.0\.1/);
    });

  test("a public name is resolved and checked, and MANIFOLD_EGRESS_ALLOW allows a private host or port", async () => {
    const names = {
      "db.example.org": ["93.184.215.14"],
      "inner.example.org": ["10.0.0.7"],
      "later.example.org": ["10.0.0.8"],
    };
    const connections = await open(
      { egressAllow: ["inner.example.org", "127.0.0.1:5433", "[::1]:5433"] },
      names,
    );
    await connections.candidate({ provider: "mysql", host: "x" }, principal);
    const { address } = fake.opened.at(-1)!.reach;
    assert.is(await address("db.example.org", 5432), "93.184.215.14");
    assert.is(await address("DB.example.org", 80), "93.184.215.14");
    assert.is(await address("93.184.215.14", 5432), "93.184.215.14");
    assert.is(await address("2606:2800:21f:cb07::1", 5432), "2606:2800:21f:cb07::1");
    assert.is(await address("inner.example.org", 1), "10.0.0.7");
    assert.is(await address("127.0.0.1", 5433), "127.0.0.1");
    assert.is(await address("::1", 5433), "::1");
    assert.is((await failureOf(address("127.0.0.1", 5432))).code, "PLUGIN_INVALID");
    const refused = await failureOf(address("later.example.org", 5432));
    assert.match(refused.message, /later\.example\.org:5432 is not a public address/);
    assert.match(refused.message, "MANIFOLD_EGRESS_ALLOW");
    const unknown = await failureOf(address("gone.example.org", 5432));
    assert.is(unknown.code, refused.code);
    assert.is(unknown.message.replace("gone", "later"), refused.message);
    assert.is((await failureOf(address("db.example.org", 70_000))).code, "PLUGIN_INVALID");
  });

  const strangers = { ...principal, organizationId: "o2", userId: "u9" };
  const named = "5a0d2c1e-7b1f-4c55-9a64-0f1f6f3a7c11";

  test("an organization that signed up itself can use only allowed hosts and folders whose entries contain its id", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-folders-")));
    try {
      mkdirSync(join(folder, "all"));
      mkdirSync(join(folder, "own"));
      await records.insert("organization", { id: "o2", signed_up: true });
      await records.insert("organization", { id: named, signed_up: true });
      const connections = await open({
        fileFolders: [join(folder, "all"), `${join(folder, "own")}=${named}`],
        egressAllow: ["127.0.0.1:1", `127.0.0.1:2=${named.toUpperCase()}`],
      });
      const reachOf = async (organizationId: string) => {
        const caller = { ...principal, organizationId };
        await connections.candidate({ provider: "files", host: "x" }, caller);
        const { reach } = fake.opened.at(-1)!;
        const ports: number[] = [];
        for (const port of [1, 2])
          await reach.address("127.0.0.1", port).then(
            () => ports.push(port),
            () => {},
          );
        return { folders: reach.folders, ports };
      };
      assert.equal(await reachOf("o1"), { folders: [join(folder, "all")], ports: [1] });
      assert.equal(await reachOf("o2"), { folders: [], ports: [] });
      assert.equal(await reachOf(named), { folders: [join(folder, "own")], ports: [2] });
      // An unknown organization shares the plugin of the organizations without grants.
      await connections.candidate({ provider: "files" }, { ...principal, organizationId: "gone" });
      assert.is(fake.opened.length, 3);
      assert.match(
        (await refusal(connections.candidate({ provider: "sqlite" }, strangers))).message,
        "is neither a connector",
      );
      const listed = await connections.providers(strangers);
      assert.not.ok(listed.some(({ provider }) => provider === "sqlite"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("organizations with different grants share no plugins, even if their credentials are equal", async () => {
    await records.insert("organization", { id: "o2", signed_up: true });
    await records.insert("organization", { id: "o3", signed_up: true });
    const connections = await open({ egressAllow: ["127.0.0.1"] });
    const values = { provider: "mysql", host: "db.example.org", token: "t" };
    const own = await connections.candidate(values, principal);
    const other = await connections.candidate(values, strangers);
    assert.is(fake.opened.length, 2);
    assert.is.not(own.fingerprint, other.fingerprint);
    const third = await connections.candidate(values, { ...strangers, organizationId: "o3" });
    assert.is(fake.opened.length, 2);
    assert.is(third.fingerprint, other.fingerprint);
  });

  test("an account without an organization cannot reach private addresses or folders", async () => {
    const connections = await open({ egressAllow: ["127.0.0.1"] });
    await account({ host: "127.0.0.1", user_id: "nobody" });
    await connections.ofAccount("c1");
    const { address } = fake.opened.at(-1)!.reach;
    assert.is((await failureOf(address("127.0.0.1", 80))).code, "PLUGIN_INVALID");
  });

  for (const [settings, message] of [
    [{ egressAllow: ["10.0.0.1=Acme"] }, /MANIFOLD_EGRESS_ALLOW has the entry "10.0.0.1=Acme"/],
    [{ egressAllow: [`=${named}`] }, /MANIFOLD_EGRESS_ALLOW has the entry/],
    [{ egressAllow: ["10.0.0.1="] }, /by their ids/],
    [{ egressAllow: [`10.0.0.1=${named}`, named] }, /has the id 5a0d2c1e/],
    [{ egressAllow: [`10.0.0.1=${named}+`] }, /by their ids/],
    [{ egressAllow: [`10.0.0.0/8=${named}`] }, /networks and wildcards are not accepted/],
    [{ egressAllow: ["*.internal"] }, /networks and wildcards are not accepted/],
    [{ fileFolders: [`=${named}`] }, /MANIFOLD_FILE_FOLDERS has the entry/],
    [{ fileFolders: ["/tmp=Acme"] }, /MANIFOLD_FILE_FOLDERS has the entry "\/tmp=Acme"/],
    [{ fileFolders: [`/no/such=${named}`] }, /MANIFOLD_FILE_FOLDERS contains "\/no\/such"/],
  ] as const)
    test(`the host does not start with the settings ${JSON.stringify(settings)}`, async () => {
      assert.match(String(await open(settings).catch(String)), message);
    });

  test("a folder's name may contain `=`, and an entry may contain the ids of several organizations", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-year=2024-")));
    try {
      const [first, second] = [named, "5a0d2c1e-7b1f-4c55-9a64-0f1f6f3a7c12"];
      for (const id of [first, second])
        await records.insert("organization", { id, signed_up: true });
      const connections = await open({ fileFolders: [folder] });
      await connections.candidate({ provider: "files", host: "x" }, principal);
      assert.equal(fake.opened.at(-1)?.reach.folders, [folder]);
      const shared = await open({ fileFolders: [`${folder}=${first}+${second}`] });
      for (const organizationId of [first, second]) {
        await shared.candidate({ provider: "sqlite", host: "x" }, { ...principal, organizationId });
        assert.equal(fake.opened.at(-1)?.reach.folders, [folder]);
      }
      const refused = await refusal(shared.candidate({ provider: "sqlite" }, principal));
      assert.match(refused.message, "is neither a connector");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("an expired or inactive connection cannot be used, and the error gives the reason", async () => {
    const connections = await open();
    await account({ expiry: new Date(Date.now() - 1000) });
    const expired = await connections.ofAccount("c1");
    const failure = await failureOf(expired.datasets({ signal: signal() }));
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.match(failure.message, "expired at");
    await records.change("account", "c1", { expiry: null, active: false });
    assert.match((await failureOf(connections.ofAccount("c1"))).message, "not active");
    assert.equal(fake.calls, []);
  });

  test("`release` frees a connector's resources for an account, but never imports a connector", async () => {
    const connections = await open();
    const row = await account();
    await connections.release(row);
    assert.equal(fake.loaded, []);
    await connections.ofAccount("c1");
    await connections.release(row);
    assert.is(fake.released.length, 1);
    assert.is(fake.released[0]?.token, "canary");
    await connections.release({ ...row, plugin_id: "p1" });
    assert.is(fake.released.length, 1);
  });

  test("a connector that fails to open is opened again at the next call, and other accounts are not affected", async () => {
    let failCount = 1;
    const { load } = fake;
    const connections = await openConnections({
      config: readConfig({}, {}),
      records,
      plugins: inProcess,
      async loadConnector(path) {
        if (failCount-- > 0) throw new Error("the package is missing");
        return load(path);
      },
    });
    opened.push(connections);
    const values = { provider: "mysql", host: "x" };
    const thrown = await connections.candidate(values, principal).catch(String);
    assert.match(String(thrown), "the package is missing");
    assert.is((await connections.candidate(values, principal)).name, "mysql");
    await connections.close();
    assert.is(fake.closeCount, 1);
  });
});
