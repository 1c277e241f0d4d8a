import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/duckdb/dialect.ts";
import { open } from "../../../connectors/duckdb/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { checkStatement, parseStatement } from "../../../plugins/sql/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openReach } from "../../support/openReach.ts";
import { statementSuite } from "../statementSuite.ts";

const aCall = /a call to /;
const ownTable = /tables of DuckDB/;
const elsewhere = /more than read the files of the account|does not exist|place of a table/;

statementSuite(
  "connectors/duckdb: people's statements",
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "statements-")));
    const data = join(folder, "data");
    mkdirSync(data);
    const path = join(data, "a.duckdb");
    writeFileSync(join(folder, "secret.csv"), "a,b\n1,2\n");
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of [
      "create table t (id int, word varchar, day timestamp, amount double, doc json, tags varchar[])",
      `insert into t values (1, 'one', '2024-01-01 00:30:00', 1.5, '{"a": 1}', ['a', 'b']),
        (2, 'two', '2024-02-01', 2.5, '{"a": 2}', ['b']), (3, null, null, null, null, null)`,
      "create sequence s",
      "create macro sneaky(a) as a + 1",
      "create macro sneaky_rows() as table select 1 as a",
    ])
      await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    const plugin = await open({ reach: openReach(data), timeoutMs: 120_000, sizeBytes: 2 ** 26 });
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
      ["select * from read_csv('/etc/passwd')", aCall],
      ["select * from read_csv_auto('/etc/passwd')", aCall],
      ["select * from \"read_csv\"('/etc/passwd')", aCall],
      ["select * from READ_TEXT ('/etc/passwd')", aCall],
      ["select * from main.read_text('/etc/passwd')", aCall],
      ["select * from system.main.read_text('/etc/passwd')", /schemas of DuckDB|aCall|a call to/],
      ["select * from read_blob('/etc/passwd')", aCall],
      ["select * from read_parquet('/etc/passwd')", aCall],
      ["select * from parquet_scan('/etc/passwd')", aCall],
      ["select * from parquet_metadata('/etc/passwd')", aCall],
      ["select * from parquet_schema('/etc/passwd')", aCall],
      ["select * from parquet_kv_metadata('/etc/passwd')", aCall],
      ["select * from parquet_bloom_probe('/etc/passwd', 'a', 1)", aCall],
      ["select * from read_json('/etc/passwd')", aCall],
      ["select * from read_ndjson_objects('/etc/passwd')", aCall],
      ["select * from read_duckdb('/tmp/x.duckdb')", aCall],
      ["select * from sniff_csv('/etc/passwd')", aCall],
      ["select * from glob('/etc/*')", aCall],
      ["select * from sqlite_scan('/tmp/x', 't')", aCall],
      ["select * from postgres_scan('host=127.0.0.1', 'public', 't')", aCall],
      ["select * from mysql_scan('a', 'b', 'c')", aCall],
      ["select * from postgres_query('a', 'select 1')", aCall],
      ["select * from iceberg_scan('/tmp')", aCall],
      ["select * from delta_scan('/tmp')", aCall],
      ["select * from st_read('/etc/passwd')", aCall],
      ["select * from arrow_scan(1, 2, 3)", aCall],
      ["select * from seq_scan('t')", aCall],
      ["select * from query('select 1')", aCall],
      ["select * from `query_x`('select 1')", /quotes names/],
      ["select * from query_table('t')", aCall],
      ["select * from query_table(['t', 't'])", aCall],
      ["select * from json_execute_serialized_sql('{}')", aCall],
      ["select json_serialize_sql('select 1') as x", aCall],
      ["select json_serialize_plan('select 1') as x", aCall],
      ["select getenv('HOME') as x", aCall],
      ["select 'HOME'.getenv() as x", aCall],
      ["select current_setting('temp_directory') as x", aCall],
      ["select getvariable('a') as x", aCall],
      ["select nextval('s') as x", aCall],
      ["select currval('s') as x", aCall],
      ["select setseed(0.5) as x", aCall],
      ["select sleep_ms(1) as x", aCall],
      ["select pg_sleep(1) as x", aCall],
      ["select write_log('a') as x", aCall],
      ["select 'a'.write_log() as x", aCall],
      ["select a, write_log(a) as materialized from (select 'a' as a) t", aCall],
      ["select distinct on (a) write_log(a) as x from (select 'a' as a) t", aCall],
      ["select a, sleep_ms(a) as materialized from (select 10 as a) t", aCall],
      ["select current_query() as x", aCall],
      ["select current_connection_id() as x", aCall],
      ["select txid_current() as x", aCall],
      ["select sneaky(1) as x", /a call to sneaky.*view/],
      ["select * from sneaky_rows()", aCall],
      ["select * from duckdb_settings()", /a call to|tables of DuckDB/],
      ["select * from duckdb_secrets()", /a call to|tables of DuckDB/],
      ["select * from duckdb_databases", ownTable],
      ["select * from duckdb_logs", ownTable],
      ["select * from duckdb_functions()", /a call to|tables of DuckDB/],
      ["select * from pragma_database_list", ownTable],
      ["select * from main.pragma_database_list", ownTable],
      ['select * from "duckdb_databases"', ownTable],
      ["select * from sqlite_master", ownTable],
      ["select * from pg_settings", ownTable],
      ["select * from pg_catalog.pg_settings", /schemas of DuckDB|tables of DuckDB/],
      ["select * from information_schema.character_sets", /schemas of DuckDB/],
      ["select * from pragma_storage_info('t')", /a call to|tables of DuckDB/],
      ["select * from enable_logging('QueryLog')", aCall],
      ["select * from disable_logging()", aCall],
      ["select * from truncate_duckdb_logs()", aCall],
      ["select * from enable_profiling()", aCall],
      ["select * from checkpoint()", aCall],
      ["select * from force_checkpoint()", aCall],
      ["select * from which_secret('s3://a', 's3')", aCall],
      ["select * from sql_auto_complete('sel')", aCall],
      ["select * from check_peg_parser('select 1')", aCall],
      ["select * from test_all_types()", aCall],
      ["select * from repeat_row(1, num_rows=1000000000)", aCall],
      ["select * from '/etc/passwd'", /where a table is expected/],
      ["select * from 'secret.csv'", /where a table is expected/],
      ["select * from t, '/etc/passwd'", elsewhere],
      ['select * from "/etc/passwd"', elsewhere],
      ['select * from "/etc/passwd.csv"', elsewhere],
      ['select * from "../secret.csv"', elsewhere],
      ['select * from t join "/etc/hosts.csv" on true', elsewhere],
      ["select * from histogram('/etc/passwd.csv', a)", elsewhere],
      ["select * from (from '/etc/passwd')", /where a table is expected/],
      ["select array(select a from '/etc/x.csv') as x", /where a table is expected/],
      ["select E'\\'' || getenv('HOME') as x, '", /backslash|quote/],
      ["select $$a$$ as x", /"\$"/],
      ["select 1 ` query('select 1') ` 2 as x", /quotes names/],
      ["select x from (describe t)", /"describe"/],
      ["select * from (show tables)", /"show"/],
      ["select * from (call query('select 1'))", /"call"/],
      ["select * from (pragma version)", /"pragma"/],
      ["with x as (select getenv('a') as a) select a from x", aCall],
      ["select list_transform([1], lambda x : getenv('a')) as x", /":"/],
      ["select list_transform([1], x -> getenv('a')) as x", aCall],
      ["from t select getenv('a')", /begin it with select/],
      ["copy t to '/tmp/x.csv'", /begin it with select/],
      ["install httpfs", /begin it with select/],
      ["attach '/tmp/x.duckdb' as y", /begin it with select/],
      ["set memory_limit = '8GB'", /begin it with select/],
      ["select 1 as x; install httpfs", /single statement/],
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
      ["select count(*) as n, sum(amount) as s from t", [[3, 4]]],
      [
        "select max(start) as n, lower(max(comment)) as s from (select id as start, word as comment from t) a where (start is not null)",
        [[3, "two"]],
      ],
      ["select distinct on (word is null) id from t order by word is null, id limit 1", [[1]]],
      ["select a.id from t a join t b on a.id = b.id + 1 order by a.id", [[2], [3]]],
      ["with x as (select id from t) select max(id) as n from x", [[3]]],
      [
        "with x(a, b) as (select id, word from t), y(c) as not materialized (select a from x) select max(c) as n from y",
        [[3]],
      ],
      [
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select sum(i)::int as n from n",
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
      ["select lag(id, 1) over (order by id) as n from t order by id", [[null], [1], [2]]],
      ["select sum(id) filter (where word is not null)::int as n from t", [[3]]],
      [
        "select json_extract_string(doc, '$.a') as s, doc ->> 'a' as r from t where id = 1",
        [["1", "1"]],
      ],
      [
        "select strftime(day, '%Y-%m') as m, year(day) as y from t where id = 1",
        [["2024-01", 2024]],
      ],
      [
        "select date_trunc('month', day) + interval 1 day as d from t where id = 2",
        [["2024-02-02T00:00:00.000Z"]],
      ],
      [
        "select date_diff('day', date '2024-01-01', day::date) as n, extract(month from day) as m from t where id = 2",
        [[31, 2]],
      ],
      [
        "select extract(day from '2024-01-05'::date) as n, trim(both 'x' from 'xax') as s",
        [[5, "a"]],
      ],
      [
        "select upper(word) || '-' || length(word) as s, word.lower() as l from t where id = 1",
        [["ONE-3", "one"]],
      ],
      [
        "select replace('xax', 'a', 'b') as s, substring('abc', 2, 1) as c, string_split('a,b', ',')[2] as p",
        [["xbx", "b", "b"]],
      ],
      ["select regexp_replace('abc', '[b]', 'x') as s, left('abc', 2) as l", [["axc", "ab"]]],
      [
        "select coalesce(word, 'none') as s, if(id > 2, 'big', 'small') as b from t order by id",
        [
          ["one", "small"],
          ["two", "small"],
          ["none", "big"],
        ],
      ],
      [
        "select case when id in (1, 2) then 'a' else 'b' end as s, count(*) as n from t group by all order by 1",
        [
          ["a", 2],
          ["b", 1],
        ],
      ],
      [
        "select string_agg(word, ';' order by id) as s, list(id order by id) as l from t",
        [["one;two", "[1,2,3]"]],
      ],
      [
        "select cast(amount as decimal(9, 1)) as n, try_cast('x' as int) as m, typeof(id) as s from t where id = 1",
        [[1.5, null, "INTEGER"]],
      ],
      [
        "select median(amount) as n, round(avg(amount), 1) as a, quantile_cont(amount, 0.5) as q from t",
        [[2, 2, 2]],
      ],
      [
        "select tag, count(*) as n from (select unnest(tags) as tag from t) group by tag order by tag",
        [
          ["a", 1],
          ["b", 2],
        ],
      ],
      ["select x as n from range(3) r(x)", [[0], [1], [2]]],
      ["select g.a as n from (values (1), (2)) as g(a) order by n", [[1], [2]]],
      [
        "select list_transform([1, 2], x -> x * 2) as l, list_sum([1, 2])::int as n",
        [["[2,4]", 3]],
      ],
      [
        "select * exclude (day, doc, tags, amount) from t where word is not distinct from 'one'",
        [[1, "one"]],
      ],
      ["select id from t qualify row_number() over (order by id desc) = 1", [[3]]],
      [
        "select word, count(*) as n from t group by grouping sets ((word), ()) order by n desc, word limit 1",
        [[null, 3]],
      ],
      [
        "select id from t where word ilike 'O%' and id between 1 and 2 and not exists (select 1 from t where id = 9)",
        [[1]],
      ],
      ["select table_name as s from information_schema.tables where table_name = 't'", [["t"]]],
    ],
  },
);

