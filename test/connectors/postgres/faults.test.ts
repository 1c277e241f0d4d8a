/** This file costs more than most, because it is the only connector whose network faults the quick layer tests. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/postgres/index.ts";
import type { Plugin, Query } from "../../../plugins/protocol/index.ts";
import { openOwnPostgres, type OwnPostgres } from "../../support/ownPostgres.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";
import { faultReach, type FaultEngine } from "../faultEngine.ts";
import { faultSuite } from "../faultSuite.ts";

const password = "the right secret";
const wrongPassword = "the wrong secret";

const setUp = (role: string) => `
create role ${role} login password '${password}' in role pg_read_all_data;
create table plain (n int);
insert into plain values (1), (2), (3);
create view endless as
  select a as n from generate_series(1, 100000) a, generate_series(1, 100000) b;
create view still as select 1 as n from pg_sleep(60);`;

faultSuite("connectors/postgres", openEngine);

async function openEngine(): Promise<FaultEngine> {
  const database = await openPostgresDatabase();
  const role = `faults_${randomBytes(4).toString("hex")}`;
  await database.run(setUp(role));
  const { host, port } = database.server;
  let own: Promise<OwnPostgres> | undefined;
  const ownServer = () =>
    (own ??= openOwnPostgres().then(async (server) => {
      await server.run(setUp(role));
      return server;
    }));
  const count = async (where: string) => {
    const text = `select count(*)::int from pg_stat_activity where usename = '${role}' and ${where}`;
    return Number((await database.run(text))[0]?.[0]);
  };
  const credentialsAt = (
    at: number,
    scope: string,
    { host: name = "127.0.0.1", ...more }: Readonly<Record<string, string>> = { ssl: "disable" },
  ) => ({
    host: name,
    key: role,
    token: password,
    properties: { port: String(at), scope, ...more },
  });
  return {
    source: /PostgreSQL at (?:127\.0\.0\.1|db\.test|other\.test):\d+/,
    secrets: [password, wrongPassword],
    hidden: [role],
    credentials: (at) => credentialsAt(at ?? 0, database.database),
    async open({ timeoutMs = 20_000 } = {}) {
      const plugin = await open({ reach: faultReach(), timeoutMs, sizeBytes: 2 ** 30 });
      return { plugin, openCount: () => count("true") };
    },
    datasetOf: (name) => `public.${name}`,
    runningCount: () => count("state <> 'idle'"),
    means: {
      async kill() {
        const server = await ownServer();
        return {
          place: { host: "127.0.0.1", port: server.port },
          credentials: (at) => credentialsAt(at, "postgres"),
          kill: () => server.kill(),
          restart: () => server.ready(),
          close: async () => undefined,
        };
      },
      network: { path: `${host}/.s.PGSQL.${port}` },
      async endIdle() {
        await database.run(
          `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
        );
      },
      pool: { most: 8 },
      lock: {
        code: "PLUGIN_TIMEOUT",
        async hold() {
          await database.run("begin; lock table plain in access exclusive mode");
          return async () => void (await database.run("rollback"));
        },
      },
      password: (credentials) => ({ ...credentials, token: wrongPassword }),
      tls: {
        modes: ["disable", "prefer", "require", "verify-ca", "verify-full"],
        async open() {
          const server = await ownServer();
          return {
            port: server.port,
            use: (certificate) => server.use(certificate),
            credentials: (name, at, properties) =>
              credentialsAt(at, "postgres", { host: name, ...properties }),
            close: async () => undefined,
          };
        },
      },
      change: {
        id: "public.moving",
        create: async () =>
          void (await database.run(
            "create table moving (n int, word text); insert into moving values (1, 'one')",
          )),
        toText: async () =>
          void (await database.run("alter table moving alter n type text using 'now ' || n")),
        dropColumn: async () => void (await database.run("alter table moving drop word")),
        drop: async () => void (await database.run("drop table moving")),
      },
    },
    async close() {
      await (await own)?.close();
      await database.run(`drop owned by ${role}; drop role ${role}`);
      await database.close();
    },
  };
}

suite("connectors/postgres: limits", (test) => {
  let database: PostgresDatabase;
  let plugin: Plugin;
  const runQuery = (id: string, columnIds: readonly string[], by = plugin) => {
    const query: Query = {
      id,
      columns: columnIds.map((column_id) => ({ column_id })),
      filters: [],
      options: { pushdown: false },
    };
    const { credentials } = database;
    return by.query({ credentials, signal: new AbortController().signal, query });
  };

  test.before(async () => {
    database = await openPostgresDatabase();
    await database.run(
      "create table t as select i as id, 'word ' || i as word from generate_series(1, 5000) i",
    );
    plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("the error names the missing PostgreSQL database", async () => {
    const { properties, ...own } = database.credentials;
    const credentials = { ...own, properties: { ...properties, scope: "no such db" } };
    const call = { credentials, signal: new AbortController().signal };
    const missing = await failureOf(plugin.authorize!(call));
    assert.is(missing.code, "PLUGIN_INVALID");
    assert.match(missing.message, "no such db");
  });

  test("a query fails as soon as the rows that have arrived exceed the size limit", async () => {
    const small = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 20_000 });
    const failure = await failureOf(runQuery("public.t", ["word"], small));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, "20000 bytes");
    await small.close?.();
  });

  test("a query of a view that writes fails, because sessions are read-only", async () => {
    await database.run(`
      create function note() returns int language sql volatile as
        'insert into t values (-1, ''written'') returning 1';
      create view writing as select note() as n`);
    const failure = await failureOf(runQuery("public.writing", ["n"]));
    assert.match(failure.message, "read-only");
    assert.equal(await database.run("select count(*)::int from t where id = -1"), [[0]]);
  });

  test.deep("cancelling a query stops it on the server, even over TLS", async () => {
    const own = await openOwnPostgres();
    try {
      await own.run(
        "create view endless as select a as n from generate_series(1, 100000) a, generate_series(1, 100000) b",
      );
      const running = async () => {
        const text =
          "select count(*)::int from pg_stat_activity where application_name = 'manifold' and state = 'active'";
        return Number((await own.run(text))[0]?.[0]);
      };
      const { port, user: key, password: token } = own;
      const properties = { port: String(port), scope: "postgres", ssl: "require" };
      const controller = new AbortController();
      const query: Query = {
        id: "public.endless",
        columns: [{ column_id: "n", aggregation: "sum" }],
        filters: [],
        options: { pushdown: true },
      };
      const credentials = { host: "127.0.0.1", key, token, properties };
      const pending = plugin.query({ credentials, signal: controller.signal, query });
      pending.catch(() => undefined);
      while ((await running()) === 0) await wait(10);
      controller.abort();
      await pending.then(
        () => assert.unreachable("it was answered"),
        () => undefined,
      );
      while ((await running()) > 0) await wait(10);
      await plugin.release?.(credentials);
    } finally {
      await own.close();
    }
  });
});
