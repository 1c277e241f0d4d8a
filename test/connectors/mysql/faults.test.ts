import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import * as assert from "uvu/assert";
import { createDriver } from "../../../connectors/mysql/createDriver.ts";
import { open } from "../../../connectors/mysql/index.ts";
import { PluginError, type Plugin } from "../../../plugins/protocol/index.ts";
import type { SqlDriver } from "../../../plugins/sql/index.ts";
import { createCertificate } from "../../support/certificate.ts";
import {
  mariadbSuite,
  openMariadbDatabase,
  type MariadbDatabase,
} from "../../support/mariadbDatabase.ts";
import { openMariadbServer } from "../../support/mariadbServer.ts";
import {
  callOf,
  connectionsTo,
  credentialsOf,
  eventually,
  openDriver,
  openMysql,
  readAll,
  rowsOf,
} from "./mysqlConnector.ts";

/** A statement that goes on for minutes and sends rows from the start. */
const endless = "select a.seq from seq_1_to_100000 a, seq_1_to_100000 b";

async function refusal(work: Promise<unknown>): Promise<PluginError> {
  try {
    await work;
  } catch (failure) {
    assert.instance(failure, PluginError);
    return failure as PluginError;
  }
  throw new Error("it did not fail");
}

/** Everything that a log could show of an error. */
function shown(failure: unknown): string {
  return `${inspect(failure, { depth: 10, showHidden: true })} ${JSON.stringify(failure)}`;
}

