import * as assert from "uvu/assert";
import { PluginError, type Plugin } from "../../../plugins/protocol/index.ts";
import {
  mariadbSuite,
  needsMariadb,
  openMariadbDatabase,
  type MariadbDatabase,
} from "../../support/mariadbDatabase.ts";
import { openMariadbServer } from "../../support/mariadbServer.ts";
import { failureOf } from "../../support/refused.ts";
import { rowsOfStatement, statementSuite } from "../statementSuite.ts";
import { credentialsOf, openDriver, openMysql, readAll } from "./mysqlConnector.ts";

const aCall = /a call to /;

statementSuite(
  "connectors/mysql: people's statements",
  async () => {
    const database = await openMariadbDatabase();
    for (const statement of [
      "create table t (id int primary key, word varchar(20), at datetime, amount decimal(10,2), doc json)",
      `insert into t values (1, 'one', '2024-01-01 00:30:00', 1.5, '{"a": 1}'), (2, 'two', '2024-02-01', 2.5, '{"a": 2}'),
        (3, null, null, null, null)`,
      "create sequence s",
      "create function sneaky() returns int modifies sql data begin insert into t values (99, 'x', null, null, null); return 1; end",
      "create function abs2(x int) returns int return x",
    ])
      await database.run(statement);
    const plugin = await openMysql();
    return {
      plugin,
      credentials: credentialsOf(database),
      contents: async () => [
        await database.run("select * from t order by id"),
        await database.run("select previous value for s"),
        await database.run("select is_used_lock('l')"),
      ],
      async close() {
        await plugin.close?.();
        await database.close();
      },
    };
  },
  {
    hostile: [
      ["select source_pos_wait('a', 4, 1) as x", aCall],
      ["select wait_for_executed_gtid_set('a:1', 1) as x", aCall],
      ["select master_pos_wait('a', 4, 1) as x", aCall],
      ["select master_gtid_wait('0-1-1', 1) as x", aCall],
      ["select sleep(0) as x", aCall],
      ["select `sleep`(0) as x", aCall],
      ["select SLEEP  (0) as x", aCall],
      ["select /* a */ sLeEp /* b */ (0) as x", aCall],
      ["select ſleep(0) as x", aCall],
      ["select benchmark(10, md5('a')) as x", aCall],
      ["select load_file('/etc/passwd') as x", aCall],
      ["select `load_file`('/etc/hostname') as x", aCall],
      ["select get_lock('l', 1) as x", aCall],
      ["select `get_lock`('l', 1) as x from t", aCall],
      ["select release_lock('l') as x", aCall],
      ["select release_all_locks() as x", aCall],
      ["select is_used_lock('l') as x", aCall],
      ["select is_free_lock('l') as x", aCall],
      ["select 1 as a, is_used_lock(word) as materialized from t", aCall],
      ["select 1 as a, abs2(id) as materialized from t", aCall],
      ["select last_insert_id(7) as x", aCall],
      ["select connection_id() as x", aCall],
      ["select row_count() as x", aCall],
      ["select found_rows() as x", aCall],
      ["select uuid_short() as x", aCall],
      ["select nextval(s) as x", aCall],
      ["select lastval(s) as x", aCall],
      ["select setval(s, 100) as x", aCall],
      ["select next value for s as x", /next value/],
      ["select previous value for s as x", /previous value/],
      ["select sneaky() as x", /a call to sneaky.*view/],
      ["select `sneaky`() as x", aCall],
      ["select abs2(1) as x", aCall],
      ["select mysql.abs(1) as x", /schemas of MySQL/],
      ["select shop.abs(1) as x", /a call to abs in a schema/],
      ["select sys.ps_thread_id(1) as x", /in a schema|schemas of/],
      ["select ps_current_thread_id() as x", aCall],
      ["select sys_exec('id') as x", aCall],
      ["select encrypt('a') as x", aCall],
      ["select old_password('a') as x", aCall],
      ["select word from t procedure analyse()", /procedure/],
      ["select word from t lock in share mode", /lock in/],
      ["select word from t for update", /for update/],
      ["select word from t for share", /for share/],
      ["select word into @a from t", /"into"|"@"/],
      ["select word from t into outfile '/tmp/x'", /"into"/],
      ["select word from t into dumpfile '/tmp/x'", /"into"/],
      ["select @a := 1 as x", /"@"/],
      ["select @@hostname as x", /"@"/],
      ["select 1 as x /*! union select user() */", /comment/],
      ["select 1 as x /*!50000 union select sleep(1) */", /comment/],
      ["select 1 as x /*M! union select sleep(1) */", /comment/],
      ["select /*+ set_var(sql_mode='') */ 1 as x", /hints/],
      ["select 1 as x # comment", /"#"/],
      ["select 'a\\' as x, sleep(1) as y, '", /backslash/],
      ['select "a" "sleep"(1) as x', aCall],
      ["select * from mysql.user", /schemas of MySQL/],
      ["select * from `mysql`.`user`", /schemas of MySQL/],
      ["select * from MYSQL.global_priv", /schemas of MySQL/],
      ["select * from myſql.user", /schemas of MySQL/],
      ["select info from information_schema.processlist", /schemas of MySQL/],
      ["select info from `information_schema` . `processlist`", /schemas of MySQL/],
      ["select info from information_ſchema.processlist", /schemas of MySQL/],
      ["select variable_value from information_schema.user_variables", /schemas of MySQL/],
      ["select * from information_schema.global_variables", /schemas of MySQL/],
      ["select * from performance_schema.threads", /schemas of MySQL/],
      ["select * from sys.processlist", /schemas of MySQL/],
      ["with x as (select sleep(0) as a) select a from x", aCall],
      ["select 1 as x from t where exists (select get_lock('l', 1))", aCall],
      ["select 1 as x union select sleep(0)", aCall],
      ["select (select sleep(0)) as x", aCall],
      ["select case when 1 then sleep(0) end as x", aCall],
      ["select word from t order by get_lock('l', 1)", aCall],
      ["select count(*) over (order by sleep(0)) as x from t", aCall],
      ["select `)` sleep(0) as x from t", aCall],
      ["select `::`sleep(0) as x from t", aCall],
      ["with sleep(a) as (select 1) select sleep(a) as x from sleep", aCall],
      ["set @a = 1", /begin it with select/],
      ["do sleep(0)", /begin it with select/],
      ["call sneaky()", /begin it with select/],
      ["prepare p from 'select 1'", /begin it with select/],
      ["handler t open", /begin it with select/],
      ["select 1 as x; set global max_connections = 1", /single statement/],
      ["with x as (delete from t returning id) select id from x", /"delete"/],
      ["(update t set id = 1)", /begin it with select/],
    ],
    honest: [
      [
        "select id, word from t order by id",
        [
          [1, "one"],
          [2, "two"],
          [3, null],
        ],
      ],
      ["select count(*) as n, sum(amount) as total from t", [[3, 4]]],
      [
        "select max(start) as n, lower(max(comment)) as s from (select id as start, word as comment from t) a where (start is not null)",
        [[3, "two"]],
      ],
      ["select a.id from t a join t b on a.id = b.id + 1 order by a.id", [[2], [3]]],
      [
        "select a.id from t a left join (select id from t where id = 1) b using (id) where b.id is null order by 1",
        [[2], [3]],
      ],
      ["with x as (select id from t) select max(id) as n from x", [[3]]],
      [
        "with x(a, b) as (select id, word from t), y (c) as (select a from x) select max(c) as n from y",
        [[3]],
      ],
      [
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select sum(i) as n from n",
        [[15]],
      ],
      [
        "select id, row_number() over (partition by word is null order by id) as n from t order by id",
        [
          [1, 1],
          [2, 2],
          [3, 1],
        ],
      ],
      [
        "select sum(amount) over w as n from t window w as (order by id) order by id",
        [[1.5], [4], [4]],
      ],
      ["select lag(id, 1) over (order by id) as n from t", [[null], [1], [2]]],
      ["select json_extract(doc, '$.a') as n from t where id = 1", [["1"]]],
      ["select json_value(doc, '$.a') as n from t where id = 2", [["2"]]],
      [
        "select j.a from t, json_table(t.doc, '$' columns (a int path '$.a')) j order by j.a",
        [[1], [2]],
      ],
      [
        "select year(at) as y, date_format(at, '%Y-%m') as m from t where id = 1",
        [[2024, "2024-01"]],
      ],
      [
        "select date_add(at, interval 1 day) as d from t where id = 2",
        [["2024-02-02T00:00:00.000Z"]],
      ],
      ["select timestampdiff(day, '2024-01-01', at) as n from t where id = 2", [[31]]],
      ["select extract(month from at) as n from t where id = 2", [[2]]],
      [
        "select upper(concat_ws('-', word, 'x')) as s, char_length(word) as n from t where id = 1",
        [["ONE-X", 3]],
      ],
      ["select replace(trim(both 'x' from 'xax'), 'a', 'b') as s", [["b"]]],
      [
        "select substring_index('a.b.c', '.', 2) as s, left('abc', 2) as l, locate('b', 'abc') as n",
        [["a.b", "ab", 2]],
      ],
      ["select regexp_replace('abc', '[b]', 'x') as s", [["axc"]]],
      [
        "select coalesce(word, 'none') as s, if(id > 2, 'big', 'small') as b from t order by id",
        [
          ["one", "small"],
          ["two", "small"],
          ["none", "big"],
        ],
      ],
      [
        "select case when id in (1, 2) then 'a' else 'b' end as s, count(*) as n from t group by 1 order by 1",
        [
          ["a", 2],
          ["b", 1],
        ],
      ],
      ["select group_concat(word order by id separator ';') as s from t", [["one;two"]]],
      [
        "select cast(amount as char(10)) as s, cast('12' as unsigned) as n from t where id = 1",
        [["1.50", 12]],
      ],
      [
        "select round(avg(amount), 1) as n, stddev_samp(amount) as d from t having count(*) > 1",
        [[2, Math.SQRT1_2]],
      ],
      [
        "select word from t where word like 'o%' and id between 1 and 2 and not exists (select 1 from t where id = 9)",
        [["one"]],
      ],
      ["select id from t force index (primary) where id > 1 order by id limit 1 offset 1", [[3]]],
      ["select count(distinct word) as n from t where (id, word) in ((1, 'one'), (2, 'x'))", [[1]]],
      [
        "select inet_ntoa(3232235777) as s, md5('a') as h, hex(255) as x",
        [["192.168.1.1", "0cc175b9c0f1b6a831c399e269772661", "FF"]],
      ],
    ],
  },
  needsMariadb,
);

