import { tableFromArrays, tableToIPC } from "apache-arrow";
import * as assert from "uvu/assert";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { DataType } from "../../../../plugins/protocol/index.ts";
import { packedHierarchy } from "../../../../plugins/protocol/index.ts";
import type { ByteSource } from "../../../../plugins/rows/formats/byteSource.ts";
import { columnForms } from "../../../../plugins/rows/formats/columnForms.ts";
import { ColumnSink } from "../../../../plugins/rows/formats/columnSink.ts";
import type { SentBatch } from "../../../../plugins/rows/formats/sentBatch.ts";
import type { OpenTables } from "../../../../plugins/rows/formats/fileTable.ts";
import { formatNamed } from "../../../../plugins/rows/formats/formats.ts";
import { openArrow } from "../../../../plugins/rows/formats/openArrow.ts";
import { openDelimited } from "../../../../plugins/rows/formats/openDelimited.ts";
import { openParquet } from "../../../../plugins/rows/formats/openParquet.ts";
import { readSettings } from "../../../../plugins/rows/formats/settings.ts";
import { createUnpackBudget } from "../../../../plugins/rows/formats/unpackBudget.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

interface Given {
  readonly bytes: Uint8Array;
  readonly format: string;
  readonly open: OpenTables;
  readonly properties?: Readonly<Record<string, string>>;
  /** Bytes per chunk of the file. */
  readonly chunkBytes?: number;
  /** Types that the caller knows instead of the types in the file. */
  readonly types?: readonly DataType[];
}

/** Reads a file as cells, by `writeColumns` or by `rows`, or returns the message of its error. */
async function read(given: Given, way: "columns" | "rows"): Promise<unknown> {
  const { bytes, chunkBytes = bytes.length, properties = {} } = given;
  const { signal } = new AbortController();
  const source: ByteSource = {
    sizeBytes: bytes.length,
    async *stream() {
      for (let from = 0; from < bytes.length; from += chunkBytes)
        yield bytes.slice(from, from + chunkBytes);
    },
    read: async (from, to) => bytes.slice(from, to),
    check: async () => undefined,
    close: async () => undefined,
  };
  const settings = readSettings({ properties });
  const columns: unknown[][] = [];
  const send = async (part: SentBatch) => {
    part.columns.forEach((column, index) => {
      const cells = (columns[index] ??= []);
      if (column.type !== "hierarchy") for (const value of column.values) cells.push(value);
      else {
        const { dictionary } = packedHierarchy(column.codes, column.utf8);
        assert.is(new Set(dictionary).size, dictionary.length);
        for (const code of column.codes) cells.push(code < 0 ? null : dictionary[code]);
      }
    });
  };
  try {
    const [table] = await given.open({
      source,
      format: formatNamed(given.format),
      settings,
      sampleBytes: Infinity,
      signal,
      budget: createUnpackBudget(() => bytes.length),
    });
    assert.ok(table?.writeColumns);
    const sink = new ColumnSink({
      wanted: table.columns.map((column, index) => ({
        id: column.id,
        index,
        type: given.types?.[index] ?? column.type ?? "hierarchy",
        forms: columnForms(column, settings),
      })),
      datasetId: "facts",
      sizeBytes: Infinity,
      send,
    });
    const indexes = table.columns.map((_, index) => index);
    if (way === "columns") await table.writeColumns(sink, [], signal);
    else for await (const block of table.rows(indexes, [], signal)) await sink.addRows(block);
    await sink.flush();
    return columns;
  } catch (failure) {
    return String(failure);
  }
}

async function areEqual(given: Given): Promise<void> {
  assert.equal(await read(given, "columns"), await read(given, "rows"));
}

