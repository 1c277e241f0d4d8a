import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { open } from "../../../connectors/sqlite/index.ts";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import { openDriver } from "../../../connectors/sqlite/driver.ts";
import { createSqlPlugin } from "../../../plugins/sql/index.ts";
import { openReach } from "../../support/openReach.ts";
import { failureOf } from "../../support/refused.ts";
import { suite } from "../../support/suite.ts";
import { statementSuite } from "../statementSuite.ts";

const aCall = /a call to /;
const refused = /does more than read|no such table|not authorized|prohibited|no such/;

function makeFile(): { readonly folder: string; readonly path: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "statements-")));
  const path = join(folder, "a.db");
  const database = new DatabaseSync(path);
  database.exec(`
    create table t (id integer primary key, word text, at text, amount real, doc text);
    insert into t values (1, 'one', '2024-01-01 00:30:00', 1.5, '{"a": 1, "l": [1, 2]}'),
      (2, 'two', '2024-02-01 00:00:00', 2.5, '{"a": 2, "l": [3]}'), (3, null, null, null, null);
    create virtual table f using fts5(body);
    insert into f values ('the quick brown fox'), ('a lazy dog');
    create table "odd name" ("a b" int);
    insert into "odd name" values (7);
    create view sneaky as select zeroblob(10) as z;
  `);
  database.close();
  return { folder, path };
}

