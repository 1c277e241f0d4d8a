import * as assert from "uvu/assert";
import { open } from "../../../connectors/clickhouse/index.ts";
import {
  PluginError,
  rowsOfBatch,
  type Credentials,
  type Plugin,
  type Query,
  type Reach,
} from "../../../plugins/protocol/index.ts";
import {
  clickhouseSuite,
  needsClickhouse,
  openClickhouseDatabase,
  type ClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import { eventually } from "../../support/eventually.ts";
import { openClickhouseServer, type ClickhouseServer } from "../../support/clickhouseServer.ts";
import { openProxy } from "../../support/openProxy.ts";
import { openReach } from "../../support/openReach.ts";
import { openTlsFront } from "../../support/openTlsFront.ts";
import { failureOf } from "../../support/refused.ts";
import { faultReach, type FaultEngine } from "../faultEngine.ts";
import { faultSuite } from "../faultSuite.ts";

const wrongPassword = "the wrong secret";

async function setUp(database: ClickhouseDatabase): Promise<void> {
  for (const statement of [
    "create table plain (n UInt32) engine = MergeTree order by n",
    "insert into plain values (1), (2), (3)",
    "create view endless as select toUInt32(number % 7) as n from system.numbers",
    "create view still as select toUInt32(number) as n from numbers(1000) where sleepEachRow(0.1) = 1 settings max_block_size = 1",
  ])
    await database.run(statement);
}

faultSuite("connectors/clickhouse", openEngine, needsClickhouse);

async function openEngine(): Promise<FaultEngine> {
  const database = await openClickhouseDatabase();
  await setUp(database);
  const { database: schema, admin } = database;
  const credentialsAt = (
    port: number,
    { host = "127.0.0.1", ...more }: Readonly<Record<string, string>> = {},
  ): Credentials => ({
    host,
    key: admin.name,
    token: admin.password,
    properties: { port: String(port), ...more },
  });
  return {
    source: /ClickHouse at (?:127\.0\.0\.1|db\.test|other\.test):\d+/,
    // The password is compared without its quotes, because a log escapes them.
    secrets: [admin.password.split("'")[0]!, wrongPassword],
    hidden: [],
    credentials: (port) => credentialsAt(port ?? 0),
    async open({ timeoutMs = 20_000 } = {}) {
      return { plugin: await open({ reach: faultReach(), timeoutMs, sizeBytes: 2 ** 40 }) };
    },
    datasetOf: (name, place) => `${place ?? schema}.${name}`,
    runningCount: async () =>
      Number(
        await database.run(`select count() from system.processes
          where query like '%${schema}%' and query not like '%system.processes%'`),
      ),
    means: {
      async kill() {
        const server = await openClickhouseServer();
        const inside = await openClickhouseDatabase(server);
        await setUp(inside);
        return {
          place: { host: server.host, port: server.port },
          schema: inside.database,
          credentials: (port) => credentialsAt(port),
          kill: () => server.kill(),
          restart: () => server.restart(),
          close: () => server.close(),
        };
      },
      network: { host: database.host, port: database.port },
      endIdle: "the server has no statement that closes an idle connection",
      pool: { most: 10 },
      lock: "readers of ClickHouse never wait for a lock",
      password: (credentials) => ({ ...credentials, token: wrongPassword }),
      tls: {
        modes: ["require", "verify-ca", "verify-full"],
        async open() {
          const front = await openTlsFront(database);
          return {
            port: front.port,
            use: async (certificate) => front.use(certificate),
            credentials: (host, port, properties) => credentialsAt(port, { host, ...properties }),
            close: () => front.close(),
          };
        },
      },
      change: {
        id: `${schema}.moving`,
        async create() {
          await database.run(
            "create table moving (n UInt32, word String) engine = MergeTree order by tuple()",
          );
          await database.run("insert into moving values (1, 'one')");
        },
        async toText() {
          await database.run(
            "alter table moving modify column n String settings mutations_sync = 2",
          );
          await database.run(
            "alter table moving update n = 'now 1' where 1 settings mutations_sync = 2",
          );
        },
        dropColumn: async () =>
          void (await database.run(
            "alter table moving drop column word settings mutations_sync = 2",
          )),
        drop: async () => void (await database.run("drop table moving sync")),
      },
    },
    async close() {
      await database.close();
    },
  };
}

clickhouseSuite("connectors/clickhouse: failing responses", (test) => {
  let database: ClickhouseDatabase;
  const plugins: Plugin[] = [];

  const openPlugin = async (
    options: { timeoutMs?: number; sizeBytes?: number; reach?: Reach } = {},
  ) => {
    const plugin = await open({
      reach: openReach(),
      timeoutMs: 30_000,
      sizeBytes: 2 ** 26,
      ...options,
    });
    plugins.push(plugin);
    return plugin;
  };
  const credentialsOf = (
    { host, port, admin }: Pick<ClickhouseServer, "host" | "port" | "admin">,
    more: Partial<Credentials> = {},
  ): Credentials => ({
    host,
    key: admin.name,
    token: admin.password,
    ...more,
    properties: { port: String(port), ...more.properties },
  });
  const rowsOf = async (
    plugin: Plugin,
    credentials: Credentials,
    table: string,
    query: Partial<Query> = {},
    signal = new AbortController().signal,
  ) =>
    rowsOfBatch(
      await plugin.query({
        credentials,
        signal,
        query: {
          id: table,
          columns: [{ column_id: "id" }],
          filters: [],
          options: { pushdown: false },
          ...query,
        },
      }),
    );
  /** Counts the running statements of the connector's user in this database. */
  const running = async () =>
    Number(
      await database.run(`select count() from system.processes
        where query like '%${database.database}%' and query not like '%system.processes%'`),
    );
  const untilNothingRuns = async () => {
    while ((await running()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  test.before(async () => {
    database = await openClickhouseDatabase();
    await database.run("create table t (id UInt32, word String) engine = MergeTree order by id");
    await database.run("insert into t values (1, 'one'), (2, 'two')");
    await database.run(
      "create view endless as select toUInt32(number % 7) as id, repeat('x', 100) as word from system.numbers",
    );
    await database.run(
      "create view late as select toUInt32(number) as id, throwIf(number = 300000, 'too far') as thrown from numbers(400000)",
    );
  });
  test.afterEach(async () => {
    for (const plugin of plugins.splice(0)) await plugin.close?.();
  });
  test.after(() => database.close());

  test("a user who may not change settings can run queries", async () => {
    const plugin = await openPlugin();
    const { name, password } = database.locked;
    const credentials = credentialsOf(database, { key: name, token: password });
    const id = `${database.database}.t`;
    const query = { columns: [{ column_id: "id" }, { column_id: "word" }] };
    assert.equal(await rowsOf(plugin, credentials, id, query), [
      [1, "one"],
      [2, "two"],
    ]);
  });

  test("if the server fails after sending rows, the query fails with the server's message", async () => {
    const plugin = await openPlugin();
    const columns = [{ column_id: "id" }, { column_id: "thrown" }];
    const failure = await failureOf(
      rowsOf(plugin, credentialsOf(database), `${database.database}.late`, { columns }),
    );
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, /too far/);
  });

  test("a query whose answer exceeds the size limit is cancelled while its rows arrive", async () => {
    const plugin = await openPlugin({ sizeBytes: 1_000_000 });
    const columns = [{ column_id: "word" }];
    const failure = await failureOf(
      rowsOf(plugin, credentialsOf(database), `${database.database}.endless`, { columns }),
    );
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, /more than 1000000 bytes/);
    await untilNothingRuns();
  });

  test("an account opens at most ten connections, and closing the connector closes them", async () => {
    // The shared server also has connections of other test files.
    const proxy = await openProxy({ host: database.host, port: database.port });
    try {
      const plugin = await openPlugin();
      const id = `${database.database}.t`;
      const credentials = credentialsOf({ ...database, port: proxy.port });
      await Promise.all(Array.from({ length: 30 }, () => rowsOf(plugin, credentials, id)));
      assert.ok(proxy.madeCount <= 10, `${proxy.madeCount} connections`);
      await plugin.close?.();
      await eventually(() => proxy.openCount === 0, "no connection is left");
    } finally {
      await proxy.close();
    }
  });

  test("a connection uses the address that the egress guard returns, and fails if the guard refuses the server", async () => {
    const resolved: (readonly [string, number])[] = [];
    const address = async (host: string, port: number) => {
      resolved.push([host, port]);
      if (host !== "clickhouse.test")
        throw new PluginError("PLUGIN_INVALID", [`${host} may not be reached`]);
      return database.host;
    };
    const plugin = await openPlugin({ reach: { ...openReach(), address } });
    const id = `${database.database}.t`;
    const named = credentialsOf(database, { host: "clickhouse.test" });
    assert.is((await rowsOf(plugin, named, id)).length, 2);
    assert.equal(resolved.at(-1), ["clickhouse.test", database.port]);
    for (const host of ["127.0.0.1", "elsewhere.test"]) {
      const failure = await failureOf(rowsOf(plugin, credentialsOf(database, { host }), id));
      assert.is(failure.code, "PLUGIN_INVALID");
      assert.match(failure.message, new RegExp(`${host} may not be reached`));
    }
  });
});
