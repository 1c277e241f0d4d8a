import { randomBytes } from "node:crypto";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/postgres/index.ts";
import {
  PluginError,
  rowsOfBatch,
  type Credentials,
  type Plugin,
} from "../../../plugins/protocol/index.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { suite } from "../../support/suite.ts";
import { honestStatements, hostileStatements } from "./hostileStatements.ts";

const setUp = (role: string) => `
create extension tablefunc; create extension dblink; create extension xml2; create extension lo;
create extension pgcrypto; create extension "uuid-ossp"; create extension pg_trgm; create extension unaccent;
create extension isn version '1.2'; create extension hstore; create extension pg_buffercache; create extension citext;
create table t (id int primary key, name text, amount numeric(8, 2), d timestamptz, tags text[], doc jsonb);
insert into t values
  (1, 'Ghent', 3.5, '2024-01-01 00:30+00', '{a,b}', '{"k": [1, 2]}'),
  (2, 'Lille', 4, '2024-02-01 10:00+00', '{b}', '{"k": []}'),
  (3, null, null, null, null, null);
create table user_mappings (id int);
insert into user_mappings values (7);
create sequence counter;
create function note(t) returns int language sql volatile as 'select 1';
create function forgotten(int) returns int language sql as 'select $1';
create function doubled(int) returns int language sql immutable as 'select 2 * $1';
create function quadrupled(int) returns int language sql stable as 'select doubled(doubled($1))';
create function hidden_sleep(float8) returns int language sql stable as 'select 1 from pg_sleep($1)';
create function deep_sleep(float8) returns int language sql stable as 'select hidden_sleep($1)';
create function by_default(a text default pg_read_file('/etc/hostname')) returns text language sql stable as 'select a';
create function run_text(q text) returns setof int language plpgsql stable as
  $$ begin return query execute q; end $$;
create function run_xml(q text) returns xml language sql stable as $$ select query_to_xml(q, true, true, '') $$;
create function powerful() returns text language sql stable security definer as 'select current_user::text';
create function plain_pl(a int) returns int language plpgsql immutable as 'begin return a + 1; end';
create function slow_sum(state int, value int) returns int language sql volatile as 'select state + value';
create aggregate slow_total(int) (sfunc = slow_sum, stype = int, initcond = '0');
create function quick_sum(state int, value int) returns int language sql immutable as 'select state + value';
create aggregate quick_total(int) (sfunc = quick_sum, stype = int, initcond = '0');
create operator @@@ (function = forgotten, rightarg = int);
create operator <%> (function = run_text, rightarg = text);
create function word_of(t) returns text language sql stable as 'select $1.name';
create type odd as (a int);
create function odd_of(int) returns odd language sql volatile as 'select row($1)::odd';
create cast (int as odd) with function odd_of(int);
create schema other;
create function other."Odd Sleep"(float8) returns int language sql volatile as 'select 1';
create function substr(int) returns int language sql immutable as 'select $1';
create view poison as select set_config('TimeZone', 'Asia/Tokyo', false) || set_config('statement_timeout', '0', false)
  || set_config('default_transaction_read_only', 'off', false) || set_config('search_path', 'other', false) as x;
create view locking as select pg_advisory_lock(4711)::text as x;
create view switching as select set_config('role', 'pg_monitor', false) as x;
create view seeding as select setseed(0.5)::text as x;
create view unlocked as select set_config('transaction_read_only', 'off', false) as x;
create view counting as select nextval('counter') as x;
create view object as select lo_from_bytea(0, '\\x41')::text as x;
create role ${role} login password 'secret';
grant pg_monitor to ${role} with inherit false;
grant usage on schema other to ${role};
grant usage on sequence counter to ${role};
grant select on all tables in schema public to ${role};`;