mariadbSuite("connectors/mysql: the session of a person's statement", (test) => {
  let database: MariadbDatabase;
  test.before(async () => {
    database = await openMariadbDatabase();
    await database.run("create table t (n int)");
    await database.run("create sequence s");
  });
  test.after(() => database.close());
  const never = new AbortController().signal;

  test("after a refused call, the next call uses the same connection but none of the refused call's session state", async () => {
    const driver = openDriver();
    const credentials = credentialsOf(database);
    const state = "select connection_id(), @left";
    const readState = () => driver.use(credentials, never, (session) => readAll(session, state));
    const before = await readState();
    const refused = driver.use(credentials, never, async (session) => {
      await session.expose!();
      await readAll(session, "select @left := 1");
      throw new PluginError("PLUGIN_INVALID", ["expected an error"]);
    });
    assert.is((await failureOf(refused)).code, "PLUGIN_INVALID");
    assert.equal(await readState(), before);
    await driver.close();
  });

  test("the session state that an SQL statement leaves is removed before the next call uses the connection", async () => {
    const driver = openDriver();
    const state =
      "select connection_id(), @left, @@sql_mode, @@time_zone, @@max_statement_time, @@tx_read_only, @@in_transaction, " +
      "@@character_set_client, @@collation_connection, @@sql_select_limit, @@lock_wait_timeout, database()";
    const use = (
      run: (run: (text: string) => Promise<readonly (readonly unknown[])[]>) => Promise<unknown>,
    ) =>
      driver.use(credentialsOf(database), never, async (session) =>
        run((text) => readAll(session, text)),
      );
    const before = await use((run) => run(state));
    await driver.use(credentialsOf(database), never, async (session) => {
      await session.expose!();
      for (const text of [
        "select @left := 1",
        "select get_lock('left', 0)",
        "set sql_mode = 'ANSI_QUOTES', time_zone = '+09:00', max_statement_time = 0, sql_select_limit = 1",
        "set names latin1",
        "set session transaction read write",
      ])
        await readAll(session, text);
    });
    assert.equal(await use((run) => run(state)), before);
    assert.equal(await database.run("select is_used_lock('left')"), [[null]]);
    await driver.close();
  });

  test("an SQL statement cannot write, not even through a function", async () => {
    const driver = openDriver();
    for (const text of [
      "insert into t values (1)",
      "select nextval(s)",
      "create table u (n int)",
    ]) {
      const failure = await driver
        .use(credentialsOf(database), never, async (session) => {
          await session.expose!();
          await readAll(session, text);
        })
        .catch(String);
      assert.match(String(failure), /read.only/i, text);
    }
    await driver.close();
  });

  test.deep(
    "a join that examines more rows than the server allows fails, and the error names the limit",
    async () => {
      const server = await openMariadbServer({ "max-join-size": "1000" });
      const inside = await openMariadbDatabase(server);
      const plugin = await openMysql();
      const source = { plugin, credentials: credentialsOf(inside) };
      await inside.run("create table t as select seq as n from seq_1_to_50");
      assert.equal(await rowsOfStatement(source, "select max(n) as n from t"), [[50]]);
      const large = "select count(*) as n from t a, t b, t c";
      const failure = await failureOf(rowsOfStatement(source, large));
      assert.is(failure.code, "PLUGIN_INVALID");
      assert.match(failure.message, /max_join_size/);
      await plugin.close?.();
      await inside.close();
      await server.close();
    },
  );

  test("an SQL statement stops at the user's deadline or at Manifold's, whichever is earlier", async () => {
    const name = `slow_${database.database.slice(-8)}`;
    const deadline = "select @@max_statement_time + 0e0";
    await database.run(
      `create user ${name}@'127.0.0.1' identified by 'x' with max_statement_time 7`,
    );
    await database.run(`grant select on ${database.database}.* to ${name}@'127.0.0.1'`);
    try {
      const limited = { ...credentialsOf(database), key: name, token: "x" };
      for (const [timeoutMs, credentials, expected, unhurried] of [
        [20_000, limited, 7, 7],
        [5_000, limited, 5, 7],
        [20_000, credentialsOf(database), 20, 0],
      ] as const) {
        const driver = openDriver(timeoutMs);
        for (let round = 0; round < 2; round++)
          await driver.use(credentials, never, async (session) => {
            assert.equal(await readAll(session, deadline), [[expected]]);
            await session.expose!();
            await session.unhurried!();
            assert.equal(await readAll(session, deadline), [[unhurried]]);
          });
        await driver.close();
      }
    } finally {
      await database.run(`drop user ${name}@'127.0.0.1'`);
    }
  });
});

