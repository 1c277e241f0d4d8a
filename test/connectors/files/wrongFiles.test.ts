/** This file costs more than most, because a reader process has to refuse files of every format, some of them large. */
import { mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as assert from "uvu/assert";
import { openLocalFile } from "../../../plugins/rows/formats/openLocalFile.ts";
import { open } from "../../../connectors/files/index.ts";
import {
  PluginError,
  rowsOfBatch,
  type Dataset,
  type Filter,
  type Plugin,
} from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { suite } from "../../support/suite.ts";
import { writeBook, writeZip } from "./writeXlsx.ts";

type Properties = Readonly<Record<string, string>>;

suite("connectors/files with invalid files", (test) => {
  let folder: string;
  let plugin: Plugin;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-wrong-files-")));
    plugin = await open({ reach: openReach(folder), timeoutMs: 30_000, sizeBytes: 2 ** 24 });
  });
  test.after(async () => {
    await plugin.close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  const callOf = (name: string, properties: Properties = {}) => ({
    credentials: { host: join(folder, name), properties },
    tenant: { organization: "one", user: "ada" },
    signal: new AbortController().signal,
  });
  const describe = async (name: string, properties?: Properties): Promise<readonly Dataset[]> =>
    plugin.datasets(callOf(name, properties));
  const rowsOf = async (name: string, properties?: Properties, filters: readonly Filter[] = []) => {
    const [dataset] = await describe(name, properties);
    const columns = dataset!.columns.map(({ id }) => ({ column_id: id }));
    const query = { id: dataset!.id, columns, filters, options: { pushdown: false } };
    return rowsOfBatch(
      await plugin.query({ ...callOf(name, properties), query, dataset: dataset! }),
    );
  };
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content);
  /** Returns the error of describing or reading a file. */
  const refusal = async (name: string, content: string | Uint8Array, properties?: Properties) => {
    write(name, content);
    const failure: unknown = await rowsOf(name, properties).then(
      (rows) => `expected an error, got ${JSON.stringify(rows)}`,
      (thrown: unknown) => thrown,
    );
    assert.instance(failure, PluginError, String(failure));
    return (failure as PluginError).message;
  };

  const refused: readonly (readonly [
    title: string,
    name: string,
    content: () => string | Uint8Array,
    message: RegExp,
    properties?: Properties,
  ])[] = [
    [
      "a row with too many cells",
      "a.csv",
      () => "a,b\n1,2\n\n1,2,3\n",
      /a\.csv: line 4 has 3 cells; it must have 2/,
    ],
    ["a row with too few cells", "a.csv", () => "a,b\n1\n", /line 2 has 1 cell; it must have 2/],
    [
      "text after a closing quote",
      "a.csv",
      () => 'a,b\n1,"x"y\n',
      /line 2 has text after a closing quote/,
    ],
    [
      "a truncated quote",
      "a.csv",
      () => 'a,b\n1,"x\n\ny',
      /line 2 opens a quote that is not closed|line 4 opens/,
    ],
    [
      "a value of a type other than declared",
      "a.csv",
      () => 'a\n1\n"b\nc"\nabc\n',
      /line 3: "a" must be a number, not "b\\nc"/,
      { columns: '{"a":"number"}' },
    ],
    [
      "separators that fit equally well",
      "a.csv",
      () => "a,b;c\n1,2;3\n",
      /both ";" and ","|both "," and ";"/,
    ],
    [
      "bytes that are not UTF-8",
      "a.csv",
      () => Buffer.from("a\ncaf\u00e9\n", "latin1"),
      /is not valid utf-8 between the bytes 0 and 7/,
    ],
    [
      "truncated UTF-8",
      "a.csv",
      () => Buffer.from("a\ncaf\u00e9").subarray(0, 6),
      /not valid utf-8 at its end/,
    ],
    ["an empty CSV file", "a.csv", () => "", /it is empty/],
    [
      "an endless line",
      "a.csv",
      () => `a,b\n${"x".repeat(2 ** 21)}`,
      /line 2 is longer than 1,048,576 characters/,
    ],
    ["JSON that is not an array", "a.json", () => '{"a":1}', /line 1 must begin an array/],
    ["a truncated array", "a.json", () => '[{"a":1},\n{"a":', /ends before the array of rows does/],
    [
      "an array with text after it",
      "a.json",
      () => '[{"a":1}]\n]',
      /line 2 has text after the end/,
    ],
    ["an element that is not JSON", "a.json", () => '[\n{"a":1},\n{"a":x}]', /line 3 is not JSON/],
    [
      "an element that is not an object",
      "a.json",
      () => '[{"a":1},\n[1]]',
      /line 2 must be an object/,
    ],
    [
      "an endless JSON value",
      "a.json",
      () => `[{"a":"${"x".repeat(2 ** 21)}"}]`,
      /line 1 has a value of more than/,
    ],
    ["a truncated line", "a.jsonl", () => '{"a":1}\n{"a":', /line 2 is not JSON/],
    [
      "truncated gzip",
      "a.csv.gz",
      () => gzipSync(`a\n${"1\n".repeat(9999)}`).subarray(0, 40),
      /is not a gzip file, or it is truncated/,
    ],
    ["invalid gzip", "a.csv.gz", () => "a\n1\n", /is not a gzip file/],
    ["invalid Parquet", "a.parquet", () => "a,b\n1,2\n".repeat(9), /cannot be read as Parquet/],
    [
      "truncated Parquet",
      "a.parquet",
      () => parquet([1, 2, 3]).subarray(0, 60),
      /cannot be read as Parquet/,
    ],
    ["invalid Arrow", "a.arrow", () => "a,b\n1,2\n", /a\.arrow/],
    ["an invalid workbook", "a.xlsx", () => "a,b", /cannot be read as a workbook/],
    [
      "a truncated workbook",
      "a.xlsx",
      () => book({ rows: [["a"], [1]] }).subarray(0, 300),
      /cannot be read as a workbook/,
    ],
    [
      "an archive that is not a workbook",
      "a.xlsx",
      () => writeZip({ "a.txt": "x" }),
      /is not a workbook/,
    ],
    [
      "a zip bomb that states its size",
      "a.xlsx",
      () => bomb({}),
      /unpacks from \d+ to \d+ bytes, like a zip bomb/,
    ],
    [
      "a zip bomb that hides its size",
      "a.xlsx",
      () => bomb({ "xl/worksheets/sheet0.xml": 1000 }),
      /damaged|too many bytes/,
    ],
    [
      "a formula without a value",
      "a.xlsx",
      () =>
        sheet(
          '<row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><f>1+1</f></c></row>',
        ),
      /row 2 has a formula without a stored value in column A/,
    ],
    [
      "a cell beyond the header",
      "a.xlsx",
      () => book({ rows: [["a"], [1, 2]] }),
      /row 2 has a value in column B/,
    ],
    ["truncated XML", "a.xlsx", () => sheet('<row r="1"><c'), /damaged or truncated XML/],
    [
      "an undeclared entity",
      "a.xlsx",
      () => sheet('<row r="1"><c r="A1" t="str"><v>&lol;</v></c></row>'),
      /damaged or truncated XML/,
    ],
  ];
  for (const [title, name, content, message, properties] of refused)
    test(`the error for ${title} describes the cause`, async () => {
      assert.match(await refusal(name, content(), properties), message);
    });

  test("reading a file with a line of 1 GB fails before the line takes more than a few megabytes of memory", async () => {
    write("big.csv", "a,b\n1,");
    truncateSync(join(folder, "big.csv"), 2 ** 30);
    const before = process.memoryUsage().rss;
    const failure = await describe("big.csv").then(String, String);
    assert.match(failure, "line 2 is longer than 1,048,576 characters");
    const grownMb = (process.memoryUsage().rss - before) / 2 ** 20;
    assert.ok(grownMb < 200, `${grownMb} MB`);
    rmSync(join(folder, "big.csv"));
  });

  test("a column of mixed values contains strings, and its note names the first value that is not a number", async () => {
    write(
      "mixed.csv",
      "price,day,zip,id\n1,1/2/2024,01000,9007199254740993\n2,3/2/2024,9000,1\nabc,4/2/2024,7000,2\n",
    );
    const [dataset] = await describe("mixed.csv");
    assert.equal(
      dataset!.columns.map(({ type }) => type),
      ["hierarchy", "hierarchy", "hierarchy", "hierarchy"],
    );
    const notes = dataset!.notes!.join("\n");
    assert.match(notes, '"price": it is text: 1 of 3 values is not a number (line 4: "abc")');
    assert.match(
      notes,
      '"day": it is text: the order of day and month in its dates is not known (line 2, "1/2/2024")',
    );
    assert.match(notes, '"zip": it is text: 1 of 3 values has a leading zero (line 2: "01000")');
    assert.match(
      notes,
      '"id": it is text: 1 of 3 values has more than 15 digits (line 2: "9007199254740993")',
    );
    const [declared] = await describe("mixed.csv", { dates: "DMY" });
    assert.equal(declared!.columns[1]!.subtype, "date");
    assert.equal((await rowsOf("mixed.csv", { dates: "DMY" }))[0]![1], "2024-02-01T00:00:00.000Z");
    assert.equal((await rowsOf("mixed.csv", { dates: "MDY" }))[0]![1], "2024-01-02T00:00:00.000Z");
  });

  test("a file is read with the encoding, decimal comma, nulls and header that its account sets", async () => {
    write("latin.csv", Buffer.from("caf\u00e9;1,5\nna;-\n", "latin1"));
    const properties = { encoding: "latin1", decimal: "comma", nulls: "na,-", header: "false" };
    assert.equal(await rowsOf("latin.csv", properties), [
      ["caf\u00e9", 1.5],
      [null, null],
    ]);
    write("utf16.csv", Buffer.from("\ufeffa,b\r\n1,\u65e5\r\n", "utf16le"));
    assert.equal(await rowsOf("utf16.csv"), [[1, "\u65e5"]]);
    write("same.csv", "a,a,,a (2)\n1,2,3,4\n");
    const [dataset] = await describe("same.csv");
    assert.equal(
      dataset!.columns.map(({ id }) => id),
      ["a", "a (3)", "column 3", "a (2)"],
    );
  });

  test("each sheet of a workbook is a dataset, whose dates, formula results and merged cells are read", async () => {
    const rows =
      '<row r="2"><c r="A2" t="str"><v>day</v></c><c r="B2" t="str"><v>n</v></c></row>' +
      '<row r="3"><c r="A3" s="1"><v>1</v></c><c r="B3"><f>1+1</f><v>2</v></c></row>' +
      '<row r="5"><c r="A5" s="1"><v>61.5</v></c><c r="B5" t="e"><v>#DIV/0!</v></c></row>';
    const content = `<sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A3:A4"/></mergeCells>`;
    for (const [is1904, days] of [
      [false, ["1900-01-01T00:00:00.000Z", "1900-03-01T12:00:00.000Z"]],
      [true, ["1904-01-02T00:00:00.000Z", "1904-03-02T12:00:00.000Z"]],
    ] as const) {
      write(
        "book.xlsx",
        writeBook({ sheets: { "One & two": content, Other: "<sheetData/>" }, is1904 }),
      );
      const [dataset, other] = await describe("book.xlsx");
      assert.equal([dataset!.table, other!.table], ["book.xlsx/One & two", "book.xlsx/Other"]);
      assert.match(dataset!.notes!.join(), "merged cells: A3:A4;");
      const read = await rowsOf("book.xlsx");
      assert.equal(read, [
        [days[0], "2"],
        [days[1], "#DIV/0!"],
      ]);
      assert.match(
        await refusal("book.xlsx", writeBook({ sheets: { A: content }, is1904 }), {
          columns: '{"n":"number"}',
        }),
        /row 5: "n" must be a number, not "#DIV\/0!"/,
      );
    }
  });

  test("row groups of a Parquet file whose statistics exclude a filter's values are not read", async () => {
    const values = Array.from({ length: 100 }, (_, index) => (index % 10 === 3 ? null : index));
    write("groups.parquet", parquet(values, 10));
    const counts = async (expression: string, ...value: (number | null)[]) => {
      const filter = { column_id: "n", expression, value } as Filter;
      return (await rowsOf("groups.parquet", {}, [filter])).length;
    };
    assert.equal(
      [
        await counts("=", 42),
        await counts("<", 10),
        await counts("<=", 10),
        await counts(">=", 85),
        await counts("in", 1, 99),
        await counts("in", 1, null),
        await counts("in"),
        await counts("is null"),
      ],
      [10, 10, 20, 20, 20, 100, 0, 100],
    );
  });

  test.deep("a query fails if its file changes while the query reads the file", async () => {
    // The file has more parts than a reader sends ahead.
    write("moving.csv", `a\n${"1\n".repeat(1_500_000)}`);
    const [dataset] = await describe("moving.csv");
    const query = {
      id: dataset!.id,
      columns: [{ column_id: "a" }],
      filters: [],
      options: { pushdown: false },
    };
    let isChanged = false;
    const take = async () => {
      if (!isChanged) write("moving.csv", `a\n${"2\n".repeat(1_500_000)}`);
      isChanged = true;
    };
    const failure = await plugin
      .query({ ...callOf("moving.csv"), query, dataset: dataset!, append: take })
      .then(String, String);
    assert.match(failure, "moving.csv: the file changed while it was read; try again");
    const gone = await openLocalFile(join(folder, "moving.csv"), "another version").then(
      String,
      String,
    );
    assert.match(gone, "the file changed");
  });

  test("a query of a file fails if its call is cancelled or its answer exceeds the size limit", async () => {
    write(
      "long.csv",
      `a,b\n${Array.from({ length: 30_000 }, (_, index) => `${index},${index}`).join("\n")}`,
    );
    const query = {
      id: 'main."long.csv"',
      columns: [{ column_id: "a" }, { column_id: "b" }],
      filters: [],
      options: { pushdown: false },
    };
    const small = await open({ reach: openReach(folder), timeoutMs: 30_000, sizeBytes: 2 ** 16 });
    assert.match(
      await small.query({ ...callOf("long.csv"), query }).then(String, String),
      "exceeds 65536 bytes",
    );
    await small.close?.();
    const controller = new AbortController();
    const take = async () => controller.abort();
    const failure = await plugin
      .query({ ...callOf("long.csv"), signal: controller.signal, query, append: take })
      .then(String, String);
    assert.match(failure, "AbortError");
  });
});