statementSuite(
  "connectors/sqlite: people's statements",
  async () => {
    const { folder, path } = makeFile();
    const plugin = await open({ reach: openReach(folder), timeoutMs: 120_000, sizeBytes: 2 ** 26 });
    return {
      plugin,
      credentials: { host: path, properties: {} },
      contents: async () => readFileSync(path).toString("base64"),
      async close() {
        await plugin.close?.();
        rmSync(folder, { recursive: true });
      },
    };
  },
  {
    hostile: [
      ["select load_extension('/tmp/x.so') as x", aCall],
      ["select `load_extension`('/tmp/x.so') as x", aCall],
      ["select \"load_extension\"('/tmp/x.so') as x", aCall],
      ["select [load_extension]('/tmp/x.so') as x", aCall],
      ["select [zeroblob] (1) as x from [t]", aCall],
      ["select [a'], load_extension('a') as [b'] from t", /"\["|quote/],
      ["select LOAD_EXTENSION ('/tmp/x.so') as x", aCall],
      ["select fts3_tokenizer('simple') as x", aCall],
      ["select fts3_tokenizer('simple', x'0011') as x", aCall],
      ["select zeroblob(1000000000) as x", aCall],
      ["select randomblob(1000000000) as x", aCall],
      ["select hex(randomblob(100)) as x", aCall],
      ["select 1 as a, randomblob(id) as materialized from t", aCall],
      ["select `zeroblob`(10) as x", aCall],
      ["select readfile('/etc/passwd') as x", aCall],
      ["select writefile('/tmp/x', 'a') as x", aCall],
      ["select edit('a', 'sh') as x", aCall],
      ["select sqlite_log(1, 'a') as x", aCall],
      ["select sqlite_compileoption_get(1) as x", aCall],
      ["select sqlite_compileoption_used('THREADSAFE') as x", aCall],
      ["select sqlite_source_id() as x", aCall],
      ["select last_insert_rowid() as x", aCall],
      ["select total_changes() as x", aCall],
      ["select changes() as x", aCall],
      ["select rtreecheck('t') as x", aCall],
      ["select rtreenode(2, x'00') as x", aCall],
      ["select optimize(f) as x from f", aCall],
      ["select fts5(1) as x", aCall],
      ["select fts5_locale('a', 'b') as x", aCall],
      ["select manifold_no_such(1) as x", aCall],
      ["select no_such_function(1) as x", /a call to no_such_function.*view/],
      ["select * from pragma_database_list", refused],
      ["select * from pragma_compile_options", refused],
      ["select * from pragma_function_list", refused],
      ["select * from pragma_module_list", refused],
      ["select * from pragma_integrity_check", refused],
      ["select * from pragma_user_version", refused],
      ["select * from pragma_journal_mode", refused],
      ["select * from pragma_writable_schema", refused],
      ["select * from pragma_temp_store_directory", refused],
      ["select * from pragma_table_info('t')", aCall],
      ["select * from pragma_optimize('a')", aCall],
      ["select count(*) as n from dbstat", refused],
      ["select name from dbstat", refused],
      ["select name from main.dbstat", refused],
      ['select name from "DbStat"', refused],
      ["select data from sqlite_dbpage", refused],
      ["select sql from sqlite_stmt", refused],
      ["select * from bytecode('select 1')", aCall],
      ["select * from tables_used('select 1')", aCall],
      ["select * from fts3tokenize('simple', 'a b')", aCall],
      ["select * from generate_series(1, 1000000000)", aCall],
      ["select * from csv('/etc/passwd')", aCall],
      ["select * from temp.x", /schemas of SQLite/],
      ["select * from sneaky", refused],
      ["select 1 as x where exists (select zeroblob(1))", aCall],
      ["with x as (select load_extension('a') as a) select a from x", aCall],
      ["select sum(id) filter (where zeroblob(1) is null) as x from t", aCall],
      ["select count(*) over (order by randomblob(1)) as x from t", aCall],
      ["select case when 1 then randomblob(1) end as x", aCall],
      ["select `)` zeroblob(1) as x from t", aCall],
      ["pragma writable_schema = 1", /begin it with select/],
      ["attach '/tmp/x.db' as y", /begin it with select/],
      ["vacuum into '/tmp/x.db'", /begin it with select/],
      ["explain select 1", /begin it with select/],
      ["insert into t values (9)", /begin it with select/],
      ["with x as (select 1) insert into t values (9, '', '', 1, '')", /"insert"/],
      ["with x as (select 1) delete from t", /"delete"/],
      ["with x as (select 1) update t set id = 1", /"update"/],
      ["replace into t values (1)", /begin it with select/],
      ["select 1 as x; drop table t", /single statement/],
      ["select * from 't'", /where a table is expected/],
      ["select ?1 as x", /"\?"/],
      ["select @a as x", /"@"/],
      ["select $a as x", /"\$"/],
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
      ["select count(*) as n, sum(amount) as s, total(amount) as t from t", [[3, 4, 4]]],
      [
        "select max(start) as n, lower(max(comment)) as s from (select id as start, word as comment from t) a where (start is not null)",
        [[3, "two"]],
      ],
      ["select a.id from t a join t b on a.id = b.id + 1 order by a.id", [[2], [3]]],
      ["with x as (select id from t) select max(id) as n from x", [[3]]],
      [
        "with x(a, b) as (select id, word from t), y(c) as materialized (select a from x) select max(c) as n from y",
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
      ["select sum(id) filter (where word is not null) as n from t", [[3]]],
      [
        "select json_extract(doc, '$.a') as n, doc ->> '$.a' as m, doc -> 'l' as l from t where id = 1",
        [[1, 1, "[1,2]"]],
      ],
      [
        "select t.id, e.value as v from t, json_each(t.doc, '$.l') as e order by 1, 2",
        [
          [1, 1],
          [1, 2],
          [2, 3],
        ],
      ],
      [
        "select strftime('%Y-%m', at) as m, date(at, '+1 day') as d from t where id = 1",
        [["2024-01", "2024-01-02T00:00:00.000Z"]],
      ],
      [
        "select julianday('2024-02-01') - julianday('2024-01-01') as n, unixepoch('1970-01-02') as u",
        [[31, 86400]],
      ],
      ["select upper(word) || '-' || length(word) as s from t where id = 1", [["ONE-3"]]],
      [
        "select replace(trim('xax', 'x'), 'a', 'b') as s, substr('abc', 2, 1) as c, instr('abc', 'c') as n",
        [["b", "b", 3]],
      ],
      [
        "select printf('%05.2f', amount) as s, format('%s!', word) as f from t where id = 1",
        [["01.50", "one!"]],
      ],
      [
        "select coalesce(word, 'none') as s, iif(id > 2, 'big', 'small') as b from t order by id",
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
      ["select group_concat(word, ';') as s from (select word from t order by id)", [["one;two"]]],
      [
        "select cast(amount as integer) as n, typeof(amount) as s from t where id = 2",
        [[2, "real"]],
      ],
      [
        "select median(amount) as n, round(avg(amount), 1) as a from t having count(*) > 1",
        [[2, 2]],
      ],
      [
        "select word from t where word like 'o%' and id between 1 and 2 and not exists (select 1 from t where id = 9)",
        [["one"]],
      ],
      [
        "select word from t where word glob 't*' and (id, word) in (values (1, 'one'), (2, 'two'))",
        [["two"]],
      ],
      ["select id from t union select 9 except select 1 order by id limit 2 offset 1", [[3], [9]]],
      ['select "a b" as n from "odd name"', [[7]]],
      ["select [a b] as n from [odd name] as [o]", [[7]]],
      [
        "select highlight(f, 0, '<', '>') as s from f where f match 'quick'",
        [["the <quick> brown fox"]],
      ],
      ["select count(*) as n from sqlite_schema where type = 'view'", [[1]]],
      ["select sin(0) + pow(2, 3) + floor(1.5) + abs(-1) as n, max(1, 2) as m", [[10, 2]]],
    ],
  },
);

suite("connectors/sqlite: the engine behind people's statements", (test) => {
  const endless =
    "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as n from n";

  test("describing an SQL statement has a shorter time limit than running the statement", async () => {
    const { folder, path } = makeFile();
    const wide = { reach: openReach(folder), timeoutMs: 60_000, sizeBytes: 2 ** 26 };
    const plugin = createSqlPlugin({
      dialect,
      driver: openDriver(wide),
      ...wide,
      timeoutMs: 1_200,
    });
    const call = {
      credentials: { host: path, properties: {} },
      signal: new AbortController().signal,
    };
    const statement = { text: endless, parameters: {} };
    const failure = await failureOf(plugin.describe!({ ...call, statement }));
    assert.is(failure.code, "PLUGIN_TIMEOUT");
    assert.match(failure.message, /describing the statement or view took longer than 0.3 s/);
    await plugin.close?.();
    rmSync(folder, { recursive: true });
  });

  test.deep(
    "an SQL statement above the memory limit stops only its own process, and fails with the reason",
    async () => {
      const { folder, path } = makeFile();
      const driver = openDriver({
        reach: openReach(folder),
        timeoutMs: 60_000,
        sizeBytes: 2 ** 28,
      });
      const never = new AbortController().signal;
      const rowsOf = (text: string) =>
        driver.use({ host: path, properties: {} }, never, async (session) => {
          const all: unknown[] = [];
          for await (const rows of session.rows({ text, values: [] }, never)) all.push(...rows);
          return all;
        });
      const values = Array.from({ length: 40 }, () => "printf('%.*c', 60000000, 'x')");
      const failure = await failureOf(rowsOf(`select ${values.join(", ")}`));
      assert.is(failure.code, "PLUGIN_UNREADABLE");
      assert.match(failure.message, /needs more than 1024 MiB of memory/);
      assert.equal(await rowsOf("select 7"), [[7]]);
      await driver.close();
      rmSync(folder, { recursive: true });
    },
  );

  test.deep(
    "an organization that runs endless SQL statements cannot occupy every reader process",
    async () => {
      const { folder, path } = makeFile();
      const driver = openDriver({
        reach: openReach(folder),
        timeoutMs: 60_000,
        sizeBytes: 2 ** 26,
      });
      const leaving = new AbortController();
      const runStatement = (
        organization: string,
        datetimes: string,
        text: string,
        signal: AbortSignal,
      ) =>
        driver.use(
          { host: path, properties: { datetimes } },
          signal,
          async (session) => {
            const all: unknown[] = [];
            for await (const rows of session.rows({ text, values: [] }, signal)) all.push(...rows);
            return all;
          },
          { organization, user: "u" },
        );
      // Statements of several accounts count toward the limit of their organization.
      const held = Array.from({ length: 20 }, (_, index) =>
        runStatement("one", index % 2 === 0 ? "none" : "seconds", endless, leaving.signal).catch(
          () => "left",
        ),
      );
      const other = runStatement("two", "none", "select 7", new AbortController().signal);
      assert.equal(await other, [[7]]);
      leaving.abort();
      assert.equal(new Set(await Promise.all(held)), new Set(["left"]));
      await driver.close();
      rmSync(folder, { recursive: true });
    },
  );

  test("SQLite's authorizer refuses unlisted functions and tables, whatever their spelling", async () => {
    const { folder, path } = makeFile();
    const driver = openDriver({
      reach: openReach(folder),
      timeoutMs: 30_000,
      sizeBytes: 2 ** 26,
    });
    const never = new AbortController().signal;
    for (const text of [
      "select [zeroblob](1)",
      "select randomblob(1)",
      "select [load_extension]('a')",
      "select fts3_tokenizer('simple')",
      "select sqlite_source_id()",
      "select name from dbstat",
      "select count(*) from dbstat",
      "select * from pragma_database_list",
      "select z from sneaky",
    ]) {
      const failure = await driver
        .use({ host: path, properties: {} }, never, async (session) => {
          for await (const _ of session.rows({ text, values: [] }, never));
        })
        .catch(String);
      assert.match(String(failure), /does more than read/, text);
    }
    await driver.close();
    rmSync(folder, { recursive: true });
  });
});
