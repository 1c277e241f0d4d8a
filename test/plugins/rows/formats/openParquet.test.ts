/** This file costs more than most, because it loads DuckDB to write the Parquet files that it reads. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { open } from "../../../../connectors/files/index.ts";
import { rowsOfBatch, type Cell, type Plugin } from "../../../../plugins/protocol/index.ts";
import { rounds } from "../../../support/layer.ts";
import { openReach } from "../../../support/openReach.ts";
import { suite } from "../../../support/suite.ts";

/** The SQL of columns with many types and encodings, with and without nulls. `i` is the row number. */
const columns: Readonly<Record<string, string>> = {
  seq: "i::bigint",
  small: "case when i % 3 = 0 then null else (i % 120 - 60)::tinyint end",
  int32: "case when i % 5 = 0 then null else (i * 7919 - 500000)::integer end",
  int64: "case when i % 7 = 0 then null else i::bigint * 982451653 - 4000000000 end",
  required: "i * 4093 % 65521",
  double: "case when i % 11 = 0 then null else sin(i) * 1e10 end",
  float: "case when i % 4 = 1 then null else (cos(i) * 100)::float end",
  flag: "case when i % 6 = 0 then null else i % 2 = 0 end",
  few: "case when i % 9 = 0 then null else 's' || (i % 37) end",
  many: "case when i % 13 = 0 then null else 'unique ' || i || repeat('é', (i % 5)::int) end",
  day: "date '1960-01-01' + (i % 40000)::int",
  at: "case when i % 10 = 0 then null else timestamp '1965-03-04 05:06:07.123' + to_milliseconds(i * 86399) end",
  decimal: "((i - 500) * 12345.678901)::decimal(38, 10)",
  none: "null::integer",
  list: "case when i % 17 = 0 then null when i % 17 = 1 then [] else [i, null, i * 2] end",
  lists: "case when i % 19 = 0 then null else [['a' || i, null], null, []] end",
  struct:
    "case when i % 21 = 0 then null else {a: i, b: case when i % 2 = 0 then null else 'x' || i end, c: [i]} end",
  structs: "case when i % 6 = 0 then null else [{p: i, q: {r: [i % 3]}}] end",
  map: "case when i % 23 = 0 then null else map(['k1', 'k2'], [i, null]) end",
  prices: "[(i * 0.1)::decimal(9, 1), null, (i * 0.01)::decimal(9, 1)]",
  priced:
    "{low: (i * 0.07)::decimal(18, 2), high: [(-i * 1000.003)::decimal(38, 3)], wide: i::decimal(30, 0)}",
  rates: "map([(i * 0.01)::decimal(8, 2)], [(i * 0.0001)::decimal(20, 4)])",
  days: "{day: date '2024-01-05' + (i % 40)::int, time: time '10:30:00.125'}",
};

const nested = new Set(Object.keys(columns).slice(Object.keys(columns).indexOf("list")));

/** Returns SQL that converts the cells of a column to the form in which the reader returns them. */
function expected(name: string): string {
  if (nested.has(name)) return `to_json("${name}")::varchar`;
  if (name === "day" || name === "at") return `epoch_ms("${name}"::timestamp)::double`;
  return name === "few" || name === "many" || name === "flag"
    ? `"${name}"::varchar`
    : `"${name}"::double`;
}