mariadbSuite("connectors/mysql: faults", (test) => {
  let database: MariadbDatabase;
  let plugin: Plugin;
  let driver: SqlDriver;
  test.beforeEach(() => {
    driver = openDriver();
  });
  test.afterEach(() => driver.close());
  test.before(async () => {
    database = await openMariadbDatabase();
    await database.run("create table numbers (k int primary key, name varchar(20))");
    await database.run("insert into numbers select seq, concat('name ', seq) from seq_1_to_20000");
    // A count of it takes minutes.
    await database.run(
      "create view slow as select a.k from numbers a, numbers b where a.k * b.k % 7 = sqrt(b.k)",
    );
    plugin = await openMysql();
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("a wrong password is refused by the name of the server, and no error holds a password", async () => {
    const credentials = { ...credentialsOf(database), token: "the-wrong-secret" };
    const call = { credentials, signal: AbortSignal.timeout(20_000) };
    const failure = await refusal(plugin.authorize!(call));
    assert.is(failure.code, "PLUGIN_FORBIDDEN");
    assert.match(
      failure.message,
      `127.0.0.1:${database.port}: it refused the user or the password`,
    );
    assert.not.match(shown(failure), "the-wrong-secret");
  });

  test("a database that does not exist, and a port where nothing listens, are named", async () => {
    const unknown = await refusal(plugin.authorize!(callOf(database, { scope: "no_such_db" })));
    assert.is(unknown.code, "PLUGIN_INVALID");
    assert.match(unknown.message, "no_such_db");
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const failure = await refusal(plugin.authorize!(callOf(database, { port: String(port) })));
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, `127.0.0.1:${port}: nothing listens there`);
  });

  test("an address that the operator does not allow is not connected to", async () => {
    const refusing = await open({
      reach: {
        async address() {
          throw new PluginError("PLUGIN_INVALID", ["not allowed here"]);
        },
        folders: [],
      },
      timeoutMs: 5_000,
      sizeBytes: 1_000,
    });
    const failure = await refusal(refusing.datasets(callOf(database)));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, "not allowed here");
    await refusing.close?.();
  });

  test("an abort in the middle of rows ends the statement at the server, and its connection is not used again", async () => {
    const aborter = new AbortController();
    const reason = new Error("the caller left");
    let rowCount = 0;
    const work = driver.use(credentialsOf(database), aborter.signal, async (session) => {
      for await (const rows of session.rows({ text: endless, values: [] }, aborter.signal)) {
        rowCount += rows.length;
        if (rowCount > 5_000) aborter.abort(reason);
      }
    });
    assert.is(await work.catch((failure: unknown) => failure), reason);
    assert.ok(rowCount > 5_000);
    await eventually(
      async () => (await connectionsTo(database)).every(([, running]) => running !== endless),
      "the statement has ended",
    );
  });

  test("an abort before the first row ends the statement at the server", async () => {
    const query = rowsOf(database, "slow", [], {
      columns: [{ column_id: "*", aggregation: "count" }],
      options: { pushdown: true },
    });
    const isRunning = async () =>
      (await connectionsTo(database)).some(([, running]) => running?.includes("slow"));
    const aborter = new AbortController();
    const { credentials } = callOf(database);
    const work = plugin.query({ credentials, signal: aborter.signal, query }).then(
      () => "answered",
      () => "failed",
    );
    await eventually(isRunning, "the statement runs");
    aborter.abort();
    assert.is(await work, "failed");
    await eventually(async () => !(await isRunning()), "the statement has ended");
  });

  test("a caller that leaves the rows early ends the statement, and keeps its answer", async () => {
    const first = await driver.use(
      credentialsOf(database),
      AbortSignal.timeout(20_000),
      async (session) => {
        for await (const rows of session.rows({ text: endless, values: [] }, neverAborted()))
          return rows[0];
        return undefined;
      },
    );
    assert.equal(first, ["1"]);
    await eventually(
      async () => (await connectionsTo(database)).every(([, running]) => running !== endless),
      "the statement has ended",
    );
  });

  test("rows wait at the server while the caller is behind", async () => {
    const sizes: number[] = [];
    await driver.use(credentialsOf(database), neverAborted(), async (session) => {
      for await (const rows of session.rows({ text: endless, values: [] }, neverAborted())) {
        sizes.push(rows.length);
        if (sizes.length === 8) return;
        await wait(50);
      }
    });
    assert.ok(
      sizes.every((size) => size <= 2_048),
      sizes.join(),
    );
    assert.ok(sizes.includes(2_048), sizes.join());
  });

  test("a statement that is too slow ends at the server and is a timeout", async () => {
    const impatient = await openMysql(400);
    const query = rowsOf(database, "slow", [], {
      columns: [{ column_id: "*", aggregation: "count" }],
      options: { pushdown: true },
    });
    const failure = await refusal(impatient.query({ ...callOf(database), query }));
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    assert.match(failure.message, "the statement was too slow");
    await impatient.close?.();
  });

  test("a table that another connection has locked is a timeout", async () => {
    const impatient = await openMysql(400);
    await database.run("create table locked (a int)");
    const ask = () =>
      impatient.query({ ...callOf(database), query: rowsOf(database, "locked", ["a"]) });
    await ask();
    await database.run("lock tables locked write");
    try {
      assert.is((await refusal(ask())).code, "PLUGIN_TIMEOUT");
    } finally {
      await database.run("unlock tables");
    }
    assert.is((await ask()).rowCount, 0);
    await impatient.close?.();
  });

  test("a call waits while all connections of its account are in use, and is refused when none becomes free", async () => {
    const own = await openMariadbDatabase();
    const driver = openDriver(600);
    const held = Promise.withResolvers<void>();
    try {
      const credentials = credentialsOf(own);
      const holders = Array.from({ length: 8 }, () =>
        driver.use(credentials, neverAborted(), async (session) => {
          await readAll(session, "select 1");
          await held.promise;
        }),
      );
      await eventually(async () => (await connectionsTo(own)).length === 8, "all are open");
      const refused = await refusal(driver.use(credentials, neverAborted(), async () => 1));
      assert.is(refused.code, "PLUGIN_BUSY");
      const waiting = driver.use(credentials, neverAborted(), (session) =>
        readAll(session, "select 2"),
      );
      held.resolve();
      assert.equal(await waiting, [[2]]);
      await Promise.all(holders);
      assert.is((await connectionsTo(own)).length, 8);
      await driver.close();
      await eventually(async () => (await connectionsTo(own)).length === 0, "none is left");
    } finally {
      held.resolve();
      await driver.close();
      await own.close();
    }
  });

  test("a connection that is cut fails its call and no other one", async () => {
    const sockets = new Set<Socket>();
    const proxy = createServer((from) => {
      const to = connect(database.port, database.host);
      for (const socket of [from, to]) {
        sockets.add(socket);
        socket.on("error", () => undefined);
      }
      from.pipe(to).pipe(from);
    }).listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    const credentials = credentialsOf(database, { port: String(port) });
    const failure = await refusal(
      driver.use(credentials, neverAborted(), async (session) => {
        for await (const rows of session.rows({ text: endless, values: [] }, neverAborted()))
          if (rows.length > 0) for (const socket of sockets) socket.destroy();
      }),
    );
    assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
    assert.match(failure.message, `127.0.0.1:${port}: the connection was cut`);
    const rows = await driver.use(credentials, neverAborted(), (session) =>
      readAll(session, "select 3"),
    );
    assert.equal(rows, [[3]]);
    proxy.close();
    for (const socket of sockets) socket.destroy();
  });

  test("a table that was dropped or altered after it was described is named", async () => {
    await database.run("create table changing (a int, b int)");
    await database.run("insert into changing values (1, 2)");
    const ask = (columns: readonly string[]) =>
      plugin.query({ ...callOf(database), query: rowsOf(database, "changing", columns) });
    assert.is((await ask(["a", "b"])).rowCount, 1);
    await database.run("alter table changing drop column b, add column c varchar(5) default 'x'");
    const gone = await refusal(ask(["a", "b"]));
    assert.is(gone.code, "PLUGIN_UNKNOWN_COLUMN");
    assert.match(gone.message, "has no column b");
    assert.is((await ask(["a", "c"])).rowCount, 1);
    await database.run("drop table changing");
    const dropped = await refusal(ask(["a"]));
    assert.is(dropped.code, "PLUGIN_UNKNOWN_DATASET");
  });

  test("a server that is killed in the middle of rows fails the call; after its restart the next one is answered", async () => {
    const server = await openMariadbServer();
    try {
      const own = await openMariadbDatabase(server);
      const credentials = credentialsOf(own);
      const failure = await refusal(
        driver.use(credentials, neverAborted(), async (session) => {
          for await (const rows of session.rows({ text: endless, values: [] }, neverAborted()))
            if (rows.length > 0) await server.kill();
        }),
      );
      assert.is(failure.code, "PLUGIN_SOURCE_FAILED");
      assert.match(failure.message, "the connection was cut");
      const down = await refusal(driver.use(credentials, neverAborted(), async () => 1));
      assert.match(down.message, "nothing listens there");
      await server.restart();
      const rows = await driver.use(credentials, neverAborted(), (session) =>
        readAll(session, "select 4"),
      );
      assert.equal(rows, [[4]]);
    } finally {
      await server.close();
    }
  });

  test("verify-full takes a certificate for the host's name alone; require any; a server without TLS is named", async () => {
    const folder = await mkdtemp(join(tmpdir(), "tls-"));
    const authority = { ...createCertificate({ name: "authority" }), name: "authority" };
    const good = createCertificate({ name: "db.test", issuer: authority });
    const expired = createCertificate({
      name: "db.test",
      issuer: authority,
      until: new Date(Date.now() - 86_400_000),
    });
    const ask = async (
      { port }: { readonly port: number },
      properties: Readonly<Record<string, string>>,
      host = "db.test",
    ) => {
      const driver = createDriver({
        reach: { address: async () => "127.0.0.1", folders: [] },
        timeoutMs: 10_000,
      });
      const { user: key, password: token } = database;
      const credentials = { host, key, token, properties: { port: String(port), ...properties } };
      try {
        return await driver.use(credentials, neverAborted(), (session) =>
          readAll(session, "show status like 'Ssl_version'"),
        );
      } finally {
        await driver.close();
      }
    };
    const use = async ({ certificate, key }: typeof good) => {
      await writeFile(join(folder, "certificate.pem"), certificate);
      await writeFile(join(folder, "key.pem"), key);
    };
    await use(good);
    const server = await openMariadbServer({
      "ssl-cert": join(folder, "certificate.pem"),
      "ssl-key": join(folder, "key.pem"),
    });
    try {
      const verify = { ssl: "verify-full", ca: authority.certificate };
      const named = async (work: Promise<unknown>) => (await refusal(work)).message;
      assert.match(String((await ask(server, verify))[0]), "TLS");
      assert.match(String((await ask(server, {}))[0]), "TLS", "preferred");
      assert.equal(await ask(server, { ssl: "disable" }), [["Ssl_version", ""]]);
      assert.match(await named(ask(server, verify, "other.test")), /TLS failed: .*other\.test/);
      assert.match(await named(ask(server, { ssl: "verify-full" })), "TLS failed: ");
      assert.match(await named(ask(database, { ssl: "require" })), "it offers no encryption");
      assert.equal(await ask(database, { ssl: "prefer" }), [["Ssl_version", ""]]);
      await use(expired);
      const control = await openMariadbDatabase(server);
      await control.run("flush ssl");
      await control.close();
      assert.match(String((await ask(server, { ssl: "require" }))[0]), "TLS");
      assert.match(await named(ask(server, verify)), "TLS failed: certificate has expired");
    } finally {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
