import { existsSync, globSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import type { Cell } from "../../plugins/protocol/index.ts";
import { rounds } from "../support/layer.ts";
import { suite, type Test } from "../support/suite.ts";
import { doors, type Door, type SeenTable } from "./doors.ts";

const collections = join(import.meta.dirname, "../../../shared/files");
const options = (name: string) =>
  existsSync(join(collections, name)) ? {} : { missing: `the files of ${name} in ../shared/files` };

/** Returns the path of a collection without symbolic links, which the connector does not follow. */
const realFolder = (name: string): string =>
  existsSync(join(collections, name)) ? realpathSync(join(collections, name)) : name;

/** Opens the doors of a folder while its tests run: the first in the quick layer, and all in the deep layer. */
function openDoors(test: Test, folder: string): ReadonlyMap<string, Door> {
  const open = new Map<string, Door>();
  test.before(async () => {
    const used = rounds({ quick: 1, deep: Infinity });
    for (const [name, openDoor] of Object.entries(doors).slice(0, used))
      open.set(name, await openDoor(folder));
  });
  test.after(async () => {
    for (const door of open.values()) await door.close();
  });
  return open;
}

/** The quick layer reads one file of this many, because the files of this folder test each feature of a format. */
const quickShare = 40;
const declareOf = (test: Test, index: number) => (index % quickShare === 0 ? test : test.deep);

interface ReadxlSheet {
  readonly columns?: readonly ("number" | "datetime" | "text")[];
  readonly rows?: readonly (readonly Cell[])[];
  readonly rowCount?: number;
  /** A part of the error. */
  readonly refused?: string;
}

/** Workbooks that openpyxl reads differently, with the reason. `seen` is a part of what we return for them. */
const readxlDifferences: Readonly<
  Record<string, { readonly reason: string; readonly seen: string }>
> = {
  "dates-leap-year-1900-xlsx.xlsx": {
    reason: "openpyxl reads February 29 of 1900, which never existed, as February 28",
    seen: "1900-02-29T08:00:00",
  },
  "missing-v-node-xlsx.xlsx": {
    reason: "we refuse formulas without a stored value, which openpyxl reads as empty cells",
    seen: "row 2 has a formula without a stored value in column C",
  },
  "new_line_errors.xlsx": {
    reason: "openpyxl does not decode escapes of control characters",
    seen: "first line of text \\r\\nsecond line",
  },
};

suite(
  "files/public readxl",
  (test) => {
    const folder = realFolder("readxl");
    const open = openDoors(test, folder);
    const expected = JSON.parse(
      readFileSync(join(import.meta.dirname, "public/readxl.json"), "utf8"),
    ) as Readonly<Record<string, Readonly<Record<string, ReadxlSheet>>>>;

    const checkSheet = async (seen: SeenTable, sheet: ReadxlSheet, where: string) => {
      const rows = await seen.rows();
      if (sheet.refused !== undefined) return assert.match(String(rows), sheet.refused, where);
      assert.equal(
        seen.columns.map(({ type }) =>
          type === "numeric" ? "number" : type === "hierarchy" ? "text" : type,
        ),
        sheet.columns,
        where,
      );
      const wanted = sheet.rows?.map((row) =>
        row.map((cell, index) =>
          sheet.columns?.[index] === "datetime" && typeof cell === "string"
            ? new Date(/:|T/.test(cell) && !cell.endsWith("Z") ? `${cell}Z` : cell).toISOString()
            : cell,
        ),
      );
      assert.equal(rows.slice(0, wanted?.length), wanted, where);
      assert.is(rows.length, sheet.rowCount, where);
    };
    for (const [index, [file, sheets]] of Object.entries(expected).entries())
      declareOf(test, index)(`${file} is read as openpyxl reads it`, async () => {
        for (const [name, door] of open) {
          const seen = await door.read(file);
          const difference = readxlDifferences[file];
          if (difference) {
            const content = typeof seen === "string" ? seen : await seen[0]?.rows();
            assert.match(JSON.stringify(content), difference.seen, difference.reason);
            continue;
          }
          const all = Object.values(sheets);
          if (typeof seen === "string") {
            assert.ok(all.length === 1 && all[0]?.refused !== undefined, `${file}: ${seen}`);
            assert.match(seen, all[0].refused);
            continue;
          }
          assert.equal(
            seen.map(({ sheet }) => sheet),
            Object.keys(sheets),
          );
          for (const table of seen)
            await checkSheet(table, sheets[table.sheet]!, `${file}, ${table.sheet}, ${name}`);
        }
      });
  },
  options("readxl"),
);

/** Parquet files that DuckDB reads differently or not at all, with the reason. `seen` is a part of what we return. */
const parquetDifferences: Readonly<
  Record<string, { readonly reason: string; readonly seen: string }>
> = {
  "byte_stream_split_extended.gzip.parquet": {
    reason: "DuckDB reads this encoding only for floats; each value occurs twice, in two encodings",
    seen: "[10.3046875,10.3046875,10.33757495880127,10.33757495880127,9.82038858616854,9.82038858616854,24191,24191,",
  },
  "hadoop_lz4_compressed.parquet": {
    reason:
      "DuckDB does not support the retired codec LZ4; the values are those of lz4_raw_compressed.parquet",
    seen: '[1593604800,"abc",42]',
  },
  "hadoop_lz4_compressed_larger.parquet": {
    reason:
      "DuckDB does not support the retired codec LZ4; the values are those of lz4_raw_compressed_larger.parquet",
    seen: "c7ce6bef-d5b0-4863-b199-8ea8c7fb117b",
  },
  "large_string_map.brotli.parquet": {
    reason: "its strings have 2 GiB, and one page more than our limit; DuckDB needs 8 GiB",
    seen: "above the maximum of 256 MiB",
  },
  "map_no_value.parquet": {
    reason: "DuckDB does not read maps without values; the file has the same numbers three times",
    seen: "[1,2,3]",
  },
  "nation.dict-malformed.parquet": {
    reason:
      "a page of its dictionary has fewer bytes than it declares, which DuckDB does not notice",
    seen: "a page declares 28 bytes but only 13 follow",
  },
  "non_hadoop_lz4_compressed.parquet": {
    reason:
      "DuckDB does not support the retired codec LZ4; the values are those of lz4_raw_compressed.parquet",
    seen: '[1593604800,"abc",42]',
  },
  "nested_structs.rust.parquet": {
    reason: "DuckDB writes timestamps in structs without T and Z",
    seen: '{\\"min\\":190406409000602',
  },
};

const integers = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/;

/** Returns SQL that converts the cells of a column to the form in which the readers return them. */
function sqlOf(name: string, type: string): string {
  const column = `"${name.replaceAll('"', '""')}"`;
  if (/^(?:STRUCT|MAP|UNION|VARIANT)|\]$/.test(type)) return `to_json(${column})::varchar`;
  if (/^(?:DATE|TIMESTAMP)/.test(type)) return `epoch_ms(${column}::timestamp)::double`;
  if (integers.test(type)) return `${column}::varchar`;
  if (/^(?:DECIMAL|FLOAT|DOUBLE)/.test(type))
    return `case when isfinite(${column}::double) then ${column}::double end`;
  return type === "BLOB" ? `hex(${column})` : `${column}::varchar`;
}