mariadbSuite("connectors/mysql/roleWarnings", (test) => {
  let database: MariadbDatabase;
  let plugin: Plugin;
  test.before(async () => {
    database = await openMariadbDatabase();
    await database.run("create table t (n int, m int)");
    plugin = await openMysql();
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });
  const schema = () => database.database;
  const warningsWith = async (grants: readonly string[]) => {
    const name = `user_${schema().slice(-8)}`;
    await database.run(`create user ${name}@'127.0.0.1' identified by 'x'`);
    const credentials = { ...credentialsOf(database), key: name, token: "x" };
    try {
      for (const grant of grants) await database.run(`grant ${grant} to ${name}@'127.0.0.1'`);
      const { signal } = new AbortController();
      return (await plugin.capabilitiesOf!({ credentials, signal })).warnings ?? [];
    } finally {
      await plugin.release?.(credentials);
      await database.run(`drop user ${name}@'127.0.0.1'`);
    }
  };

  test("a database user that can only read causes no warning", async () => {
    assert.equal(await warningsWith([`select, show view on ${schema()}.*`]), []);
    assert.equal(await warningsWith([`select (n) on ${schema()}.t`]), []);
  });

  test("the account warns about each right beyond reading, with its object and never with a password", async () => {
    for (const [grants, expected] of [
      [
        [`select, insert, delete on ${schema()}.*`],
        /may do more than read: INSERT, DELETE on `test_/,
      ],
      [
        [`select on ${schema()}.*`, `update (n) on ${schema()}.t`],
        /more than read: UPDATE on `test_\w+`\.`t`/,
      ],
      [[`select, execute on ${schema()}.*`], /EXECUTE/],
      [[`select, create temporary tables on ${schema()}.*`], /CREATE TEMPORARY TABLES/],
      [[`all on ${schema()}.*`], /may change data, users or files of the server: ALL PRIVILEGES/],
      [["file on *.*", `select on ${schema()}.*`], /FILE on \*\.\*/],
      [["super on *.*", `select on ${schema()}.*`], /SUPER on \*\.\*/],
      [["process on *.*", `select on ${schema()}.*`], /more than read: PROCESS/],
    ] as const) {
      const warnings = await warningsWith(grants);
      assert.match(warnings.join("\n"), expected, grants.join());
      assert.not.match(warnings.join(), /IDENTIFIED|\*[0-9A-F]{40}/);
      assert.match(String(warnings[0]), /use a database user that has only SELECT/);
    }
  });

  test("the account's warnings also name a database whose name contains spaces", async () => {
    await database.run("create database `odd TO name`");
    try {
      assert.match(
        String(await warningsWith([`select on ${schema()}.*`, "insert on `odd TO name`.*"])),
        /more than read: INSERT on `odd/,
      );
    } finally {
      await database.run("drop database `odd TO name`");
    }
  });

  test("the account warns about the right to grant rights", async () => {
    const name = `giver_${schema().slice(-8)}`;
    await database.run(`create user ${name}@'127.0.0.1' identified by 'x'`);
    await database.run(`grant select on ${schema()}.* to ${name}@'127.0.0.1' with grant option`);
    const credentials = { ...credentialsOf(database), key: name, token: "x" };
    const { signal } = new AbortController();
    const { warnings } = await plugin.capabilitiesOf!({ credentials, signal });
    assert.match(String(warnings), /GRANT OPTION/);
    await plugin.release?.(credentials);
    await database.run(`drop user ${name}@'127.0.0.1'`);
  });

  test("the account's warnings name the user's roles, or the rights that come from these roles", async () => {
    const role = `role_${schema().slice(-8)}`;
    await database.run(`create role ${role}`);
    await database.run(`grant insert on ${schema()}.* to ${role}`);
    try {
      assert.match(
        String(await warningsWith([`select on ${schema()}.*`, role])),
        /has the role `role_|INSERT/,
      );
    } finally {
      await database.run(`drop role ${role}`);
    }
  });
});