suite("connectors/duckdb: the functions of a statement", (test) => {
  test("Manifold checks every function that DuckDB's parser finds in an accepted SQL statement", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const random = createRandom();
    const pieces =
      `select|from|where|(|)|,|as|with|x|t|a|.|lower(|sum(|range(2)|'s'|"q"|"lower"(|1|=|and|in|over|join|on|true|::|int|case|when|then|else|end|not|group by|order by|null|[|]|->|bad(1)|"bad"(1)|'s'.bad()|a.bad()|values|exists`.split(
        "|",
      );
    let acceptedCount = 0;
    let parsedCount = 0;
    const enough = rounds({ quick: 30, deep: 101 });
    await withSeed(random, async () => {
      const roundCount = rounds({ quick: 600, deep: 60_000 });
      // The number of accepted statements depends on the seed, so rounds continue until enough statements were
      // accepted.
      const isDone = (round: number) =>
        round >= 20 * roundCount ||
        (round >= roundCount && acceptedCount >= enough && parsedCount > 10);
      for (let round = 0; !isDone(round); round++) {
        const length = 1 + random.below(11);
        const words = Array.from({ length }, () => random.pick(pieces));
        const text = `select ${words.join(random.pick(["", " "]))}`;
        let parts;
        try {
          parts = parseStatement(text);
          checkStatement(parts, dialect.statements!);
        } catch (failure) {
          if (failure instanceof PluginError) continue;
          throw failure;
        }
        acceptedCount++;
        const reader = await connection.runAndReadAll("select json_serialize_sql($1::varchar)", [
          parts.join(""),
        ]);
        const tree: unknown = JSON.parse(String(reader.getRows()[0]?.[0]));
        const called = functionsIn(tree);
        if (called.length > 0) parsedCount++;
        assert.ok(!called.includes("bad"), `${text}: ${called.join()}`);
      }
    });
    assert.ok(acceptedCount >= enough, `${acceptedCount} accepted`);
    assert.ok(parsedCount > 10, `${parsedCount} with calls`);
    connection.closeSync();
    instance.closeSync();
  });
});

/** Returns the names of all functions in a syntax tree of DuckDB's parser. */
function functionsIn(tree: unknown): string[] {
  if (Array.isArray(tree)) return tree.flatMap(functionsIn);
  if (typeof tree !== "object" || tree === null) return [];
  return Object.entries(tree).flatMap(([member, value]) =>
    member === "function_name" ? [String(value).toLowerCase()] : functionsIn(value),
  );
}