/** Keeps the digits of whole numbers beyond 2^53, as the readers do. */
function keepDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source ?? "";
  const isLong =
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
  return isLong ? source : value;
}

/** Returns a cell as DuckDB's form of it: instants as milliseconds, and JSON as values. */
function comparable(cell: unknown, type: string): unknown {
  if (typeof cell !== "string") return cell;
  if (/^(?:DATE|TIMESTAMP)/.test(type)) return Date.parse(cell);
  if (type === "BLOB")
    return /^(?:[0-9a-f]{2})*$/.test(cell) ? cell : Buffer.from(cell).toString("hex");
  return /^(?:STRUCT|MAP|UNION|VARIANT)|\]$/.test(type) ? JSON.parse(cell, keepDigits) : cell;
}

suite(
  "files/public parquet-testing",
  (test) => {
    const folder = realFolder("parquet-testing");
    const open = openDoors(test, folder);
    let duckdb: DuckDBInstance;
    let connection: DuckDBConnection;
    test.before(async () => {
      duckdb = await DuckDBInstance.create(":memory:");
      connection = await duckdb.connect();
    });
    test.after(() => {
      connection.closeSync();
      duckdb.closeSync();
    });

    const readWithDuckdb = async (file: string) => {
      const from = `read_parquet('${join(folder, file)}')`;
      const described = (
        await connection.runAndReadAll(`describe select * from ${from}`)
      ).getRows();
      const types = new Map(described.map(([name, type]) => [String(name), String(type)]));
      const columns = Array.from(types, ([name, type]) => sqlOf(name, type));
      const reader = await connection.runAndReadAll(`select ${columns.join(", ")} from ${from}`);
      return { types, rows: reader.getRows() };
    };

    for (const [index, file] of globSync("*.parquet", { cwd: folder }).toSorted().entries())
      declareOf(test, index)(`${file} is read as DuckDB reads it`, async () => {
        const difference = parquetDifferences[file];
        const expected = difference ? undefined : await readWithDuckdb(file);
        let first: readonly string[] | undefined;
        for (const [name, door] of open) {
          const seen = await door.read(file);
          const table = typeof seen === "string" ? undefined : seen[0];
          const rows = table ? await table.rows() : seen;
          if (!expected) {
            const all = JSON.stringify([table?.columns.map(({ id }) => id), table?.notes, rows]);
            assert.match(all, difference!.seen, difference!.reason);
            continue;
          }
          assert.ok(table && typeof rows !== "string", `${file}, ${name}: ${rows}`);
          // An upload does not keep the order of rows.
          const sorted = rows.map((row) => JSON.stringify(row)).toSorted();
          if (first) {
            assert.ok(isDeepStrictEqual(sorted, first), `${file}, ${name}: other rows`);
            continue;
          }
          first = sorted;
          const names = table.columns.map(({ id }) => id);
          for (const column of expected.types.keys())
            if (!names.includes(column))
              assert.match(table.notes.join("\n"), `the column "${column}" is left out`, name);
          const columns = Array.from(expected.types, ([column, type], at) => ({
            column,
            type,
            at,
          }));
          const read = names.map((own) => columns.find(({ column }) => column === own));
          assert.is(rows.length, expected.rows.length, name);
          for (const [row, cells] of rows.entries())
            for (const [index, cell] of (cells as readonly Cell[]).entries()) {
              const { type, at, column } = read[index]!;
              const own = expected.rows[row]![at];
              const isNumber = integers.test(type) && typeof cell === "number";
              const other = isNumber && own !== null ? Number(own) : own;
              assert.equal(
                comparable(cell, type),
                type === "BLOB"
                  ? other === null
                    ? null
                    : String(other).toLowerCase()
                  : comparable(other, type),
                `${name}, row ${row}, ${column} ${type}`,
              );
            }
        }
      });
  },
  options("parquet-testing"),
);
