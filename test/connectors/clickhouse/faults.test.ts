import { createServer, connect, type AddressInfo, type Socket } from "node:net";
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
  openClickhouseDatabase,
  type ClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import { openClickhouseServer, type ClickhouseServer } from "../../support/clickhouseServer.ts";
import { openReach } from "../../support/openReach.ts";

clickhouseSuite("connectors/clickhouse: faults", (test) => {
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
  /** Statements of the connector's user that run in this database. */
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
      "create view slow as select toUInt32(number) as id from numbers(1000) where sleepEachRow(0.1) = 0 settings max_block_size = 1",
    );
    await database.run(
      "create view endless as select toUInt32(number % 7) as id, repeat('x', 100) as word from system.numbers",
    );
    await database.run(
      "create view late as select toUInt32(number) as id, throwIf(number = 2000000, 'too far') as thrown from numbers(3000000)",
    );
  });
  test.afterEach(async () => {
    for (const plugin of plugins.splice(0)) await plugin.close?.();
  });
  test.after(() => database.close());

  test("a wrong password is refused by name, without the password", async () => {
    const plugin = await openPlugin();
    const credentials = credentialsOf(database, { token: "not the secret" });
    const signal = new AbortController().signal;
    const failure = await failureOf(plugin.authorize!({ credentials, signal }));
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.not.match(failure.message, /not the secret/);
    await plugin.authorize!({ credentials: credentialsOf(database), signal });
  });

  test("a user who may change no setting has the same cells", async () => {
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

  test("an aborted call ends the statement at the server, before and between its rows", async () => {
    const plugin = await openPlugin();
    for (const table of ["slow", "endless"]) {
      const abort = new AbortController();
      const id = `${database.database}.${table}`;
      const asked = failureOf(rowsOf(plugin, credentialsOf(database), id, {}, abort.signal));
      while ((await running()) === 0);
      abort.abort(new PluginError("PLUGIN_TIMEOUT", ["the call was cancelled"]));
      assert.is((await asked).code, "PLUGIN_TIMEOUT");
      await untilNothingRuns();
    }
  });

  test("a statement past its deadline ends at the server", async () => {
    const plugin = await openPlugin({ timeoutMs: 1000 });
    const failure = await failureOf(
      rowsOf(plugin, credentialsOf(database), `${database.database}.slow`),
    );
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    await untilNothingRuns();
  });

  test("an error after the first rows fails the query with the server's words", async () => {
    const plugin = await openPlugin();
    const columns = [{ column_id: "id" }, { column_id: "thrown" }];
    const failure = await failureOf(
      rowsOf(plugin, credentialsOf(database), `${database.database}.late`, { columns }),
    );
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, /too far/);
  });

  test("an answer that is too large is refused while it arrives, and its statement ends", async () => {
    const plugin = await openPlugin({ sizeBytes: 1_000_000 });
    const columns = [{ column_id: "word" }];
    const failure = await failureOf(
      rowsOf(plugin, credentialsOf(database), `${database.database}.endless`, { columns }),
    );
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, /more than 1000000 bytes/);
    await untilNothingRuns();
  });

  test("a server that is killed among the rows fails the query; after its start it is asked again", async () => {
    const server = await openClickhouseServer();
    try {
      const own = await openClickhouseDatabase(server);
      await own.run("create view endless as select toUInt32(number) as id from system.numbers");
      await own.run("create table t (id UInt32) engine = MergeTree order by id");
      await own.run("insert into t values (5)");
      const plugin = await openPlugin({ sizeBytes: 2 ** 40 });
      const credentials = credentialsOf(server);
      assert.equal(await rowsOf(plugin, credentials, `${own.database}.t`), [[5]]);
      const filters = [{ column_id: "id", expression: "<", value: [0] } as const];
      const asked = failureOf(rowsOf(plugin, credentials, `${own.database}.endless`, { filters }));
      while (
        Number(await own.run("select count() from system.processes where query like '%endless%'")) <
        2
      );
      await server.kill();
      const failure = await asked;
      assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
      assert.match(failure.message, /the connection broke/);
      const refused = await failureOf(rowsOf(plugin, credentials, `${own.database}.t`));
      assert.match(refused.message, /the server refused the connection/);
      await server.restart();
      assert.equal(await rowsOf(plugin, credentials, `${own.database}.t`), [[5]]);
    } finally {
      await server.close();
    }
  });

  test("a connection that is cut at any byte of the answer never passes for a whole one", async () => {
    const plugin = await openPlugin();
    for (const bytes of [0, 1, 300, 700, 800]) {
      const proxy = await openCuttingProxy(database.port, bytes);
      try {
        const credentials = credentialsOf({ ...database, port: proxy.port });
        const failure = await failureOf(rowsOf(plugin, credentials, `${database.database}.t`));
        assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
      } finally {
        await proxy.close();
      }
    }
  });

  test("a table that is altered or dropped after it was described is described again, or named", async () => {
    const plugin = await openPlugin();
    await database.run("create table moving (id UInt32, a String) engine = MergeTree order by id");
    await database.run("insert into moving values (1, '7')");
    const id = `${database.database}.moving`;
    const credentials = credentialsOf(database);
    const query = { columns: [{ column_id: "a" }] };
    assert.equal(await rowsOf(plugin, credentials, id, query), [["7"]]);
    await database.run("alter table moving drop column a");
    const missing = await failureOf(rowsOf(plugin, credentials, id, query));
    assert.is(missing.code, "PLUGIN_UNKNOWN_COLUMN");
    await database.run("drop table moving sync");
    const dropped = await failureOf(rowsOf(plugin, credentials, id));
    assert.is(dropped.code, "PLUGIN_UNKNOWN_DATASET");
  });

  test("connections are bounded, reused and all closed", async () => {
    const count = async () =>
      Number(
        await database.run("select value from system.metrics where metric = 'HTTPConnection'"),
      );
    const before = await count();
    const plugin = await openPlugin();
    const id = `${database.database}.t`;
    const credentials = credentialsOf(database);
    const asked = Array.from({ length: 30 }, () => rowsOf(plugin, credentials, id));
    await Promise.all(asked);
    assert.ok((await count()) - before <= 10, "more than ten connections");
    await plugin.close?.();
    while ((await count()) > before) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test("a connection goes to the address that the host allows, and names the server", async () => {
    const asked: (readonly [string, number])[] = [];
    const address = async (host: string, port: number) => {
      asked.push([host, port]);
      if (host !== "clickhouse.test")
        throw new PluginError("PLUGIN_INVALID", [`${host} may not be reached`]);
      return database.host;
    };
    const plugin = await openPlugin({ reach: { address, folders: [] } });
    const id = `${database.database}.t`;
    const named = credentialsOf(database, { host: "clickhouse.test" });
    assert.is((await rowsOf(plugin, named, id)).length, 2);
    assert.equal(asked.at(-1), ["clickhouse.test", database.port]);
    for (const host of ["127.0.0.1", "elsewhere.test"]) {
      const failure = await failureOf(rowsOf(plugin, credentialsOf(database, { host }), id));
      assert.is(failure.code, "PLUGIN_INVALID");
      assert.match(failure.message, new RegExp(`${host} may not be reached`));
    }
  });
});

async function failureOf(asked: Promise<unknown>): Promise<PluginError> {
  const failure: unknown = await asked.then(
    () => new Error("nothing failed"),
    (thrown: unknown) => thrown,
  );
  if (failure instanceof PluginError) return failure;
  throw failure;
}

/** Passes requests on, and cuts a connection after so many bytes of its answers. */
async function openCuttingProxy(
  port: number,
  bytes: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    let left = bytes;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
    }
    client.on("data", (chunk) => upstream.write(chunk));
    client.on("close", () => upstream.destroy());
    upstream.on("data", (chunk: Buffer) => {
      client.write(chunk.subarray(0, left), () => {
        if (left <= 0) client.destroy();
      });
      left -= chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
