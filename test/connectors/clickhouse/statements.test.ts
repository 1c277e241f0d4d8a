/** This file costs more than most, because the server has to refuse more than a hundred statements. */
import * as assert from "uvu/assert";
import { open } from "../../../connectors/clickhouse/index.ts";
import { createDriver } from "../../../connectors/clickhouse/createDriver.ts";
import type { Credentials, Plugin } from "../../../plugins/protocol/index.ts";
import {
  clickhouseSuite,
  needsClickhouse,
  openClickhouseDatabase,
  type ClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import {
  clickhouseGrants as grants,
  clickhousePassword,
  clickhouseProfiles as profiles,
} from "../../support/clickhouseUsers.ts";
import { openReach } from "../../support/openReach.ts";
import { failureOf } from "../../support/refused.ts";
import { rowsOfStatement, statementSuite } from "../statementSuite.ts";

const aCall = /a call to /;
const options = { reach: openReach(), timeoutMs: 120_000, sizeBytes: 2 ** 26 };

function credentialsOf(
  { host, port, database }: ClickhouseDatabase,
  { name, password }: { readonly name: string; readonly password: string },
): Credentials {
  return { host, key: name, token: password, properties: { port: String(port), scope: database } };
}

/** Table functions that read files, other servers, or tables whose names are strings. */
const reaching =
  `icebergLocal icebergS3 icebergAzure icebergHDFS iceberg icebergCluster icebergS3Cluster deltaLakeLocal
  deltaLake deltaLakeS3 deltaLakeAzure deltaLakeCluster azureBlobStorage azureBlobStorageCluster hdfs hdfsCluster hudi hudiCluster
  loop view viewIfPermitted viewExplain dictionary ytsaurus arrowFlight cosn oss gcs s3 s3Cluster url urlCluster file fileCluster
  remote remoteSecure cluster clusterAllReplicas merge mergeTreeIndex mergeTreeProjection mysql postgresql mongodb redis
  sqlite jdbc odbc executable input generateRandom eval filesystem fuzzQuery fuzzJSON paimon paimonLocal
  prometheusQuery timeSeriesData null`
    .split(/\s+/)
    .filter(Boolean);

statementSuite(
  "connectors/clickhouse: people's statements",
  async () => {
    const database = await openClickhouseDatabase();
    await database.run(
      "create table t (id UInt32, word Nullable(String), at DateTime('UTC'), amount Float64, tags Array(String)) engine = MergeTree order by id",
    );
    await database.run(
      `insert into t values (1, 'one', '2024-01-01 00:30:00', 1.5, ['a', 'b']), (2, 'two', '2024-02-01 00:00:00', 2.5, ['b']),
        (3, null, '2024-03-01 00:00:00', 3, [])`,
    );
    await database.run("create table j (k UInt32, v String) engine = Join(any, left, k)");
    const plugin = await open(options);
    return {
      plugin,
      credentials: credentialsOf(database, database.admin),
      contents: async () => [
        await database.run("select * from t order by id"),
        await database.run("show tables"),
      ],
      async close() {
        await plugin.close?.();
        await database.close();
      },
    };
  },
  {
    hostile: [
      ...reaching.map((name) => [`select * from ${name}('a', 'b')`, /a call to /] as const),
      ["select * from `url`('http://127.0.0.1:1/', CSV)", aCall],
      ["select * from \"file\"('/etc/passwd', LineAsString)", aCall],
      ["select * from URL ('http://127.0.0.1:1/', CSV)", aCall],
      ["select * from \"fil\\x65\"('/etc/passwd')", /with a backslash/],
      ["select * from `sys\\x74em`.users", /with a backslash/],
      ["select sleep(1) as x", aCall],
      ["select `sleep`(1) as x", aCall],
      ["select sleepEachRow(1) as x from numbers(3)", aCall],
      ["select file('/etc/passwd') as x", aCall],
      ["select hostName() as x", aCall],
      ["select hostname() as x", aCall],
      [
        "select id * 2 as n, '' as x from t order by n with fill interpolate (x as hostName())",
        aCall,
      ],
      [
        "select id * 2 as n, '' as x from t order by n with fill interpolate (x as getSetting('max_threads')::String)",
        aCall,
      ],
      ["select distinct on (id) byteSwap(id) as n, hostName(id) as materialized from t", aCall],
      ["select distinct on (id) hostName(id) as x from t", aCall],
      ["select FQDN() as x", aCall],
      ["select getSetting('max_threads') as x", aCall],
      ["select getSettingOrDefault('a', 1) as x", aCall],
      ["select getServerSetting('max_connections') as x", aCall],
      ["select getMacro('replica') as x", aCall],
      ["select getClientHTTPHeader('Authorization') as x", aCall],
      ["select globalVariable('version') as x", aCall],
      ["select serverUUID() as x", aCall],
      ["select tcpPort() as x", aCall],
      ["select filesystemAvailable() as x", aCall],
      ["select currentProfiles() as x", aCall],
      ["select queryID() as x", aCall],
      ["select hasColumnInTable('127.0.0.1:1', 'u', 'p', 'd', 't', 'c') as x", aCall],
      ["select catboostEvaluate('/tmp/model', 1) as x", aCall],
      ["select evalMLMethod(1, 2) as x", aCall],
      ["select naiveBayesClassifier('m', 'a') as x", aCall],
      ["select addressToLine(1) as x", aCall],
      ["select addressToSymbol(1) as x", aCall],
      ["select demangle('a') as x", aCall],
      ["select reverseDNSQuery('127.0.0.1') as x", aCall],
      ["select aiGenerate('a', 'b') as x", aCall],
      ["select logTrace('a') as x", aCall],
      ["select generateSerialID('a') as x", aCall],
      ["select showCertificate() as x", aCall],
      ["select lemmatize('en', 'a') as x", aCall],
      ["select my_own_function(1) as x", /a call to my_own_function.*view/],
      ["select t.* apply(sleep) from t", /apply/],
      ["select columns('id') apply sleepEachRow from t", /apply/],
      ["select (sleep)(1) as x", /"\)\("/],
      ["select 1 as x settings max_execution_time = 0", /settings/],
      ["select 1 as x from t settings readonly = 0", /settings/],
      ['select 1 as x SETTINGS "max_result_rows" = 0', /SETTINGS|settings/],
      ["select a from (select 1 as a settings max_memory_usage = 0)", /settings/],
      ["select a from (select 1 as a SETTINGS max_threads = 1)", /settings/],
      ["select * from system.users", /schemas of ClickHouse/],
      ["select * from `system`.settings", /schemas of ClickHouse/],
      ['select * from "system" . "query_log"', /schemas of ClickHouse/],
      ["select * from system.processes", /schemas of ClickHouse/],
      ["select * from system.named_collections", /schemas of ClickHouse/],
      ["select 1 as x where 1 in system.users", /schemas of ClickHouse/],
      ["select * from information_schema.views", /schemas of ClickHouse/],
      ["select * from 'users.xml'", /where a table is expected/],
      ["select * from t join 'users.xml' using (a)", /where a table is expected/],
      ["select $tag$ sleep(1) $tag$ as x", /"\$"/],
      ["select $$ a $$ as x", /"\$"/],
      ["select {p:String} as x", /"\{"/],
      ["select “sleep”(1) as x", /only allowed in strings/],
      ["select 1 as x into outfile '/tmp/x'", /"into"/],
      ["with sleep(1) as x select x", aCall],
      ["with (select sleep(1)) as x select x", aCall],
      ["with x as (select * from url('http://127.0.0.1:1/', CSV)) select * from x", aCall],
      ["select arrayMap(x -> sleep(1), [1]) as x", aCall],
      ["select quantile(sleep(1))(id) as x from t", aCall],
      ["select 1 as x union all select sleep(1)", aCall],
      ["select * from (explain select 1)", /"explain"/],
      ["select sleepIf(1, 1) as x", aCall],
      ["insert into t values (9, '', now(), 1, [])", /begin it with select/],
      ["system flush logs", /begin it with select/],
      ["select 1 as x; drop table t", /single statement/],
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
      ["select count() as n, sum(amount) as s from t", [[3, 7]]],
      [
        "select max(start) as n, lower(max(comment)) as s from (select id as start, word as comment from t) a where (start is not null)",
        [[3, "two"]],
      ],
      ["with (select max(id) from t) as most select id from t where id = most", [[3]]],
      [
        "select id * 2 as n, 1 as x from t where id < 3 order by n with fill interpolate (x as x + 1)",
        [
          [2, 1],
          [3, 2],
          [4, 1],
        ],
      ],
      ["select a.id from t a join t b on a.id = b.id + 1 order by a.id", [[2], [3]]],
      ["with x as (select id from t) select max(id) as n from x", [[3]]],
      ["with 2 as k select id * k as n from t order by n", [[2], [4], [6]]],
      [
        "with recursive n as (select 1 as i union all select i + 1 from n where i < 5) select sum(i) as n from n",
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
        "select sum(amount) over w as n from t window w as (order by id) order by n",
        [[1.5], [4], [7]],
      ],
      ["select lagInFrame(id, 1) over (order by id) as n from t order by id", [[0], [1], [2]]],
      [
        "select JSONExtractInt('{\"a\": 3}', 'a') as n, JSON_VALUE('{\"a\": 3}', '$.a') as s",
        [[3, "3"]],
      ],
      [
        "select toYear(at) as y, formatDateTime(at, '%Y-%m') as m from t where id = 1",
        [[2024, "2024-01"]],
      ],
      [
        "select toStartOfMonth(at) + interval 1 day as d from t where id = 2",
        [["2024-02-02T00:00:00.000Z"]],
      ],
      ["select dateDiff('day', toDate('2024-01-01'), at) as n from t where id = 2", [[31]]],
      ["select upper(word) as s, lengthUTF8(word) as n from t where id = 1", [["ONE", 3]]],
      [
        "select trim(both 'x' from 'xax') as s, substring('abc', 2) as t, extract(year from at) as y from t where id = 1",
        [["a", "bc", 2024]],
      ],
      [
        "select replaceRegexpAll('abc', '[b]', 'x') as s, splitByChar(',', 'a,b')[2] as b",
        [["axc", "b"]],
      ],
      [
        "select ifNull(word, 'none') as s, multiIf(id > 2, 'c', id > 1, 'b', 'a') as b from t order by id",
        [
          ["one", "a"],
          ["two", "b"],
          ["none", "c"],
        ],
      ],
      [
        "select quantileExact(0.5)(id) as q, quantilesExact(0.5)(id)[1] as r, uniqExact(id) as u from t",
        [[2, 2, 3]],
      ],
      [
        "select sumIf(amount, id > 1) as s, countIf(word is null) as n, avgOrNull(amount) as a from t where id < 3",
        [[2.5, 0, 2]],
      ],
      [
        "select argMax(word, id) as s, groupArray(id) as l from (select * from t where word is not null order by id)",
        [["two", "[1,2]"]],
      ],
      [
        "select tag, count() as n from t array join tags as tag group by tag order by tag",
        [
          ["a", 1],
          ["b", 2],
        ],
      ],
      ["select arrayMap(x -> x * 2, [1, 2]) as l, arraySum(x -> x, [1, 2]) as n", [["[2,4]", 3]]],
      ["select number as n from numbers(3)", [[0], [1], [2]]],
      [
        "select cast(id as Nullable(DateTime64(3, 'UTC'))) as d, id::Decimal(9, 2) as n from t where id = 1",
        [["1970-01-01T00:00:01.000Z", 1]],
      ],
      [
        "select id from t where (id, word) in ((1, 'one'), (2, 'x')) order by id limit 1 by id",
        [[1]],
      ],
      [
        "select id from t prewhere id > 1 where word like 't%' qualify row_number() over () = 1",
        [[2]],
      ],
      [
        "select word as settings from t where id = 1 and t.id in (select id from t) group by word having count() > 0",
        [["one"]],
      ],
      [
        "select greatest(1, 2) as g, round(2.345, 2) as r, coalesce(null, 3) as c, cityHash64('a') > 0 as h",
        [[2, 2.35, 3, 1]],
      ],
      [
        "select count() as n from t group by grouping sets ((id), ()) order by n desc limit 1",
        [[3]],
      ],
      ["select joinGet('j', 'v', toUInt32(1)) as v", [[""]]],
      [
        "select table_name as s from information_schema.tables where table_schema = currentDatabase() and table_name = 't'",
        [["t"]],
      ],
    ],
  },
  needsClickhouse,
);

clickhouseSuite("connectors/clickhouse: the settings profile of a user", (test) => {
  const never = new AbortController().signal;
  let database: ClickhouseDatabase;
  let plugin: Plugin;
  test.before(async () => {
    database = await openClickhouseDatabase();
    await database.run("create table t (n UInt32) engine = MergeTree order by n");
    await database.run("insert into t values (1), (2), (3)");
    plugin = await open(options);
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  const credentialsFor = (name: keyof typeof profiles | keyof typeof grants) =>
    credentialsOf(database, { name, password: clickhousePassword });
  const rows = (name: keyof typeof profiles) =>
    rowsOfStatement(
      { plugin, credentials: credentialsFor(name) },
      `select n from ${database.database}.t order by n`,
    );
  const warningsOf = async (credentials: Credentials) =>
    (await plugin.capabilitiesOf!({ credentials, signal: never })).warnings ?? [];
  const settingOf = async (name: keyof typeof profiles, setting: string) => {
    const driver = createDriver({ ...options, timeoutMs: 9_000 });
    try {
      return await driver.use(credentialsFor(name), never, async (session) => {
        await session.expose!();
        const text = `select toString(toFloat64(getSetting('${setting}')))`;
        for await (const [row] of session.rows({ text, values: [] }, never)) return row?.[0];
        return undefined;
      });
    } finally {
      await driver.close();
    }
  };

  test("an SQL statement stops at the deadline of the user's settings profile or at Manifold's, whichever is earlier", async () => {
    for (const [name, expected] of [
      ["plain", "9"],
      ["short", "5"],
      ["long", "9"],
      ["bounded", "6"],
      ["reader", "5"],
      ["fixed", "5"],
    ] as const)
      assert.is(await settingOf(name, "max_execution_time"), expected, name);
  });

  test("a person's SQL statement cannot change settings if the user's profile allows readonly = 1", async () => {
    for (const [name, expected] of [
      ["plain", "1"],
      ["reader", "2"],
      ["fixed", "1"],
    ] as const)
      assert.is(await settingOf(name, "readonly"), expected, name);
  });

  test("a query above the row or memory limit of the user's profile fails", async () => {
    for (const name of ["fewRows", "fewRowsLocked", "smallAnswers", "cutAnswers"] as const)
      assert.match(String(await rows(name).catch(String)), /limit|exceeded/i, name);
    const large = "select uniqExact(number) as n from numbers(1000000)";
    const source = { plugin, credentials: credentialsFor("littleMemory") };
    assert.match((await failureOf(rowsOfStatement(source, large))).message, /memory limit/i);
  });

  test("a settings profile that truncates results is refused, and the error names the setting", async () => {
    const failure = await failureOf(rows("cutLocked"));
    assert.is(failure.code, "PLUGIN_INVALID");
    assert.match(failure.message, /result_overflow_mode = break/);
  });

  test("the account warns about settings that the user's profile fixes, and queries do not try to change these settings", async () => {
    for (const [name, expected] of [
      ["constant", /settings profile does not allow changing [\w, ]*join_use_nulls/],
      ["fixed", /settings profile does not allow changing [\w, ]*join_use_nulls/],
      [
        "writable",
        /settings profile does not allow changing max_execution_time, readonly|readonly, max_execution/,
      ],
    ] as const) {
      assert.equal(await rows(name), [[1], [2], [3]]);
      assert.match(String(await warningsOf(credentialsFor(name))), expected, name);
    }
  });

  test("the account warns about every right that goes beyond reading", async () => {
    assert.equal(await warningsOf(credentialsFor("plain")), []);
    for (const [name, [, expected]] of Object.entries(grants))
      assert.match(
        String(await warningsOf(credentialsOf(database, { name, password: clickhousePassword }))),
        expected,
        name,
      );
    assert.match(
      String(await warningsOf(credentialsOf(database, database.admin))),
      /more than read/,
    );
  });
});
