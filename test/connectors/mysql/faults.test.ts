import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/mysql/index.ts";
import { PluginError, type Credentials, type Plugin } from "../../../plugins/protocol/index.ts";
import type { SqlDriver } from "../../../plugins/sql/index.ts";
import { createCertificate, type TestCertificate } from "../../support/certificate.ts";
import {
  mariadbSuite,
  needsMariadb,
  openMariadbDatabase,
  type MariadbDatabase,
} from "../../support/mariadbDatabase.ts";
import { eventually } from "../../support/eventually.ts";
import { openMariadbServer, type OpenMariadbServer } from "../../support/mariadbServer.ts";
import { failureOf } from "../../support/refused.ts";
import { faultReach, type FaultEngine } from "../faultEngine.ts";
import { faultSuite } from "../faultSuite.ts";
import { callOf, connectionsTo, credentialsOf, openDriver, openMysql } from "./mysqlConnector.ts";
import { openReach } from "../../support/openReach.ts";

const password = "the right secret";
const wrongPassword = "the wrong secret";

async function setUp(database: MariadbDatabase, user: string): Promise<void> {
  for (const statement of [
    `create user ${user}@'127.0.0.1' identified by '${password}'`,
    `grant all on ${database.database}.* to ${user}@'127.0.0.1'`,
    "create table plain (n int)",
    "insert into plain values (1), (2), (3)",
    "create view endless as select a.seq as n from seq_1_to_100000 a, seq_1_to_100000 b",
    "create view still as select sleep(60) as n",
  ])
    await database.run(statement);
}

faultSuite("connectors/mysql", openEngine, needsMariadb);

async function openEngine(): Promise<FaultEngine> {
  const database = await openMariadbDatabase();
  const user = `faults_${randomBytes(4).toString("hex")}`;
  await setUp(database, user);
  const folder = await mkdtemp(join(tmpdir(), "tls-"));
  const files = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
  const write = async ({ certificate, key }: TestCertificate) => {
    await writeFile(files.certificate, certificate);
    await writeFile(files.key, key);
  };
  let own: Promise<{ server: OpenMariadbServer; database: MariadbDatabase }> | undefined;
  const openOwn = async () => {
    await write(createCertificate({ name: "own" }));
    const server = await openMariadbServer({
      "ssl-cert": files.certificate,
      "ssl-key": files.key,
    });
    const inside = await openMariadbDatabase(server);
    await setUp(inside, user);
    // This limit is lower than the number of rows in `plain`. The connector's sessions must not apply it.
    await inside.run("set global sql_select_limit = 2");
    return { server, database: inside };
  };
  const ownServer = () => (own ??= openOwn());
  const connections = async (where: string) => {
    const text = `select id from information_schema.processlist where user = '${user}' and ${where}`;
    return (await database.run(text)).map(([id]) => String(id));
  };
  const credentialsAt = (
    port: number,
    scope: string,
    { host = "127.0.0.1", ...more }: Readonly<Record<string, string>> = { ssl: "disable" },
  ): Credentials => ({
    host,
    key: user,
    token: password,
    properties: { port: String(port), scope, ...more },
  });
  const { database: schema } = database;
  return {
    source: /(?:127\.0\.0\.1|db\.test|other\.test):\d+: /,
    secrets: [password, wrongPassword],
    hidden: [user],
    credentials: (port) => credentialsAt(port ?? 0, schema),
    async open({ timeoutMs = 20_000 } = {}) {
      const plugin = await open({ reach: faultReach(), timeoutMs, sizeBytes: 2 ** 30 });
      return { plugin, openCount: async () => (await connections("true")).length };
    },
    datasetOf: (name, place) => `${place ?? schema}.${name}`,
    runningCount: async () => (await connections("command <> 'Sleep'")).length,
    means: {
      async kill() {
        const { server, database: inside } = await ownServer();
        return {
          place: { host: "127.0.0.1", port: server.port },
          schema: inside.database,
          credentials: (port) => credentialsAt(port, inside.database),
          kill: () => server.kill(),
          restart: () => server.restart(),
          close: async () => undefined,
        };
      },
      network: { host: database.host, port: database.port },
      async endIdle() {
        for (const id of await connections("true")) await database.run(`kill ${id}`);
      },
      pool: { most: 8 },
      lock: {
        code: "PLUGIN_TIMEOUT",
        async hold() {
          await database.run("lock tables plain write");
          return async () => void (await database.run("unlock tables"));
        },
      },
      password: (credentials) => ({ ...credentials, token: wrongPassword }),
      tls: {
        modes: ["disable", "prefer", "require", "verify-ca", "verify-full"],
        async open() {
          const { server, database: inside } = await ownServer();
          return {
            port: server.port,
            schema: inside.database,
            async use(certificate) {
              await write(certificate);
              await inside.run("flush ssl");
            },
            credentials: (host, port, properties) =>
              credentialsAt(port, inside.database, { host, ...properties }),
            close: async () => undefined,
          };
        },
      },
      change: {
        id: `${schema}.moving`,
        async create() {
          await database.run("create table moving (n int, word text)");
          await database.run("insert into moving values (1, 'one')");
        },
        async toText() {
          await database.run("alter table moving modify n varchar(20)");
          await database.run("update moving set n = 'now 1'");
        },
        dropColumn: async () => void (await database.run("alter table moving drop column word")),
        drop: async () => void (await database.run("drop table moving")),
      },
    },
    async close() {
      const { server } = (await own) ?? {};
      await server?.close();
      await rm(folder, { recursive: true, force: true });
      await database.run(`drop user ${user}@'127.0.0.1'`);
      await database.close();
    },
  };
}

/** A statement that returns rows from the start and runs for minutes. */
const endless = "select a.seq from seq_1_to_100000 a, seq_1_to_100000 b";

mariadbSuite("connectors/mysql: sessions", (test) => {
  let database: MariadbDatabase;
  let plugin: Plugin;
  let driver: SqlDriver;
  test.beforeEach(() => {
    driver = openDriver();
  });
  test.afterEach(() => driver.close());
  test.before(async () => {
    database = await openMariadbDatabase();
    plugin = await openMysql();
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("the error names the missing MySQL database", async () => {
    const unknown = await failureOf(plugin.authorize!(callOf(database, { scope: "no_such_db" })));
    assert.is(unknown.code, "PLUGIN_INVALID");
    assert.match(unknown.message, "no_such_db");
  });

  test("the connector connects only to addresses that the operator allows", async () => {
    const refusing = await open({
      reach: {
        ...openReach(),
        async address() {
          throw new PluginError("PLUGIN_INVALID", ["not allowed here"]);
        },
      },
      timeoutMs: 5_000,
      sizeBytes: 1_000,
    });
    const failure = await failureOf(refusing.datasets(callOf(database)));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, "not allowed here");
    await refusing.close?.();
  });

  test.deep(
    "aborting a call while rows arrive stops the SQL statement on the server and closes the connection",
    async () => {
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
    },
  );

  test.deep(
    "a caller that stops reading early keeps the rows that it has read, and its SQL statement stops",
    async () => {
      const first = await driver.use(
        credentialsOf(database),
        AbortSignal.timeout(60_000),
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
    },
  );

  test("a caller that reads slowly pauses the connection", async () => {
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
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}
