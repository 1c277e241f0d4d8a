/**
 * Writes the Parquet and Arrow files of this folder, and what a reader must return for them. DuckDB writes Parquet, and
 * apache-arrow writes Arrow. Run it after changing a case: `node --conditions=manifold-source
 * test/files/writeColumnar.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CompressionType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  Struct,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint64,
  Utf8,
  vectorFromArray,
  type Data,
} from "apache-arrow";
import { DuckDBInstance } from "@duckdb/node-api";
import { arrowFile, type ArrowFileOptions } from "./arrowFile.ts";
import type { ExpectedTable } from "./fileCase.ts";

interface ColumnarCase {
  readonly title: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly table: ExpectedTable;
}

interface ParquetCase extends ColumnarCase {
  readonly select: string;
  /** Options of COPY. */
  readonly options?: string;
}

/** A hundred rows that every codec can compress. */
const repeated =
  "select i::integer as n, 'town ' || (i % 4) as town from range(100) t(i) order by i";
const repeatedTable: ExpectedTable = {
  columns: { n: "number", town: "text" },
  rows: Array.from({ length: 5 }, (_, row) => [row, `town ${row % 4}`]),
  rowCount: 100,
};
const codecs = ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4"].map(
  (codec): readonly [string, ParquetCase] => [
    `${codec}.parquet`,
    {
      title: `the codec ${codec} of DuckDB is read`,
      select: repeated,
      options: `codec ${codec}`,
      table: repeatedTable,
    },
  ],
);

const clocks = `select * from (values
  (date '2024-02-29', timestamp '2024-02-29 10:30:00.123456', timestamptz '2024-02-29 10:30:00+02:00'),
  (date '1969-12-31', timestamp '1969-12-31 23:59:59.999999', timestamptz '1969-12-31 23:59:59.5+00:00'),
  (null, null, null)) t(day, wall, instant)`;
const ranges = `select 9007199254740991::bigint as safe, 9007199254740993::bigint as long,
  18446744073709551615::ubigint as huge, 7::ubigint as few
  union all select -9007199254740991, -9223372036854775808, 0::ubigint, null::ubigint`;

