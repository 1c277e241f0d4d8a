import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as assert from "uvu/assert";
import pg from "pg";
import { open } from "../../../connectors/postgres/index.ts";
import {
  PluginError,
  rowsOfBatch,
  type Credentials,
  type Plugin,
  type Query,
} from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { needsPgBouncer, openPgBouncer, type PgBouncer } from "../../support/pgBouncer.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { eventually } from "../../support/eventually.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";

const password = "the right secret";

const setUp = (role: string) => `
create role ${role} login password '${password}' in role pg_read_all_data;
create table t as select i as n, 'word ' || i as word, timestamptz '2024-01-01 00:30+00' + i * interval '1 day' as at
  from generate_series(1, 3000) i;
create view endless as select a as n from generate_series(1, 100000) a, generate_series(1, 100000) b;
create view slow as select 1 as n from pg_sleep(10);
create view poison as select set_config('TimeZone', 'Asia/Tokyo', false) || set_config('statement_timeout', '7', false)
  || set_config('default_transaction_read_only', 'on', false) || pg_advisory_lock(4711)::text as n;
create view held as select current_setting('statement_timeout') || ' ' || current_setting('lock_timeout') || ' '
  || current_setting('idle_in_transaction_session_timeout') as n;`;

suite(
  "connectors/postgres behind PgBouncer",
  (test) => {
    const role = `pooled_${randomBytes(4).toString("hex")}`;
    let database: PostgresDatabase;
    let bouncer: PgBouncer;
    let plugin: Plugin;
    let credentials: Credentials;
    let other: pg.Client;

    test.before(async () => {
      database = await openPostgresDatabase();
      await database.run(setUp(role));
      const { server } = database;
      // The pool has a single connection, so each client gets the connection that the connector has just used.
      bouncer = await openPgBouncer({ server, users: { [role]: password }, poolSize: 1 });
      plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
      credentials = {
        host: bouncer.host,
        key: role,
        token: password,
        properties: { port: String(bouncer.port), scope: database.database, ssl: "disable" },
      };
      other = await connectOther();
    });
    test.after(async () => {
      await plugin.close?.();
      await other.end();
      await bouncer.close();
      await database.run(`drop owned by ${role}; drop role ${role}`);
      await database.close();
    });

    const connectOther = async (): Promise<pg.Client> => {
      const { host, port } = bouncer;
      const client = new pg.Client({
        host,
        port,
        user: role,
        password,
        database: database.database,
      });
      await client.connect();
      return client;
    };
    const queryOf = (id: string, columns: readonly string[], more: Partial<Query> = {}): Query => ({
      id: `public.${id}`,
      columns: columns.map((column_id) => ({ column_id })),
      filters: [],
      options: { pushdown: false },
      ...more,
    });
    const runQuery = async (
      query: Query,
      signal = new AbortController().signal,
      by = credentials,
    ) => rowsOfBatch(await plugin.query({ credentials: by, signal, query }));
    const runStatement = async (text: string) => {
      const call = { credentials, signal: new AbortController().signal };
      const statement = { text, parameters: {} };
      const columns = [...((await plugin.describe?.({ ...call, statement })) ?? [])];
      const dataset = { id: "s", columns, statement };
      const query = {
        ...queryOf(
          "",
          columns.map(({ id }) => id),
        ),
        id: "s",
      };
      return rowsOfBatch(await plugin.query({ ...call, query, dataset }));
    };
    /** Returns the parts of the session that a client of the pool can see, one per line. */
    const settings = async (client = other): Promise<readonly string[]> => {
      const { rows } = await client.query<[string]>({
        text: `select name || ' ' || setting from pg_settings where name not like 'transaction_%'
          union all select 'statement ' || name from pg_prepared_statements where name <> ''
          union all select 'cursor ' || name from pg_cursors where name <> ''
          union all select 'lock ' || objid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
          order by 1`,
        rowMode: "array",
      });
      return rows.flat();
    };

    test("queries through the pooler do not change the settings of its other clients", async () => {
      const before = await settings();
      const call = { credentials, signal: new AbortController().signal };
      const kinds: Readonly<Record<string, () => Promise<unknown>>> = {
        authorize: async () => plugin.authorize?.(call),
        probes: async () => plugin.capabilitiesOf?.(call),
        datasets: () => plugin.datasets(call),
        rows: () => runQuery(queryOf("t", ["n", "word", "at"])),
        "rows in another zone": () =>
          runQuery(
            queryOf("t", [], {
              columns: [{ column_id: "at", level: "month" }],
              options: { pushdown: true, timezone_id: "Europe/Brussels" },
            }),
          ),
        scan: async () =>
          plugin.scan?.({
            ...call,
            query: queryOf("t", ["n", "word"]),
            take: async () => undefined,
          }),
        statement: () => runStatement("select upper(word) as word from t where n < 3"),
        "a view that changes settings": () => runStatement("select n from poison"),
        "a failing statement": () =>
          runStatement("select 1 / (n - n) as x from t").catch(() => undefined),
        "a refused statement": () => runStatement("select pg_sleep(1) as x").catch(() => undefined),
        "a missing table": () => runQuery(queryOf("nowhere", ["n"])).catch(() => undefined),
      };
      for (const [kind, run] of Object.entries(kinds)) {
        await run();
        const after = await settings();
        const changed = after.filter((each) => !before.includes(each));
        assert.equal(changed, [], `after ${kind}`);
        const fresh = await connectOther();
        await fresh.query("create temporary table scratch (n int); drop table scratch");
        await fresh.end();
      }
    });

    test("queries return the same results through the pooler as from the database", async () => {
      assert.equal(
        await runQuery(
          queryOf("t", ["n", "at"], {
            limit: { by: 1, offset: 0 },
            order: [{ column: 0, order: "asc" }],
          }),
        ),
        [[1, "2024-01-02T00:30:00.000Z"]],
      );
      assert.equal(await runStatement("select cast(at as date) as day, n from t where n = 1"), [
        ["2024-01-02T00:00:00.000Z", 1],
      ]);
    });

    test("cancelling a query stops only its own SQL statement on the server", async () => {
      const running = () =>
        database.run(
          `select count(*)::int from pg_stat_activity where usename = '${role}' and state = 'active'`,
        );
      for (let round = 0; round < 3; round++) {
        const controller = new AbortController();
        const pending = runQuery(
          queryOf("endless", ["n"], {
            columns: [{ column_id: "n", aggregation: "sum" }],
            options: { pushdown: true },
          }),
          controller.signal,
        );
        pending.catch(() => undefined);
        while (Number((await running())[0]?.[0]) === 0) await wait(10);
        const waiting = other.query("select 'mine' as x");
        controller.abort();
        await failureOf(
          pending.catch((thrown: unknown) => {
            throw thrown instanceof PluginError
              ? thrown
              : new PluginError("PLUGIN_TIMEOUT", ["it must be aborted"]);
          }),
        );
        while (Number((await running())[0]?.[0]) > 0) await wait(10);
        assert.equal((await waiting).rows, [{ x: "mine" }]);
      }
    });

    for (const [how, place] of [
      ["through the pooler", () => credentials],
      ["without a pooler", () => ({ ...database.credentials, key: role, token: password })],
    ] as const) {
      test(`a stricter statement_timeout of the role takes precedence over Manifold's deadline (${how})`, async () => {
        await database.run(`
          alter role ${role} set statement_timeout = 1500;
          alter role ${role} set lock_timeout = '1min';
          alter role ${role} set idle_in_transaction_session_timeout = 30000`);
        try {
          await endConnections();
          const by = place();
          assert.equal(await runQuery(queryOf("held", ["n"]), undefined, by), [["1500ms 16s 30s"]]);
          const failure = await failureOf(runQuery(queryOf("slow", ["n"]), undefined, by));
          assert.is(failure.code, "PLUGIN_TIMEOUT");
          assert.match(failure.message, "statement timeout");
          const scanned = plugin.scan?.({
            credentials: by,
            signal: new AbortController().signal,
            query: queryOf("slow", ["n"]),
            take: async () => undefined,
          });
          assert.match((await failureOf(scanned!)).message, "statement timeout");
        } finally {
          await database.run(`alter role ${role} reset all`);
          await endConnections();
        }
      });

      test(`Manifold's deadline applies if the role has none (${how})`, async () => {
        assert.equal(await runQuery(queryOf("held", ["n"]), undefined, place()), [
          ["20s 16s 1min"],
        ]);
      });
    }

    /** Closes the pooler's connections on the server, so that new connections have the settings of the role. */
    const endConnections = async () => {
      await database.run(
        `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
      );
      const count = `select count(*)::int from pg_stat_activity where usename = '${role}'`;
      while (Number((await database.run(count))[0]?.[0]) > 0) await wait(10);
      // The pooler may not know yet that a connection was closed, and the next client to get that connection would
      // fail.
      await eventually(async () => {
        const client = await connectOther();
        client.on("error", () => undefined);
        const answered = await client.query("select 1").catch(() => undefined);
        await client.end().catch(() => undefined);
        return answered;
      }, "the pooler has a new connection");
      await plugin.release?.(credentials);
      await plugin.release?.({ ...database.credentials, key: role, token: password });
    };
  },
  needsPgBouncer,
);
