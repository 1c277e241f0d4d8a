import * as assert from "uvu/assert";
import { open } from "../../../connectors/clickhouse/index.ts";
import { rowsOfBatch, type Plugin, type Query } from "../../../plugins/protocol/index.ts";
import {
  clickhouseSuite,
  openClickhouseDatabase,
  type ClickhouseDatabase,
} from "../../support/clickhouseDatabase.ts";
import { openReach } from "../../support/openReach.ts";

const setUp = [
  `create table t (
    id UInt8, small Int16, big Int64, unsigned UInt64, huge Int256, decimal Decimal(10, 2), wide Decimal(38, 10),
    double Float64, single Float32, maybe Nullable(Float64),
    word String, low LowCardinality(Nullable(String)), padded FixedString(5), kind Enum8('a' = 1, 'b\\'"\`' = 2),
    yes Bool, uuid UUID, four IPv4, six IPv6,
    at DateTime('Asia/Tokyo'), wall DateTime, milli DateTime64(3, 'America/Caracas'), nano DateTime64(7),
    day Date, long Nullable(Date32),
    list Array(Nullable(Int8)), map Map(String, UInt8), pair Tuple(a Int8, b String),
    total SimpleAggregateFunction(sum, Int64), state AggregateFunction(uniq, String)
  ) engine = MergeTree order by id`,
  `insert into t select
    1, -1, 9007199254740993, 18446744073709551615, toInt256('170141183460469231731687303715884105727'), 12.34,
    toDecimal128('6772122892224566736519909558.9132856513', 10), nan, 0.1, -0.0,
    'Zoë', 'k', 'x', 'a', true, '61f0c404-5cb3-11e7-907b-a6006ad3dba0', '127.0.0.1', '::1',
    toDateTime('2024-03-31 09:30:00', 'Asia/Tokyo'), toDateTime('2024-03-31 00:30:00', 'UTC'),
    toDateTime64('2024-03-31 00:30:00.129', 3, 'UTC'), toDateTime64('1969-12-31 23:59:59.9999999', 7, 'UTC'),
    '2024-01-01', '1900-01-01', [1, null], map('a', 1), tuple(1, 'x'), 5, uniqState('a')`,
  `insert into t select
    2, 2, -5, 0, 0, -0.01, 1, inf, 1, null,
    unhex('61FF62'), null, '', 'b\\'"\`', false, '00000000-0000-0000-0000-000000000000', '0.0.0.0', '::',
    toDateTime(0, 'UTC'), toDateTime(4294967295, 'UTC'),
    toDateTime64('1850-01-01 00:00:00', 3, 'UTC'), toDateTime64('2299-12-31 23:59:59.9999999', 7, 'UTC'),
    '2149-06-06', null, [], map(), tuple(0, ''), 7, uniqState('b')`,
];

clickhouseSuite("connectors/clickhouse", (test) => {
  let database: ClickhouseDatabase;
  let plugin: Plugin;
  const credentials = () => {
    const { host, port, admin } = database;
    const properties = { port: String(port), scope: database.database };
    return { host, key: admin.name, token: admin.password, properties };
  };
  const { signal } = new AbortController();
  const runQuery = async (query: Partial<Query>) => {
    const batch = await plugin.query({
      credentials: credentials(),
      signal,
      query: {
        id: `${database.database}.t`,
        filters: [],
        ...query,
        columns: [{ column_id: "id" }, ...(query.columns ?? [])],
        order: [{ column: 0, order: "asc" }],
        options: { pushdown: false, ...query.options },
      },
    });
    return rowsOfBatch(batch).map((row) => row.slice(1));
  };
  const columns = (...ids: readonly string[]) => ids.map((column_id) => ({ column_id }));

  test.before(async () => {
    database = await openClickhouseDatabase();
    for (const statement of setUp) await database.run(statement);
    plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("numbers are read as the nearest doubles, and NaN and infinities as null", async () => {
    const names = columns(
      "small",
      "big",
      "unsigned",
      "huge",
      "decimal",
      "wide",
      "double",
      "single",
      "maybe",
      "total",
    );
    assert.equal(await runQuery({ columns: names }), [
      [
        -1,
        2 ** 53,
        2 ** 64,
        2 ** 127,
        12.34,
        Number("6772122892224566736519909558.9132856513"),
        null,
        Math.fround(0.1),
        0,
        5,
      ],
      [2, -5, 0, 0, -0.01, 1, null, 1, null, 7],
    ]);
  });

  test("datetimes are read as instants rounded down to the millisecond, whatever their zone", async () => {
    assert.equal(
      await runQuery({ columns: columns("at", "wall", "milli", "nano", "day", "long") }),
      [
        [
          "2024-03-31T00:30:00.000Z",
          "2024-03-31T00:30:00.000Z",
          "2024-03-31T00:30:00.129Z",
          "1969-12-31T23:59:59.999Z",
          "2024-01-01T00:00:00.000Z",
          "1900-01-01T00:00:00.000Z",
        ],
        [
          "1970-01-01T00:00:00.000Z",
          "2106-02-07T06:28:15.000Z",
          "1850-01-01T00:00:00.000Z",
          "2299-12-31T23:59:59.999Z",
          "2149-06-06T00:00:00.000Z",
          null,
        ],
      ],
    );
  });

  test("strings are read without padding, invalid bytes as U+FFFD, and lists as JSON", async () => {
    const names = columns("word", "low", "padded", "kind", "yes", "uuid", "four", "six");
    assert.equal(await runQuery({ columns: names }), [
      ["Zoë", "k", "x", "a", "true", "61f0c404-5cb3-11e7-907b-a6006ad3dba0", "127.0.0.1", "::1"],
      [
        "a\ufffdb",
        null,
        "",
        "b'\"`",
        "false",
        "00000000-0000-0000-0000-000000000000",
        "0.0.0.0",
        "::",
      ],
    ]);
    assert.equal(await runQuery({ columns: columns("list", "map", "pair") }), [
      ["[1,null]", '{"a":1}', '{"a":1,"b":"x"}'],
      ["[]", "{}", '{"a":0,"b":""}'],
    ]);
  });

  test("columns that contain states of aggregate functions are not listed", async () => {
    const datasets = await plugin.datasets({ credentials: credentials(), signal });
    assert.equal(
      datasets.map(({ id }) => id),
      [`${database.database}.t`],
    );
    const ids = datasets[0]!.columns.map(({ id }) => id);
    assert.is(ids.length, 28);
    assert.not(ids.includes("state"));
  });
});