const parquetCases: Readonly<Record<string, ParquetCase>> = {
  ...Object.fromEntries(codecs),
  "clocks.parquet": {
    title: "timestamps are rounded down to milliseconds, and without a zone they are UTC",
    select: clocks,
    table: {
      columns: { day: "date", wall: "datetime", instant: "datetime" },
      rows: [
        ["2024-02-29", "2024-02-29T10:30:00.123Z", "2024-02-29T08:30:00Z"],
        ["1969-12-31", "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.500Z"],
        [null, null, null],
      ],
      silent: ["UTC"],
    },
  },
  "timeZone.parquet": {
    title: "timestamps without a zone are in time_zone, at any depth, and days are not shifted",
    select: `select *, [wall] as walls, {'wall': wall, 'instant': instant} as both, map {wall: day} as days
      from (values
        (date '2024-07-01', timestamp '2024-07-01 10:30:00.5', timestamptz '2024-07-01 10:30:00+00:00'),
        (date '2024-01-01', timestamp '2024-01-01 00:30:00', timestamptz '2024-01-01 00:30:00+00:00')
      ) t(day, wall, instant) order by day desc`,
    settings: { time_zone: "Europe/Paris" },
    table: {
      columns: {
        day: "date",
        wall: "datetime",
        instant: "datetime",
        walls: "text",
        both: "text",
        days: "text",
      },
      rows: [
        [
          "2024-07-01",
          "2024-07-01T08:30:00.500Z",
          "2024-07-01T10:30:00Z",
          '["2024-07-01T08:30:00.500Z"]',
          '{"wall":"2024-07-01T08:30:00.500Z","instant":"2024-07-01T10:30:00.000Z"}',
          '{"2024-07-01T08:30:00.500Z":"2024-07-01"}',
        ],
        [
          "2024-01-01",
          "2023-12-31T23:30:00Z",
          "2024-01-01T00:30:00Z",
          '["2023-12-31T23:30:00.000Z"]',
          '{"wall":"2023-12-31T23:30:00.000Z","instant":"2024-01-01T00:30:00.000Z"}',
          '{"2023-12-31T23:30:00.000Z":"2024-01-01"}',
        ],
      ],
    },
  },
  "timeZoneDictionary.parquet": {
    title: "timestamps of a dictionary without a zone are in time_zone",
    select: `select timestamp '2024-07-01 10:30:00' + interval (i % 2) day as wall from range(3000) t(i) order by i`,
    settings: { time_zone: "America/New_York" },
    table: {
      columns: { wall: "datetime" },
      rows: [["2024-07-01T14:30:00Z"], ["2024-07-02T14:30:00Z"]],
      rowCount: 3000,
    },
  },
  "timeZoneDate.parquet": {
    title: "timestamps without a zone that are declared as dates are not shifted",
    select: "select timestamp '2024-07-01 00:00:00' as wall",
    settings: { time_zone: "Europe/Paris", columns: '{"wall":"date"}' },
    table: { columns: { wall: "date" }, rows: [["2024-07-01"]] },
  },
  "precisions.parquet": {
    title: "timestamps of seconds, milliseconds and nanoseconds are datetimes",
    select: `select timestamp_s '2024-02-29 10:30:01' as s, timestamp_ms '2024-02-29 10:30:01.5' as ms,
      timestamp_ns '2024-02-29 10:30:01.999999999' as ns`,
    table: {
      columns: { s: "datetime", ms: "datetime", ns: "datetime" },
      rows: [["2024-02-29T10:30:01Z", "2024-02-29T10:30:01.500Z", "2024-02-29T10:30:01.999Z"]],
    },
  },
  "decimals.parquet": {
    title: "decimals of each width are the nearest doubles, in lists and structs too",
    select: `select 0.1::decimal(4, 1) as a, 12345678.91::decimal(18, 2) as b,
      -1234567890123456789012345.678::decimal(38, 3) as c, [0.1, 2.50, null]::decimal(9, 2)[] as list,
      {'price': 9.99::decimal(18, 2)} as item`,
    table: {
      columns: { a: "number", b: "number", c: "number", list: "text", item: "text" },
      rows: [[0.1, 12345678.91, -1.2345678901234568e24, "[0.1,2.5,null]", '{"price":9.99}']],
    },
  },
  "longNumbers.parquet": {
    title:
      "whole numbers beyond 2^53 are text in the whole column, and other 64-bit numbers are numbers",
    select: ranges,
    table: {
      columns: { safe: "number", long: "text", huge: "text", few: "number" },
      rows: [
        [9007199254740991, "9007199254740993", "18446744073709551615", 7],
        [-9007199254740991, "-9223372036854775808", "0", null],
      ],
      notes: ['"long": it is text', '"huge": it is text'],
      silent: ['"safe"', '"few"'],
    },
  },
  "nested.parquet": {
    title: "lists, structs and maps are JSON, and days in them have no time",
    select: `select [1, null, 3] as list, [] ::varchar[] as none, {'name': 'Ada', 'born': date '1815-12-10'} as person,
      map {'a': 1, 'b': null} as counts, [9007199254740993::bigint] as long,
      {'at': timestamp '2024-01-02 03:04:05'} as event
      union all select null, null, null, null, null, null`,
    table: {
      columns: {
        list: "text",
        none: "text",
        person: "text",
        counts: "text",
        long: "text",
        event: "text",
      },
      rows: [
        [
          "[1,null,3]",
          "[]",
          '{"name":"Ada","born":"1815-12-10"}',
          '{"a":1,"b":null}',
          '["9007199254740993"]',
          '{"at":"2024-01-02T03:04:05.000Z"}',
        ],
        [null, null, null, null, null, null],
      ],
    },
  },
  "dictionary.parquet": {
    title: "a column with a dictionary has the same strings and nulls",
    select: `select case i % 3 when 0 then 'é' when 1 then '' end as word from range(300) t(i) order by i`,
    table: { columns: { word: "text" }, rows: [["é"], [""], [null], ["é"]], rowCount: 300 },
  },
  "others.parquet": {
    title: "booleans, times, UUIDs and bytes are text, and numbers that are not finite are null",
    select: `select true as flag, time '10:30:00.5' as clock,
      '00112233-4455-6677-8899-aabbccddeeff'::uuid as id, '\\xFF\\x00'::blob as bytes,
      'nan'::double as nan, '-infinity'::float as infinite, 0.5::float as half`,
    table: {
      columns: {
        flag: "text",
        clock: "text",
        id: "text",
        bytes: "text",
        nan: "number",
        infinite: "number",
        half: "number",
      },
      rows: [
        ["true", "10:30:00.500", "00112233-4455-6677-8899-aabbccddeeff", "ff00", null, null, 0.5],
      ],
    },
  },
  "empty.parquet": {
    title: "a file without rows has its columns",
    select: "select 1::bigint as n, 'a' as word, date '2024-01-01' as day where false",
    table: { columns: { n: "number", word: "text", day: "date" }, rows: [] },
  },
  "nulls.parquet": {
    title: "columns of nulls have the types that the file declares",
    select: "select null::integer as n, null::varchar as word, null::date as day from range(3)",
    table: {
      columns: { n: "number", word: "text", day: "date" },
      rows: Array.from({ length: 3 }, () => [null, null, null]),
    },
  },
  "rowGroups.parquet": {
    title: "rows of several row groups are in order",
    select: "select i as n from range(5000) t(i) order by i",
    options: "row_group_size 2048",
    table: { columns: { n: "number" }, rows: [[0], [1], [2]], rowCount: 5000 },
  },
};