/** Cells of columns that are written in one way, by type. */
const styles: Readonly<Record<DataType, readonly (readonly string[])[]>> = {
  numeric: [
    ["1,234.50", "12,345,678", "0.5", "7", "-1,000", "12,34,567", "(1,000)", "1.234,5"],
    ["1.234,50", "12.345.678", "0,5", "7", "-1.000", "5,58E+3", "1,234.5"],
    ["1'234.50", "7", "1\u2019000", ".25"],
    ["1\u202f234", "7", "1 000", "1\u00a0000,5"],
    ["$1,000.50", "$5", "-$5", "($7.25)", "5", "$ 6", "\u20ac5"],
    ["5 \u20ac", "1 000,5 \u20ac", "7"],
    ["12%", "29 %", "-0.5%", "100%", "12"],
    ["1:30", "0:05:07.5", "36:15", "90 min", "5"],
    ["1,5", "12,345", "x"],
  ],
  datetime: [
    ["1/25/2024", "12/31/2023 3:30 PM", "2/3/2024 12:05 am", "2024-01-05"],
    ["25.1.24", "31.12.1999 23:59", "1.2.2024", "25/1/2024"],
    ["25-Jan-2024", "Jan 5, 2024", "5. M\u00e4rz 2024", "Thu, 25 Jan 2024 10:00:00 GMT"],
    ["2015/01/01 01:00:00", "2015/1/2", "2015.12.31T23:59"],
    ["2024-03-31T02:30", "2024-10-27 02:30", "2024-06-01", "2024-06-01T00:00:00Z"],
    ["1/2/2024", "3/4/2024"],
    ["1704412800", "-1", "1704412800.5"],
  ],
  hierarchy: [["TRUE", "yes", "0", "false", " t "]],
};

const cellsOf: Readonly<Record<DataType, readonly string[]>> = {
  numeric: [
    "0",
    "-0",
    "1",
    "-12.50",
    "+7",
    ".5",
    "5.",
    "1e3",
    "1E-2",
    " 4 ",
    "9007199254740993",
  ].concat(["0.1234567890123456789", "123456789012345", "00012", "-.75", "1,5", "1".repeat(400)]),
  datetime: [
    "2024-02-29",
    "0000-01-01",
    "2024-01-05T09:30",
    "2024-01-05 09:30:15.2509Z",
    "1969-12-31",
  ].concat([
    " 2024-12-31 ",
    "2024-01-05T09:30:15+02:00",
    "9999-12-31T23:59:59.999",
    "2024-01-05T09:30:15.123456789",
  ]),
  hierarchy: ["a", "ä", "😀", "x".repeat(40), "NA", "a b", "'", "1", "a\u0000b", "\ufeffx"],
};
const wrongCells = ["abc", "2023-02-29", "2024-13-01", "-", ".", "1e", "2024-01-01T24:00", "1e999"];

