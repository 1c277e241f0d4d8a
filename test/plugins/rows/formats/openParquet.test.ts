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
};

const nested = new Set(["list", "lists", "struct", "structs", "map"]);

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
      (isQuick ? test : test.deep)(
        `every cell of a Parquet file written by DuckDB is read correctly (${codec}, ${version})`,
        async () => {
          const path = join(folder, `${codec}${version}.parquet`);
          const deep = isQuick ? 70_001 : 20_001;
          const rowCount = rounds({ quick: 3000, deep, soak: 300_000 });
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