interface ArrowCase extends ColumnarCase, ArrowFileOptions {
  readonly columns: Readonly<Record<string, Data>>;
}

/** The types of apache-arrow do not describe the properties of all of its types. */
const dataOf = (properties: object): Data => Reflect.apply(makeData, undefined, [properties]);

/** Returns a column of whole numbers as they are stored. Nulls are null. */
function stored(type: Data["type"], values: readonly (bigint | null)[]): Data {
  const nullBitmap = new Uint8Array(8);
  values.forEach((value, row) => {
    if (value !== null) nullBitmap[row >> 3]! |= 1 << (row & 7);
  });
  const words = values.map((value) => BigInt.asIntN(64, value ?? 0n));
  const data =
    type instanceof Uint64
      ? BigUint64Array.from(words, (word) => BigInt.asUintN(64, word))
      : type instanceof DateDay
        ? Int32Array.from(words, Number)
        : type instanceof Decimal
          ? Uint32Array.from(
              values.flatMap((value) =>
                [0n, 32n, 64n, 96n].map((shift) =>
                  Number(BigInt.asUintN(32, (value ?? 0n) >> shift)),
                ),
              ),
            )
          : BigInt64Array.from(words);
  const nullCount = values.filter((value) => value === null).length;
  return dataOf({ type, length: values.length, data, nullBitmap, nullCount });
}

const listOf = (type: Data["type"]) => new List(new Field("item", type, true));
/** Returns two lists: all values, and none. */
const listsOf = (values: Data): Data =>
  dataOf({
    type: listOf(values.type),
    length: 2,
    nullCount: 0,
    valueOffsets: Int32Array.of(0, values.length, values.length),
    child: values,
  });
const repeatedColumns = {
  n: vectorFromArray(
    Array.from({ length: 100 }, (_, row) => row),
    new Int32(),
  ).data[0]!,
  town: vectorFromArray(
    Array.from({ length: 100 }, (_, row) => `town ${row % 4}`),
    new Utf8(),
  ).data[0]!,
};
const at = BigInt(Date.UTC(2024, 1, 29, 10, 30));