function parquet(values: readonly (number | null)[], rowGroupSize = 1000): Uint8Array {
  const columnData = [{ name: "n", data: [...values], type: "DOUBLE" as const, nullable: true }];
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize }));
}

function sheet(rows: string): Uint8Array {
  return writeBook({ sheets: { A: `<sheetData>${rows}</sheetData>` } });
}

function book({ rows }: { readonly rows: readonly (readonly (string | number)[])[] }): Uint8Array {
  const cells = (row: readonly (string | number)[]) =>
    row.map((value) =>
      typeof value === "number" ? `<c><v>${value}</v></c>` : `<c t="str"><v>${value}</v></c>`,
    );
  return sheet(rows.map((row) => `<row>${cells(row).join("")}</row>`).join(""));
}

/** Returns a workbook whose sheet consists of 17 MB of spaces. */
function bomb(sizes: Readonly<Record<string, number>>): Uint8Array {
  return writeZip(
    {
      "xl/workbook.xml":
        '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="A" r:id="r0"/></sheets></workbook>',
      "xl/_rels/workbook.xml.rels":
        '<Relationships><Relationship Id="r0" Target="worksheets/sheet0.xml"/></Relationships>',
      "xl/worksheets/sheet0.xml": " ".repeat(17_000_000),
    },
    sizes,
  );
}