function randomCsv(random: Random, types: readonly DataType[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const cellsOfColumns = types.map((type) =>
    random.chance(0.5) ? random.pick(styles[type]) : cellsOf[type],
  );
  const cell = (type: DataType, index: number): string => {
    if (random.chance(0.1)) return random.pick(["", '""', "NA"]);
    if (random.chance(0.0008)) return random.pick(wrongCells);
    // An exception usually ends the comparison, so exceptions are rare.
    const cells = cellsOfColumns[index]!;
    const text = cells[random.chance(0.02) ? cells.length - 1 : random.below(cells.length - 1)]!;
    if (type === "hierarchy" && random.chance(0.3))
      return quoted(text + random.pick([",", '"', "\n", "\r\n", "\r", '""', ""]));
    return random.chance(0.1) || text.includes(",") ? quoted(text) : text;
  };
  const end = random.pick(["\n", "\r\n", "\r"]);
  const lines = Array.from({ length: random.below(80) }, () => {
    if (random.chance(0.02)) return "";
    if (random.chance(0.001)) return random.pick(['"open', '"a"b,1', "1", "1,2,3,4,5,6,7"]);
    return types.map(cell).join(",");
  });
  const header = types.map((type, index) => `${type} ${index}`).join(",");
  return [header, ...lines].join(end) + (random.chance(0.5) ? end : "");
}

suite("plugins/rows/formats/writeColumns", (test) => {
  test("columns of separated values equal the cells that are read row by row, whatever the file and its chunks", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 30, deep: 400 }); round++) {
        const types = Array.from({ length: 1 + random.below(4) }, () =>
          random.pick(["numeric", "datetime", "hierarchy"] as const),
        );
        const text = randomCsv(random, types);
        const encoding = random.pick(["utf-8", "utf-8", "utf-16"] as const);
        const bytes =
          encoding === "utf-8" ? Buffer.from(text) : Buffer.from(`\ufeff${text}`, "utf16le");
        if (random.chance(0.03)) bytes[random.below(bytes.length)] = 0xff;
        await areEqual({
          bytes,
          format: "csv",
          open: openDelimited,
          chunkBytes: random.pick([1, 7, 64, 4096]),
          types,
          properties: {
            separator: "comma",
            encoding,
            ...(random.chance(0.3) && { nulls: "NA,-,1" }),
            ...(random.chance(0.1) && { skip_rows: "2" }),
            ...(random.chance(0.2) && { time_zone: "Europe/Paris" }),
            ...(random.chance(0.1) && { thousands: "space" }),
            ...(random.chance(0.3) && {
              columns: JSON.stringify({
                "numeric 0": "duration",
                "hierarchy 0": "boolean",
                "datetime 1": { type: "datetime", format: "epoch seconds" },
              }),
            }),
            ...(random.chance(0.2) && { header: "false" }),
            ...(random.chance(0.2) && { decimal: "comma" }),
            ...(random.chance(0.2) && { dates: "DMY" }),
          },
        });
      }
    });
  });

  test("columns of Parquet equal the values that are read row by row", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 4, deep: 30 }); round++) {
        const rowCount = 1 + random.below(3000);
        const values = <Value>(make: () => Value): (Value | null)[] =>
          Array.from({ length: rowCount }, () => (random.chance(0.1) ? null : make()));
        const many = random.chance(0.5);
        const text = () =>
          random.pick(["a", "ä", "\ufeffb", "x".repeat(200), `t ${random.below(many ? 1e6 : 9)}`]);
        const long = () =>
          BigInt(random.below(2 ** 31)) * BigInt(random.pick([1, -3, 2 ** 31, 4e9]));
        const columnData = [
          {
            name: "d",
            data: values(() => random.pick([1.5, -0, NaN, Infinity, random.below(1e6) / 8])),
            type: "DOUBLE",
          },
          { name: "f", data: values(() => random.below(1e6) / 8), type: "FLOAT" },
          { name: "i", data: values(() => random.below(2 ** 31) - 2 ** 30), type: "INT32" },
          { name: "l", data: values(long), type: "INT64" },
          { name: "b", data: values(() => random.chance(0.5)), type: "BOOLEAN" },
          { name: "s", data: values(text), type: "STRING" },
          {
            name: "t",
            data: values(() => new Date(random.below(2 ** 31) * 3000 - 2 ** 40)),
            type: "TIMESTAMP",
          },
        ] as const;
        const bytes = new Uint8Array(
          parquetWriteBuffer({
            columnData: columnData.map((column) => ({
              ...column,
              data: [...column.data],
              nullable: true,
            })),
            rowGroupSize: 1 + random.below(2000),
          }),
        );
        await areEqual({
          bytes,
          format: "parquet",
          open: openParquet,
          ...(random.chance(0.3) && { properties: { nulls: "a,1" } }),
        });
      }
    });
  });

  test("columns of Arrow equal the values that are read row by row", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 8, deep: 30 }); round++) {
        const rowCount = 1 + random.below(500);
        const values = <Value>(make: () => Value): (Value | null)[] =>
          Array.from({ length: rowCount }, () => (random.chance(0.1) ? null : make()));
        const table = tableFromArrays({
          d: values(() => random.pick([1.5, -0, NaN, Infinity, random.below(1e6) / 8])),
          l: values(() => BigInt(random.below(2 ** 31)) * -4_000_000_007n),
          t: values(() => new Date(random.below(2 ** 31) * 1000 - 2 ** 40)),
          s: values(() => random.pick(["a", "ä", "x".repeat(200)])),
          b: values(() => random.chance(0.5)),
          i: Int16Array.from({ length: rowCount }, () => random.below(1000) - 500),
        });
        await areEqual({
          bytes: tableToIPC(table, random.pick(["file", "stream"])),
          format: "arrow",
          open: openArrow,
          ...(random.chance(0.3) && { properties: { nulls: "a" } }),
        });
      }
    });
  });
});