const arrowCases: Readonly<Record<string, ArrowCase>> = {
  "file.arrow": {
    title: "a file is read in the order of its rows",
    columns: repeatedColumns,
    table: repeatedTable,
  },
  "stream.arrow": {
    title: "a stream is read as a file",
    columns: repeatedColumns,
    form: "stream",
    table: repeatedTable,
  },
  "lz4.feather": {
    title: "buffers compressed with LZ4 are read",
    columns: repeatedColumns,
    codec: CompressionType.LZ4_FRAME,
    table: repeatedTable,
  },
  "zstd.feather": {
    title: "buffers compressed with Zstandard are read",
    columns: repeatedColumns,
    codec: CompressionType.ZSTD,
    table: repeatedTable,
  },
  "clocks.arrow": {
    title: "dates and timestamps of each unit are rounded down to milliseconds",
    columns: {
      day: stored(new DateDay(), [19782n, -1n, null]),
      date: stored(new DateMillisecond(), [at, -1n, null]),
      s: stored(new TimestampSecond(), [at / 1000n, -1n, null]),
      ms: stored(new TimestampMillisecond(), [at, -1n, null]),
      us: stored(new TimestampMicrosecond(), [at * 1000n + 999n, -1n, null]),
      ns: stored(new TimestampNanosecond(), [at * 1_000_000n + 999_999n, -1n, null]),
      zoned: stored(new TimestampMillisecond("America/Lima"), [at, -1n, null]),
    },
    table: {
      columns: {
        day: "date",
        date: "datetime",
        s: "datetime",
        ms: "datetime",
        us: "datetime",
        ns: "datetime",
        zoned: "datetime",
      },
      rows: [
        ["2024-02-29", ...Array.from({ length: 6 }, () => "2024-02-29T10:30:00Z")],
        [
          "1969-12-31",
          "1969-12-31T23:59:59.999Z",
          "1969-12-31T23:59:59Z",
          ...Array.from({ length: 4 }, () => "1969-12-31T23:59:59.999Z"),
        ],
        Array.from({ length: 7 }, () => null),
      ],
    },
  },
  "timeZone.arrow": {
    title: "timestamps without a zone are in time_zone, at any depth, and days are not shifted",
    columns: {
      day: stored(new DateDay(), [19782n, null]),
      s: stored(new TimestampSecond(), [at / 1000n, null]),
      ns: stored(new TimestampNanosecond(), [at * 1_000_000n, null]),
      zoned: stored(new TimestampMillisecond("America/Lima"), [at, null]),
      walls: listsOf(stored(new TimestampMillisecond(), [at])),
    },
    settings: { time_zone: "Asia/Tokyo" },
    table: {
      columns: { day: "date", s: "datetime", ns: "datetime", zoned: "datetime", walls: "text" },
      rows: [
        [
          "2024-02-29",
          "2024-02-29T01:30:00Z",
          "2024-02-29T01:30:00Z",
          "2024-02-29T10:30:00Z",
          '["2024-02-29T01:30:00.000Z"]',
        ],
        [null, null, null, null, "[]"],
      ],
    },
  },
  "longNumbers.arrow": {
    title: "whole numbers beyond 2^53 are text, and other 64-bit numbers are numbers",
    columns: {
      safe: stored(new Int64(), [9007199254740991n, null]),
      long: stored(new Int64(), [9007199254740993n, -1n]),
      huge: stored(new Uint64(), [18446744073709551615n, 0n]),
      few: stored(new Uint64(), [7n, null]),
    },
    table: {
      columns: { safe: "number", long: "text", huge: "text", few: "number" },
      rows: [
        [9007199254740991, "9007199254740993", "18446744073709551615", 7],
        [null, "-1", "0", null],
      ],
      notes: ['"long": it is text', '"huge": it is text'],
      silent: ['"safe"', '"few"'],
    },
  },
  "decimals.arrow": {
    title: "decimals are the nearest doubles",
    columns: { price: stored(new Decimal(2, 38, 128), [999n, -1n, null, 10n ** 30n + 1n]) },
    table: { columns: { price: "number" }, rows: [[9.99], [-0.01], [null], [1e28]] },
  },
  "dictionary.arrow": {
    title: "a dictionary column has the strings of its dictionary",
    columns: {
      word: vectorFromArray(["é", null, "", "é"], new Dictionary(new Utf8(), new Int32())).data[0]!,
    },
    table: { columns: { word: "text" }, rows: [["é"], [null], [""], ["é"]] },
  },
  "nested.arrow": {
    title: "lists and structs are JSON",
    columns: {
      list: vectorFromArray([[1.5, null], [], null], listOf(new Float64())).data[0]!,
      pair: vectorFromArray(
        [{ a: 1, b: "x" }, { a: null, b: null }, null],
        new Struct([new Field("a", new Int32(), true), new Field("b", new Utf8(), true)]),
      ).data[0]!,
    },
    table: {
      columns: { list: "text", pair: "text" },
      rows: [
        ["[1.5,null]", '{"a":1,"b":"x"}'],
        ["[]", '{"a":null,"b":null}'],
        [null, null],
      ],
    },
  },
  "empty.arrow": {
    title: "a file without rows has its columns",
    columns: {
      n: stored(new Int64(), []),
      word: vectorFromArray([], new Utf8()).data[0]!,
    },
    table: { columns: { n: "number", word: "text" }, rows: [] },
  },
};

function describe(path: string, { title, settings, table }: ColumnarCase): void {
  const described = {
    title,
    from: "docs/connectors/files.md and the values that were written, by hand",
    ...(settings && { settings }),
    table,
  };
  writeFileSync(`${path}.expected`, `${JSON.stringify(described, undefined, 1)}\n`);
}

const duckdb = await DuckDBInstance.create(":memory:");
const connection = await duckdb.connect();
await connection.run("set timezone = 'UTC'");
for (const [name, each] of Object.entries(parquetCases)) {
  const path = join(import.meta.dirname, "parquet", name);
  const options = ["format parquet", ...(each.options ? [each.options] : [])].join(", ");
  await connection.run(`copy (${each.select}) to '${path}' (${options})`);
  describe(path, each);
}
connection.closeSync();
duckdb.closeSync();
for (const [name, each] of Object.entries(arrowCases)) {
  const path = join(import.meta.dirname, "arrow", name);
  writeFileSync(path, arrowFile(each.columns, each));
  describe(path, each);
}
