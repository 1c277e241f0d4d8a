import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as assert from "uvu/assert";
import { EngineError } from "../../../../engine/index.ts";
import {
  encodeParquet,
  type ParquetOptions,
} from "../../../../engine/ingest/parquet/encodeParquet.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { makeFolder } from "../../tables.ts";
import { plainColumns } from "../plainEncode.ts";

const seed = Number(process.env["SEED"] ?? 20261124);
const bytesOf = (text: string) => new TextEncoder().encode(text);

function refusal(bytes: Uint8Array, options?: ParquetOptions): EngineError {
  try {
    encodeParquet(bytes, options);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("not refused");
}

/** Returns the concatenated columns of all batches. */
function columnsOf(bytes: Uint8Array, options?: ParquetOptions) {
  const batches = encodeParquet(bytes, options).map(plainColumns);
  return batches[0].map(({ name, type, isDate }, index) => ({
    name,
    type,
    isDate,
    cells: batches.flatMap((batch) => batch[index].cells),
  }));
}

/** Returns SQL for a whole number between 0 and 2^63 - 1, derived from the row number. */
const h = (salt: number) => `(hash(i * 64 + ${salt}) >> 1)::BIGINT`;

/**
 * A column that DuckDB writes: the SQL that computes it from a row number `i`, and the expected result of reading it.
 */
interface Made {
  readonly sql: string;
  readonly type: "number" | "datetime" | "text";
  /** SQL for the expected cell, in which `$` stands for the value. Default: the value as a double or a string. */
  readonly cell?: string;
  /**
   * Whether to compare numbers by their decimal strings, because DuckDB does not round to the nearest double when it
   * casts decimals.
   */
  readonly isDecimal?: boolean;
}

const made: Readonly<Record<string, Made>> = {
  i8: { sql: `(${h(1)} % 256 - 128)::TINYINT`, type: "number" },
  i16: { sql: `(${h(2)} % 65536 - 32768)::SMALLINT`, type: "number" },
  i32: { sql: `(${h(3)} % 4294967296 - 2147483648)::INTEGER`, type: "number" },
  i64: { sql: `((${h(4)} % 18014398509481983)::BIGINT - 9007199254740991)`, type: "number" },
  steps: { sql: `(i * 1000 + ${h(5)} % 7)::BIGINT`, type: "number" },
  u8: { sql: `(${h(6)} % 256)::UTINYINT`, type: "number" },
  u16: { sql: `(${h(7)} % 65536)::USMALLINT`, type: "number" },
  u32: { sql: `(${h(8)} % 4294967296)::UINTEGER`, type: "number" },
  u64: { sql: `(${h(9)} % 9007199254740992)::UBIGINT`, type: "number" },
  few: { sql: `(${h(10)} % 5)::INTEGER`, type: "number" },
  f32: { sql: `(${h(11)} % 1000000 / 8.0)::FLOAT`, type: "number" },
  f64: { sql: `(${h(12)} >> 11)::DOUBLE / 9007199254740992.0 - 0.5`, type: "number" },
  flag: { sql: `${h(13)} % 2 = 0`, type: "number" },
  dec4: {
    sql: `((${h(14)} % 20000)::INTEGER - 10000)::DECIMAL(9, 2) / 1.0::DECIMAL(2, 1)`,
    type: "number",
    isDecimal: true,
  },
  dec9: {
    sql: `(((${h(15)} % 200000000)::BIGINT - 100000000)::DECIMAL(18, 0) / 1000)::DECIMAL(9, 3)`,
    type: "number",
    isDecimal: true,
  },
  dec18: {
    sql: `(((${h(16)} % 2000000000000)::BIGINT - 1000000000000)::DOUBLE / 7)::DECIMAL(18, 4)`,
    type: "number",
    isDecimal: true,
  },
  dec38: {
    sql: `(((${h(17)} % 2000000000000)::BIGINT - 1000000000000)::DOUBLE / 7)::DECIMAL(38, 12)`,
    type: "number",
    isDecimal: true,
  },
  date: {
    sql: `DATE '1970-01-01' + ((${h(18)} % 80000)::INTEGER - 40000)`,
    type: "datetime",
    cell: "epoch_ms($)::DOUBLE",
  },
  micros: {
    sql: `make_timestamp((${h(19)} % 4000000000000000)::BIGINT - 2000000000000000)`,
    type: "datetime",
    cell: "floor(epoch_us($) / 1000.0)",
  },
  millis: {
    sql: `make_timestamp((${h(20)} % 4000000000000)::BIGINT * 1000)::TIMESTAMP_MS`,
    type: "datetime",
    cell: "epoch_ms($)::DOUBLE",
  },
  nanos: {
    sql: `make_timestamp_ns((${h(21)} % 4000000000000000000)::BIGINT)`,
    type: "datetime",
    cell: "(epoch_ns($) // 1000000)::DOUBLE",
  },
  seconds: {
    sql: `make_timestamp((${h(22)} % 4000000000)::BIGINT * 1000000)::TIMESTAMP_S`,
    type: "datetime",
    cell: "epoch_ms($)::DOUBLE",
  },
  zoned: {
    sql: `make_timestamp((${h(23)} % 4000000000000)::BIGINT * 1000)::TIMESTAMPTZ`,
    type: "datetime",
    cell: "epoch_ms($)::DOUBLE",
  },
  text: { sql: `'item ' || ${h(24)} % 50`, type: "text" },
  many: { sql: `'user-é-' || ${h(25)}`, type: "text" },
  long: { sql: `repeat('日本', (${h(26)} % 40)::INTEGER)`, type: "text" },
  mood: { sql: `(['sad', 'ok', 'happy'])[(${h(27)} % 3)::INTEGER + 1]::mood`, type: "text" },
  uuid: { sql: `md5(i::VARCHAR)::UUID`, type: "text" },
  nothing: { sql: `NULL::INTEGER`, type: "number" },
  plain: { sql: `('b' || i % 9)::BLOB`, type: "text", cell: "decode($)" },
};

suite("engine/ingest/parquet/encodeParquet", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let instance: DuckDBInstance;
  let duckdb: DuckDBConnection;

  test.before(async () => {
    folder = await makeFolder();
    instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    duckdb = await instance.connect();
    await duckdb.run("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
  });

  test.after(async () => {
    duckdb.closeSync();
    instance.closeSync();
    await folder.remove();
  });

  async function write(select: string, options: string): Promise<Uint8Array> {
    const path = join(folder.path, "t.parquet");
    await duckdb.run(`COPY (${select}) TO '${path}' (FORMAT parquet, ${options})`);
    return readFile(path);
  }

  const files = [
    "COMPRESSION uncompressed, ROW_GROUP_SIZE 2048",
    "COMPRESSION snappy, ROW_GROUP_SIZE 2048",
    "COMPRESSION gzip",
    "COMPRESSION zstd, PARQUET_VERSION V2, ROW_GROUP_SIZE 2048",
    "COMPRESSION lz4_raw, PARQUET_VERSION V2",
    "COMPRESSION brotli",
    "COMPRESSION snappy, PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 1",
    "COMPRESSION snappy, DICTIONARY_SIZE_LIMIT 100000",
  ];
  for (const [at, options] of files.entries())
    (at % 3 === 0 ? test : test.deep)(
      `files that DuckDB writes with ${options} are read unchanged`,
      async () => {
        for (const share of rounds({ quick: [30], deep: [0, 30] })) {
          const columns = Object.entries(made).map(
            ([name, { sql }], index) =>
              `CASE WHEN ${h(40 + index)} % 100 < ${share} THEN NULL ELSE ${sql} END AS ${name}`,
          );
          await duckdb.run(
            `CREATE OR REPLACE TABLE made AS SELECT ${columns.join()} FROM range(2500) t(i)`,
          );
          const found = columnsOf(await write("FROM made", options));
          const cells = Object.entries(made).map(([name, { type, cell, isDecimal }]) =>
            (cell ?? (type === "text" || isDecimal ? "$::VARCHAR" : "$::DOUBLE")).replace(
              "$",
              name,
            ),
          );
          const expected = await duckdb.runAndReadAll(`SELECT ${cells.join()} FROM made`);
          const wanted = expected.getColumnsJS();
          found.forEach(({ name, type, isDate, cells: actual }, index) => {
            assert.is(type, made[name].type);
            assert.is(isDate, name === "date");
            const isText = made[name].isDecimal;
            assert.equal(
              actual,
              wanted[index].map((value) => (isText && value !== null ? Number(value) : value)),
              `${name}, ${share} % nulls`,
            );
          });
        }
      },
    );

  test("files of every codec and page type that hyparquet-writer supports are read", () => {
    for (let index = 0; index < rounds({ quick: 10, deep: 40 }); index++) {
      const random = createRandom(seed + index);
      const length = random.pick([1, 10, 300]);
      const share = random.pick([0, 0.4]);
      const fill = <Value>(make: () => Value) =>
        Array.from({ length }, () => (random.chance(share) ? null : make()));
      const columns = [
        { name: "i", type: "INT32", data: fill(() => random.below(2 ** 31) - 2 ** 30) },
        { name: "l", type: "INT64", data: fill(() => BigInt(random.below(2 ** 31)) * 1_000_000n) },
        { name: "f", type: "FLOAT", data: fill(() => random.below(1000) / 8) },
        { name: "d", type: "DOUBLE", data: fill(() => random.below(1e9) / 7) },
        { name: "b", type: "BOOLEAN", data: fill(() => random.chance(0.5)) },
        { name: "s", type: "STRING", data: fill(() => random.pick(["", "a", "日本", "😀"])) },
        { name: "h", type: "FLOAT16", data: fill(() => random.below(2000) / 8 - 100) },
        { name: "t", type: "TIMESTAMP", data: fill(() => new Date(random.below(2 ** 31) * 1000)) },
      ] as const;
      const bytes = new Uint8Array(
        parquetWriteBuffer({
          columnData: columns.map(({ name, type, data }) => ({
            name,
            type,
            data: [...data],
            nullable: true,
          })),
          codec: random.pick(["UNCOMPRESSED", "SNAPPY"]),
          rowGroupSize: random.pick([7, 1000]),
        }),
      );
      const found = columnsOf(bytes);
      columns.forEach(({ name, data }, place) =>
        assert.equal(
          found[place].cells,
          data.map((cell) =>
            cell === null || typeof cell === "string"
              ? cell
              : Number(cell instanceof Date ? cell.getTime() : cell),
          ),
          `SEED=${seed + index} ${name}`,
        ),
      );
    }
  });

  test("integers beyond 2^53, NaN and infinities are rejected, and the error names the row", async () => {
    const refused = async (values: string) =>
      refusal(await write(`SELECT c FROM (VALUES ${values}) t(c)`, "COMPRESSION snappy")).message;
    assert.match(
      await refused("(1), (NULL), (9007199254740992)"),
      /row 3, column 1 \(c\): a whole number beyond 2\^53/,
    );
    assert.match(await refused("(1::UBIGINT), (18446744073709551615)"), /row 2.*beyond 2\^53/);
    assert.match(await refused("(9007199254740993::DECIMAL(18, 0))"), /beyond 2\^53/);
    assert.match(
      await refused("(NULL), ('nan'::DOUBLE)"),
      /row 2.*must be a finite number or null/,
    );
    assert.match(await refused("('infinity'::FLOAT)"), /must be a finite number or null/);
    assert.match(await refused("('infinity'::TIMESTAMP)"), /row 1, .*beyond 275760/);
    assert.match(await refused("('\\xFF'::BLOB)"), /the column c has a string that is not UTF-8/);
  });

  test("a column of an unsupported type is rejected with its name and type, unless the caller leaves the column out", async () => {
    for (const [sql, reason] of [
      ["[1, 2]", /the column odd is nested/],
      ["{'a': 1}", /the column odd is nested/],
      ["MAP {'a': 1}", /the column odd is nested/],
      ["TIME '10:00:00'", /the column odd is of the type TIME/],
      ["INTERVAL 1 DAY", /the column odd is of the type INTERVAL/],
    ] as const) {
      const bytes = await write(`SELECT ${sql} AS odd, 7 AS even`, "COMPRESSION snappy");
      const { code, message } = refusal(bytes);
      assert.is(code, "INGEST_UNSUPPORTED");
      assert.match(message, reason);
      assert.equal(columnsOf(bytes, { columns: [{ name: "even", type: "number" }] })[0].cells, [7]);
    }
  });

  test("given columns select, rename and convert the file's columns, and a missing column is rejected", async () => {
    const bytes = await write(
      "SELECT 1.5::DOUBLE AS n, '2024-01-31' AS d, NULL::VARCHAR AS e",
      "COMPRESSION snappy",
    );
    const columns = [
      { name: "id-e", source: "e", type: "datetime" },
      { name: "id-d", source: "d", type: "datetime" },
      { name: "id-n", source: "n", type: "text" },
    ] as const;
    assert.equal(columnsOf(bytes, { columns }), [
      { name: "id-e", type: "datetime", isDate: false, cells: [null] },
      { name: "id-d", type: "datetime", isDate: true, cells: [Date.UTC(2024, 0, 31)] },
      { name: "id-n", type: "text", isDate: false, cells: ["1.5"] },
    ]);
    assert.match(
      refusal(bytes, { columns: [{ name: "x", type: "text" }] }).message,
      /it has no column "x"; its columns: "n", "d", "e"/,
    );
    assert.match(
      refusal(bytes, { columns: [{ name: "n", type: "datetime" }] }).message,
      /the column n is a column of numbers/,
    );
  });

  test("row groups are encoded in order, and together contain all rows", async () => {
    const bytes = await write(
      "SELECT i, 't' || i % 3 AS s FROM range(10000) t(i)",
      "COMPRESSION zstd, ROW_GROUP_SIZE 2048",
    );
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const whole = encodeParquet(bytes);
    assert.is(whole.length, parquetMetadata(bytes).row_groups.length);
    assert.ok(whole.length > 3);
    assert.equal(
      columnsOf(bytes)[0].cells,
      Array.from({ length: 10_000 }, (_, row) => row),
    );
    for (const partCount of [2, 3, 50]) {
      const parts = Array.from({ length: partCount }, (_, part) =>
        encodeParquet(shared, { part, partCount }),
      );
      assert.equal(
        whole.map((_, index) =>
          plainColumns(parts[index % partCount][Math.floor(index / partCount)]),
        ),
        whole.map(plainColumns),
      );
    }
  });

  test("a file without rows has columns but no rows", async () => {
    const [batch] = encodeParquet(
      await write("SELECT 1 AS n, 'a' AS s WHERE false", "COMPRESSION snappy"),
    );
    assert.is(batch.rowCount, 0);
    assert.equal(
      batch.columns.map(({ name, column }) => [name, column.type]),
      [
        ["n", "number"],
        ["s", "text"],
      ],
    );
  });

  test("pages with more strings than a decoding step handles keep every string and null", async () => {
    const rowCount = 30_000;
    const select = `SELECT CASE WHEN i % 7 = 0 THEN NULL ELSE 'user ' || (i * 7919) % 25000 END AS s FROM range(${rowCount}) t(i)`;
    for (const options of [
      "DICTIONARY_SIZE_LIMIT 1",
      "PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 1",
    ]) {
      const [{ cells }] = columnsOf(await write(select, options));
      assert.is(cells.length, rowCount);
      const other = cells.findIndex(
        (cell, row) => cell !== (row % 7 === 0 ? null : `user ${(row * 7919) % 25_000}`),
      );
      assert.is(other, -1, options);
    }
  });

  test("damaged bytes in a Parquet file are rejected or decoded, and never cause another error", async () => {
    const random = createRandom(seed);
    let refused = 0;
    for (const options of [
      "COMPRESSION snappy",
      "COMPRESSION lz4_raw, PARQUET_VERSION V2",
      "COMPRESSION uncompressed, PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 1",
    ]) {
      const bytes = await write(
        "SELECT i, i / 7.0 AS d, 'text ' || i % 5 AS s, 'item ' || hash(i) AS u, DATE '2024-01-01' + i::INTEGER AS w FROM range(200) t(i)",
        options,
      );
      for (let index = 0; index < rounds({ quick: 150, deep: 700 }); index++) {
        const spoilt = random.chance(0.1)
          ? bytes.subarray(0, random.below(bytes.length))
          : bytes.slice();
        if (spoilt.length > 0)
          spoilt[random.below(spoilt.length)] = random.pick([0, 255, random.below(256)]);
        try {
          encodeParquet(spoilt);
        } catch (error) {
          assert.instance(error, EngineError, `SEED=${seed} ${index}`);
          refused++;
        }
      }
    }
    assert.ok(refused > rounds({ quick: 60, deep: 300 }), `${refused} refused`);
  });

  test("bytes that are not a Parquet file are rejected", () => {
    for (const bytes of [
      new Uint8Array(0),
      bytesOf("PAR1"),
      bytesOf("hello, this is no file"),
      bytesOf("PAR1xxxx\xff\xff\xff\xffPAR1"),
    ])
      assert.is(refusal(bytes).code, "INGEST_UNREADABLE");
  });
});