suite("plugins/rows/formats/openParquet", (test) => {
  let folder: string;
  let plugin: Plugin;
  let duckdb: DuckDBInstance;
  let connection: DuckDBConnection;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-parquet-")));
    plugin = await open({ reach: openReach(folder), timeoutMs: 60_000, sizeBytes: 2 ** 28 });
    duckdb = await DuckDBInstance.create(":memory:");
    connection = await duckdb.connect();
  });
  test.after(async () => {
    connection?.closeSync();
    duckdb?.closeSync();
    await plugin?.close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  const read = async (path: string): Promise<Cell[][]> => {
    const call = {
      credentials: { host: path, properties: {} },
      tenant: { organization: "one", user: "ada" },
      signal: AbortSignal.timeout(60_000),
    };
    const [dataset] = await plugin.datasets(call);
    assert.equal(
      dataset!.columns.map(({ id }) => id),
      Object.keys(columns),
    );
    const wanted = dataset!.columns.map(({ id }) => ({ column_id: id }));
    const query = { id: dataset!.id, columns: wanted, filters: [], options: { pushdown: false } };
    return rowsOfBatch(await plugin.query({ ...call, query, dataset: dataset! }));
  };

  for (const version of ["V1", "V2"])
    for (const codec of ["uncompressed", "snappy", "zstd", "gzip", "brotli"]) {
      const isQuick = codec === "snappy";
      (isQuick && version === "V1" ? test : test.deep)(
        `every cell of a Parquet file written by DuckDB is read correctly (${codec}, ${version})`,
        async () => {
          const path = join(folder, `${codec}${version}.parquet`);
          const deep = isQuick ? 20_001 : 5_001;
          const rowCount = rounds({ quick: 2100, deep, soak: 300_000 });
          const all = Object.entries(columns).map(([name, sql]) => `${sql} as "${name}"`);
          await connection.run(
            `copy (select ${all.join(", ")} from range(${rowCount}) t(i)) to '${path}' ` +
              `(format parquet, codec ${codec}, parquet_version ${version}, row_group_size 2048)`,
          );
          const names = Object.keys(columns);
          const reader = await connection.runAndReadAll(
            `select ${names.map(expected).join(", ")} from read_parquet('${path}')`,
          );
          const theirs = reader.getRows();
          const ours = await read(path);
          assert.is(ours.length, rowCount);
          for (const [row, cells] of ours.entries())
            for (const [index, cell] of cells.entries()) {
              const name = names[index]!;
              const [own, other] = [cell, theirs[row]![index]].map((value) =>
                nested.has(name) && typeof value === "string" ? JSON.parse(value) : value,
              );
              const isInstant = (name === "day" || name === "at") && typeof own === "string";
              assert.equal(isInstant ? Date.parse(own) : own, other, `row ${row}, ${name}`);
            }
        },
      );
    }

  /** Writes a file with DuckDB, and returns its columns, notes and rows, with `types` as declared types. */
  const written = async (sql: string, types: Readonly<Record<string, string>> = {}) => {
    const path = join(folder, `written${written.count++}.parquet`);
    await connection.run(`copy (${sql}) to '${path}' (format parquet)`);
    const call = {
      credentials: { host: path, properties: { columns: JSON.stringify(types) } },
      tenant: { organization: "one", user: "ada" },
      signal: AbortSignal.timeout(60_000),
    };
    const [dataset] = await plugin.datasets(call);
    const wanted = dataset!.columns.map(({ id }) => ({ column_id: id }));
    const query = { id: dataset!.id, columns: wanted, filters: [], options: { pushdown: false } };
    const rows = plugin.query({ ...call, query, dataset: dataset! }).then(rowsOfBatch);
    return { types: dataset!.columns.map(({ type }) => type), notes: dataset!.notes ?? [], rows };
  };
  written.count = 0;

  test("whole numbers beyond 2^53 are text with all digits, in a column of any stored type", async () => {
    const values = ["9007199254740992", "9007199254740993", "109000000000000001"];
    for (const type of [
      "bigint",
      "ubigint",
      "decimal(18, 0)",
      "decimal(20, 0)",
      "decimal(38, 0)",
    ]) {
      const list = values.map((value) => `(${value}::${type}), (null)`).join(", ");
      const { types, notes, rows } = await written(
        `select c as id, 1::bigint as n from (values ${list}) t(c)`,
      );
      assert.equal(types, ["hierarchy", "numeric"], type);
      assert.match(notes.join(), /"id": it is text: .*whole numbers? beyond 2\^53/);
      assert.equal(
        await rows,
        values.flatMap((value) => [
          [value, 1],
          [null, 1],
        ]),
        type,
      );
    }
  });

  test("a declared number that would lose digits is refused by its row, and one that keeps them is read", async () => {
    for (const type of ["bigint", "ubigint", "decimal(18, 0)", "decimal(20, 0)"])
      for (const rowCount of rounds({ quick: [3], deep: [3, 3000] })) {
        const sql = (last: string) =>
          `select case when i = ${rowCount - 1} then ${last} else i end::${type} as id from range(${rowCount}) t(i)`;
        const wrong = await written(sql("9007199254740993"), { id: "number" });
        const failure = await wrong.rows.catch((thrown: unknown) => thrown);
        assert.match(String(failure), new RegExp(`row ${rowCount}: "id" must be a number`), type);
        assert.match(String(failure), /9007199254740993/);
        const right = await written(sql("10000000000000000"), { id: "number" });
        assert.equal((await right.rows).at(-1), [1e16]);
      }
  });

  test("a column of whole numbers that is declared as text is read as digits", async () => {
    const { rows } = await written("select i::bigint as id, 'a' || i as s from range(3) t(i)", {
      id: "text",
    });
    assert.equal(await rows, [
      ["0", "a0"],
      ["1", "a1"],
      ["2", "a2"],
    ]);
  });

  test("bytes without a type are text if they are UTF-8, and otherwise hexadecimal", async () => {
    const { rows } = await written(
      "select unnest([encode('Zoë'), '\\xFF\\x41'::blob, '\\x00'::blob]) as b",
    );
    assert.equal(await rows, [["Zoë"], ["ff41"], ["00"]]);
  });

  test("times keep their microseconds, and intervals are ISO 8601 durations", async () => {
    const { rows } = await written(
      "select time '10:30:00.123456' as t, time '10:30:00.5' as u, interval '14 months 3 days 1.5 seconds' as i",
    );
    assert.equal(await rows, [["10:30:00.123456", "10:30:00.500", "P14M3DT1.5S"]]);
  });

  test("a filter finds a decimal in the row group whose limit it is", async () => {
    const path = join(folder, "limits.parquet");
    await connection.run(
      `copy (select (i / 10)::decimal(10, 1) as d from range(1, 4001) t(i)) to '${path}' (format parquet, row_group_size 2048)`,
    );
    const call = {
      credentials: { host: path, properties: {} },
      tenant: { organization: "one", user: "ada" },
      signal: AbortSignal.timeout(60_000),
    };
    const [dataset] = await plugin.datasets(call);
    for (const value of [0.1, 0.3, 204.8, 204.9, 400]) {
      const filters = [{ column_id: "d", expression: "=" as const, value: [value] }];
      const query = {
        id: dataset!.id,
        columns: [{ column_id: "d" }],
        filters,
        options: { pushdown: false },
      };
      const rows = rowsOfBatch(await plugin.query({ ...call, query, dataset: dataset! }));
      assert.ok(
        rows.some(([cell]) => cell === value),
        String(value),
      );
    }
  });

  test("a filter finds instants of each row group on the clock of time_zone", async () => {
    const path = join(folder, "walls.parquet");
    await connection.run(
      `copy (select timestamp '2024-01-01' + interval (i) minute as wall from range(6000) t(i) order by i) to '${path}' (format parquet, row_group_size 2048)`,
    );
    for (const [timeZone, hours] of [
      ["Pacific/Kiritimati", 14],
      ["Etc/GMT+12", -12],
    ] as const) {
      const call = {
        credentials: { host: path, properties: { time_zone: timeZone } },
        tenant: { organization: "one", user: "ada" },
        signal: AbortSignal.timeout(60_000),
      };
      const [dataset] = await plugin.datasets(call);
      for (const minute of [0, 2047, 2048, 4095, 4096, 5999]) {
        const at = Date.UTC(2024, 0, 1, -hours, minute);
        const value = [new Date(at).toISOString()];
        const query = {
          id: dataset!.id,
          columns: [{ column_id: "wall" }],
          filters: [{ column_id: "wall", expression: "=" as const, value }],
          options: { pushdown: false },
        };
        const rows = rowsOfBatch(await plugin.query({ ...call, query, dataset: dataset! }));
        assert.ok(
          rows.some(([cell]) => cell === value[0]),
          `${timeZone}, ${value[0]}`,
        );
      }
    }
  });

  test("a member called __proto__ of a Parquet struct is left out with a note", async () => {
    const path = join(folder, "proto.parquet");
    await connection.run(
      `copy (select 1 as a, {'__proto__': 1, 'b': 2} as s) to '${path}' (format parquet)`,
    );
    const [dataset] = await plugin.datasets({
      credentials: { host: path, properties: {} },
      tenant: { organization: "one", user: "ada" },
      signal: AbortSignal.timeout(60_000),
    });
    assert.equal(
      dataset!.columns.map(({ id }) => id),
      ["a"],
    );
    assert.match(JSON.stringify(dataset!.notes), "a member called __proto__");
  });
});