suite("connectors/postgres/statements", (test) => {
  const role = `reader_${randomBytes(4).toString("hex")}`;
  let database: PostgresDatabase;
  let plugin: Plugin;
  let users: readonly (readonly [name: string, credentials: Credentials])[];
  let before: unknown;

  test.before(async () => {
    database = await openPostgresDatabase();
    await database.run(setUp(role));
    plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
    users = [
      ["a reader", { ...database.credentials, key: role, token: "secret" }],
      ["a superuser", database.credentials],
    ];
    before = await contents();
  });
  test.after(async () => {
    await plugin.close?.();
    await database.run(`drop owned by ${role}; drop role ${role}`);
    await database.close();
  });

  const contents = () =>
    database.run(`select
      (select array_agg(oid order by oid)::text from pg_class),
      (select array_agg(oid order by oid)::text from pg_proc),
      (select array_agg(oid order by oid)::text from pg_largeobject_metadata),
      (select array_agg(t order by id)::text from t),
      (select last_value::text || is_called from counter)`);
  const runStatement = async (credentials: Credentials, text: string, name = "x") => {
    const call = { credentials, signal: new AbortController().signal };
    const statement = { text, parameters: {} };
    const id = "statement";
    const columns = [{ id: name, name: {}, type: "hierarchy" as const }];
    const query = {
      id,
      columns: [{ column_id: name }],
      filters: [],
      options: { pushdown: false },
    };
    return rowsOfBatch(await plugin.query({ ...call, query, dataset: { id, columns, statement } }));
  };
  const readTable = async (name: string) => {
    const query = {
      id: `public.${name}`,
      columns: [{ column_id: "x" }],
      filters: [],
      options: { pushdown: false },
    };
    const { credentials } = database;
    return plugin.query({ credentials, signal: new AbortController().signal, query });
  };
  const settings = `select current_setting('TimeZone') || ' ' || current_setting('statement_timeout') || ' '
    || current_setting('transaction_read_only') || ' ' || current_setting('default_transaction_read_only') || ' '
    || current_setting('role') || ' ' || current_setting('search_path') || ' ' || current_user as x`;
  const expectClean = async (what: string) => {
    for (const [user, credentials] of users) {
      const [[found]] = (await runStatement(credentials, settings)) as [[string]];
      assert.is(
        found,
        `UTC 20s on off none "$user", public ${credentials.key}`,
        `settings of ${user} after ${what}`,
      );
    }
  };
  const refusalOf = async (credentials: Credentials, text: string): Promise<PluginError> => {
    const call = { credentials, signal: new AbortController().signal };
    const statement = { text, parameters: {} };
    const attempts = [
      () => runStatement(credentials, text),
      async () => plugin.describe?.({ ...call, statement }),
    ];
    let refused: PluginError | undefined;
    for (const attempt of attempts) {
      const failure = await attempt().then(
        (answer) => new Error(`it was answered: ${JSON.stringify(answer)}`),
        (thrown: unknown) => thrown,
      );
      if (!(failure instanceof PluginError)) throw failure;
      refused = failure;
    }
    return refused!;
  };

  /**
   * Returns the users who run a statement. A superuser runs every statement. The reader runs every statement in the
   * deep layer, and some of them in the quick layer.
   */
  const usersAt = (index: number) =>
    users.filter(([, { key }]) => key !== role || index % rounds({ quick: 4, deep: 1 }) === 0);
  const isCheckedAt = (index: number) =>
    index % rounds({ quick: 10, deep: 1 }) === 0 || index === hostileStatements.length - 1;

  for (const [index, [text, reason]] of hostileStatements.entries())
    test(`the SQL statement is refused: ${JSON.stringify(text.slice(0, 110))}`, async () => {
      for (const [, credentials] of usersAt(index)) {
        const { code, message } = await refusalOf(credentials, text);
        assert.is(code, "PLUGIN_INVALID", message);
        assert.match(message, reason);
      }
      // Any state that a statement leaves on its connection would still exist after the following statements.
      if (isCheckedAt(index)) await expectClean(text);
    });

  for (const [index, [text, expected]] of honestStatements.entries())
    test(`the SQL statement is answered: ${JSON.stringify(text.slice(0, 110))}`, async () => {
      for (const [, credentials] of usersAt(index)) {
        const rows = await runStatement(credentials, text);
        if (expected !== undefined) assert.equal(rows, expected);
        else assert.ok(rows.length > 0);
      }
    });

  test("settings that the functions of a view change are reset before the connection is reused", async () => {
    for (const view of ["poison", "switching", "locking", "seeding"])
      for (const [, credentials] of users) {
        const [[given]] = (await runStatement(credentials, `select x from ${view}`)) as [[string]];
        assert.is(typeof given, "string", view);
        await expectClean(view);
      }
    await readTable("locking");
    await expectClean("a view as a table");
    const locks = await database.run(
      `select count(*)::int from pg_locks join pg_database d on d.oid = database
        where locktype = 'advisory' and datname = current_database()`,
    );
    assert.equal(locks, [[0]]);
  });

  test("a view can neither write nor make its transaction read-write", async () => {
    for (const view of ["unlocked", "counting", "object"])
      for (const [, credentials] of users) {
        const failure = await runStatement(credentials, `select x::text as x from ${view}`).catch(
          (thrown: unknown) => thrown,
        );
        assert.instance(failure, PluginError, view);
        assert.match(String(failure), /read-only|read-write/);
      }
  });

  test("after an SQL statement is refused or fails, the next call can use the connection", async () => {
    const connections = () =>
      database.run(`select pid from pg_stat_activity where usename = '${role}' order by pid`);
    const [[, reader]] = users as [(typeof users)[0]];
    await expectClean("the other tests");
    const open = await connections();
    assert.ok(open.length > 0);
    for (const text of [
      "select pg_sleep(0)::text as x",
      "select name as x from t where gone = 1",
      "select (1 / (id - id))::text as x from t",
    ]) {
      const failure = await runStatement(reader, text).catch((thrown: unknown) => thrown);
      assert.instance(failure, PluginError, text);
      assert.equal(await connections(), open, text);
      await expectClean(text);
    }
    assert.equal(await connections(), open);
  });

  test("after all SQL statements of this suite, the database is unchanged", async () => {
    assert.equal(await contents(), before);
  });
});
