import { strToU8, zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import { gzipSync, zstdCompressSync } from "node:zlib";
import * as assert from "uvu/assert";
import {
  cutIntoPushes,
  readFile,
  type Cell,
} from "../../../../core/web/console/pages/data/files/index.ts";
import { detectType } from "../../../../core/sources/data/detectType.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { main, zipBook } from "./bookOf.ts";

const bytesOf = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(typeof content === "string" ? Buffer.from(content) : content);
const fileOf = (name: string, content: string | Uint8Array) => {
  const bytes = bytesOf(content);
  return { name, size: bytes.length, arrayBuffer: async () => bytes.buffer };
};
const read = async (name: string, content: string | Uint8Array) => {
  const [table] = await readFile(fileOf(name, content));
  return [table?.header, ...(table?.rows ?? [])];
};
/** Returns the error with which reading a file fails. */
const refusal = async (reading: Promise<unknown>): Promise<Error> => {
  const failure: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.instance(failure, Error);
  return failure as Error;
};

const styles = `<styleSheet ${main}><numFmts><numFmt numFmtId="164" formatCode="&quot;day&quot; 0.0"/><numFmt numFmtId="165" formatCode="yyyy\\-mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
const texts = (words: readonly string[]) =>
  `<row>${words.map((word) => `<c t="inlineStr"><is><t>${word}</t></is></c>`).join("")}</row>`;

suite("core/web/console/pages/data/files", (test) => {
  test("a CSV file is read with quoted and empty cells, and strings that look like numbers stay strings", async () => {
    assert.equal(
      await read(
        "a.csv",
        '\uFEFFcode;n;"a ""b"";c"\r\n007;1;"x\ny"\r\n12;;z\r\n12345678901234567890;2.5e3;\r\n',
      ),
      [
        ["code", "n", 'a "b";c'],
        ["007", 1, "x\ny"],
        ["12", null, "z"],
        ["12345678901234567890", 2500, null],
      ],
    );
    assert.equal(await read("c.csv", "a;b;c;d\n2,50;1.234,5;1,5;1,2\n-3;0,1;01,5;12,3,4\n"), [
      ["a", "b", "c", "d"],
      [2.5, 1234.5, "1,5", "1,2"],
      [-3, 0.1, "01,5", "12,3,4"],
    ]);
    assert.equal(await read("d.csv", 'a,b\n"1,5",2\n'), [
      ["a", "b"],
      ["1,5", 2],
    ]);
    // A comma in a number separates thousands if commas also separate columns, or if another number in the file proves
    // it.
    assert.equal(await read("e.csv", 'a,b,c\n"1,200.50","12,345",x\n80,"7","1,20"\n'), [
      ["a", "b", "c"],
      [1200.5, 12_345, "x"],
      [80, 7, "1,20"],
    ]);
    assert.equal(await read("f.csv", "a\tb\tc\n1,200\t-1,200,300\t01,200.5\n80\t1,000\t2\n"), [
      ["a", "b", "c"],
      ["1,200", -1_200_300, "01,200.5"],
      ["80", 1000, "2"],
    ]);
    assert.equal(await read("b.csv", "id\n12345678901234567890\n1\n"), [
      ["id"],
      ["12345678901234567890"],
      ["1"],
    ]);
  });

  test("the encoding and compression of a file are recognized from its bytes", async () => {
    const expected = [["naïve"], ["é"]];
    assert.equal(await read("a.csv", Buffer.from("\uFEFFnaïve\né\n", "utf16le")), expected);
    assert.equal(await read("a.csv", Buffer.from("naïve\né\n", "latin1")), expected);
    assert.equal(await read("a.csv.gz", gzipSync("naïve\né\n")), expected);
  });

  test("a JSON file may contain rows, objects or one object per line, and nested values stay JSON", async () => {
    const expected = [
      ["a", "b"],
      [1, null],
      [null, '{"c":[1]}'],
    ];
    assert.equal(await read("a.json", '[{"a":1},{"b":{"c":[1]}}]'), expected);
    assert.equal(await read("a.jsonl", '{"a":1}\n\n{"b":{"c":[1]}}\n'), expected);
    assert.equal(await read("a.json", '[["a","b"],[1,null],[null,{"c":[1]}]]'), expected);
  });

  test("missing and duplicate column names are replaced by unique names", async () => {
    assert.equal((await read("a.csv", "a,,a,a 3\n1,2,3,4\n"))[0], [
      "a",
      "column 2",
      "a 3",
      "a 3 4",
    ]);
  });

  test("every sheet with rows is read, with its dates, times, booleans, errors and shared strings", async () => {
    const rows = `${texts(["day", "at", "no day", "month", "true", "wrong", "shared", "gap", "end"])}
      <row r="2"><c r="A2" s="1"><v>45292</v></c><c r="B2" s="2"><v>45292.75</v></c><c r="C2" s="3"><v>45292.5</v></c>
      <c r="D2" s="4"><v>1</v></c><c r="E2" t="b"><v>1</v></c><c r="F2" t="e"><v>#N/A</v></c>
      <c r="G2" t="s"><v>0</v></c><c r="I2" t="str"><f>A1</f><v>_x0041_</v></c></row><row r="3"/>`;
    const shared = `<sst ${main}><si><r><t>漢</t></r><r><t xml:space="preserve"> 字</t></r><rPh><t>かん</t></rPh></si></sst>`;
    const book = zipBook(
      { Empty: "", Main: rows, "R&amp;D": texts(["a"]) },
      { "xl/sharedStrings.xml": shared, "xl/styles.xml": styles },
    );
    const tables = await readFile(fileOf("b.xlsx", book));
    assert.equal(
      tables.map(({ name }) => name),
      ["Main", "R&D"],
    );
    assert.equal(tables[0]?.rows, [
      [
        "2024-01-01",
        "2024-01-01T18:00:00.000Z",
        45_292.5,
        "1900-01-01",
        1,
        null,
        "漢 字",
        null,
        "A",
      ],
    ]);
  });

  test("Parquet files of every codec are read with dates as days and all digits of large integers", async () => {
    const columnData = [
      { name: "n", data: [1.5, null] },
      { name: "big", data: [1n, 2n ** 60n] },
      { name: "day", data: [new Date("2024-02-29"), new Date("1969-12-31")] },
      { name: "at", data: [new Date(0), new Date(1)] },
      { name: "t", data: ["a", "b"] },
    ];
    const elements = [
      { type: "DOUBLE" },
      { type: "INT64" },
      { type: "INT32", converted_type: "DATE" },
      { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
      { type: "BYTE_ARRAY", converted_type: "UTF8" },
    ] as const;
    const schema = [
      { name: "root", num_children: columnData.length },
      ...columnData.map(({ name }, at) => ({
        name,
        repetition_type: "OPTIONAL" as const,
        ...elements[at]!,
      })),
    ];
    const expected = [
      ["n", "big", "day", "at", "t"],
      [1.5, 1, "2024-02-29", "1970-01-01T00:00:00.000Z", "a"],
      [null, String(2n ** 60n), "1969-12-31", "1970-01-01T00:00:00.001Z", "b"],
    ];
    const compressors = {
      GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
      ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)),
    };
    for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD"] as const) {
      const written = parquetWriteBuffer({ columnData, schema, codec, compressors });
      assert.equal(await read("a.parquet", new Uint8Array(written)), expected, codec);
    }
  });

  for (const [what, name, content, message] of [
    [
      "a picture",
      "a.png",
      "\u0089PNG\u0000",
      /must contain text, an Excel workbook or Parquet data/,
    ],
    ["an empty file", "a.csv", "", /empty/],
    ["invalid JSON", "a.json", '{"a":1', /Line 1 is not valid JSON/],
    ["a list of numbers", "a.json", "[1]", /Entry 1 of the JSON array must be an object/],
    [
      "an archive without a workbook",
      "a.xlsx",
      zipSync({ "a.txt": strToU8("a") }),
      /must be an XLSX workbook/,
    ],
    ["a workbook without rows", "a.xlsx", zipBook({ Empty: "" }), /no sheet with rows/],
    [
      "a workbook with a document type",
      "a.xlsx",
      zipBook({ A: '<!DOCTYPE a [<!ENTITY b "c">]>' }),
      /damaged/,
    ],
    ["a workbook with crossed XML tags", "a.xlsx", zipBook({ A: "<row><c></row></c>" }), /damaged/],
    ["a workbook with an unclosed XML tag", "a.xlsx", zipBook({ A: "<row>" }), /damaged/],
    ["a truncated workbook", "a.xlsx", zipBook({ A: texts(["a"]) }).slice(0, 90), /damaged/],
    [
      "a workbook in the old binary format",
      "a.xls",
      Buffer.from("d0cf11e0a1b1", "hex"),
      /Save it as XLSX/,
    ],
    ["a truncated Parquet file", "a.parquet", "PAR1aaaa", /Parquet file cannot be read/],
    ["a truncated gzip file", "a.csv.gz", gzipSync("a\n".repeat(1_000)).subarray(0, 20), /damaged/],
  ] as const)
    test(`${what} is refused, and the message says what is wrong`, async () => {
      const failure = await refusal(readFile(fileOf(name, content)));
      assert.match(failure.message, message);
    });

  test("a file that is too large is refused without being read", async () => {
    const arrayBuffer = () => Promise.reject(new Error("it was read"));
    const failure = await refusal(readFile({ name: "a.csv", size: 2 ** 29, arrayBuffer }));
    assert.match(failure.message, /The file is 512 MB, and the limit for uploads is 256 MB/);
  });

  test("the column types detected in the first push fit all rows, and each row is pushed once", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 6, deep: 120 }); round++) {
        const header = Array.from({ length: 1 + random.below(4) }, (_, at) => `c${at}`);
        const kinds = header.map(() => random.some(Object.keys(cells), 0.25));
        const rows = Array.from({ length: 6_000 + random.below(6_000) }, (_, at) =>
          kinds.map((some, column): Cell => {
            // The first rows contain only common values. Rare values come after the first push.
            const [usual = "none"] = some;
            const kind = at < 5_500 || random.chance(0.999) ? usual : random.pick([...some, usual]);
            return cells[kind]!(random, column);
          }),
        );
        const batches = cutIntoPushes({ name: "", header, rows, uneven: [] });
        const numbers = batches.flatMap((batch) => batch.numbers);
        assert.is(numbers.length, rows.length);
        assert.is(new Set(numbers).size, rows.length);
        for (const batch of batches) {
          assert.ok(batch.rows.length <= 10_000);
          for (const [at, number] of batch.numbers.entries())
            assert.is(batch.rows[at], rows[number - 1]);
        }
        for (const column of header.keys()) {
          const { doubt: _, ...first } = detectType(batches[0]?.rows ?? [], column);
          const { doubt: __, ...all } = detectType(rows, column);
          assert.equal(first, all, `${kinds[column]?.join()}`);
        }
      }
    });
  });
});

const two = (value: number) => String(value).padStart(2, "0");
const dayOf = (random: Random, bound: number) => two(1 + random.below(bound));
const cells: Readonly<Record<string, (random: Random, column: number) => Cell>> = {
  none: () => null,
  number: (random) => random.below(1_000) / 4,
  text: (random) => random.pick(["Ghent", "12", "2024", "1-2", "a-1-2024"]),
  iso: (random) => `2024-${dayOf(random, 12)}-${dayOf(random, 28)}`,
  isoTime: (random) => `2024-01-${dayOf(random, 28)}T10:${two(random.below(60))}:00Z`,
  dayFirst: (random) => `${two(13 + random.below(15))}/${dayOf(random, 12)}/2024`,
  monthFirst: (random) => `${dayOf(random, 12)}/${two(13 + random.below(15))}/2024`,
  either: (random) => `${dayOf(random, 12)}/${dayOf(random, 12)}/2024`,
  eitherTime: (random) =>
    `${dayOf(random, 12)}/${dayOf(random, 12)}/2024 9:${two(random.below(60))}`,
  yearFirst: (random) => `2024.${dayOf(random, 12)}.${dayOf(random, 28)}`,
  noDay: () => "31/31/2024",
  noClock: () => "01/02/2024 25:00",
};
