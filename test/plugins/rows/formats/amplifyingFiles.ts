import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  CompressionType,
  Dictionary,
  Field,
  FixedSizeList,
  Int32,
  makeData,
  Null,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  Utf8,
  Vector,
  type Data,
  type DataType,
} from "apache-arrow";
import { writeBook, writeZip } from "../../../connectors/files/writeXlsx.ts";
import { arrowFile } from "../../../files/arrowFile.ts";
import {
  dataPage,
  dictionaryPage,
  hostileParquet,
  i32,
  i64,
  list,
  run,
  struct,
  text,
  varint,
  withFooter,
  withLength,
  type Value,
} from "./hostileParquet.ts";

/** A small file for which a parser could need much time or memory. */
export interface AmplifyingFile {
  /** Describes the file in words that complete "a file with". */
  readonly title: string;
  /** Name of the file. Its extension determines the format. */
  readonly name: string;
  readonly build: () => string | Uint8Array;
  /** Matches the text of the error after the name of the file. Undefined if the file can be read. */
  readonly refusal: RegExp | undefined;
  /** Whether reading the file takes so long that only the deep layer does it. */
  readonly isLong?: true;
}

const oneValue = dictionaryPage({ bytes: Buffer.alloc(8, 1), valueCount: 1 });
const codes = (count: number) => Buffer.concat([Buffer.from([1]), run(count)]);

const parquetFiles: readonly AmplifyingFile[] = [
  {
    title: "500 million rows in one run",
    name: "run.parquet",
    build: () =>
      hostileParquet({
        rowCount: 5e8,
        pages: [oneValue, dataPage({ bytes: codes(5e8), valueCount: 5e8 })],
      }),
    refusal: /unpacks from \d+ bytes to more than/,
  },
  {
    title: "3 million rows in one run",
    name: "longRun.parquet",
    build: () =>
      hostileParquet({
        rowCount: 3e6,
        pages: [oneValue, dataPage({ bytes: codes(3e6), valueCount: 3e6 })],
      }),
    refusal: undefined,
    isLong: true,
  },
  {
    title: "a run that is longer than its page",
    name: "longerRun.parquet",
    build: () =>
      hostileParquet({
        rowCount: 10,
        pages: [oneValue, dataPage({ bytes: codes(2 ** 31), valueCount: 10 })],
      }),
    refusal: undefined,
  },
  {
    title: "500 million rows whose row group has none",
    name: "noValues.parquet",
    build: () => hostileParquet({ rowCount: 5e8, pages: [] }),
    refusal: /cannot be read as Parquet|unpacks from/,
  },
  {
    title: "500 million nulls in one run",
    name: "nulls.parquet",
    build: () =>
      hostileParquet({
        rowCount: 5e8,
        repetition: 1,
        pages: [dataPage({ bytes: withLength(run(5e8)), valueCount: 5e8, encoding: 0 })],
      }),
    refusal: /unpacks from \d+ bytes to more than/,
  },
  {
    title: "lists of 300 million entries in one run",
    name: "lists.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1,
        repetition: 2,
        pages: [
          oneValue,
          dataPage({
            bytes: Buffer.concat([withLength(run(3e8)), withLength(run(3e8)), codes(3e8)]),
            valueCount: 3e8,
          }),
        ],
      }),
    refusal: /unpacks from \d+ bytes to more than/,
  },
  {
    title: "lists whose levels are longer than their page",
    name: "levels.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1,
        repetition: 2,
        pages: [
          oneValue,
          dataPage({
            bytes: Buffer.concat([withLength(run(2 ** 31)), withLength(run(2 ** 31)), codes(10)]),
            valueCount: 10,
          }),
        ],
      }),
    refusal: /has a run of more values than it declares/,
  },
  {
    title: "500 million differences of zero bits",
    name: "delta.parquet",
    build: () =>
      hostileParquet({
        rowCount: 5e8,
        pages: [
          dataPage({
            bytes: Buffer.from([128, 1, 4, 0, 0, 0, 0, 0, 0, 0]),
            valueCount: 5e8,
            encoding: 5,
          }),
        ],
      }),
    refusal: /unpacks from \d+ bytes to more than/,
  },
  {
    title: "differences in blocks of two billion",
    name: "blocks.parquet",
    build: () =>
      hostileParquet({
        rowCount: 100,
        pages: [
          dataPage({
            bytes: Buffer.concat([varint(2 ** 31 - 1), varint(2 ** 31 - 1), Buffer.alloc(99)]),
            valueCount: 100,
            encoding: 5,
          }),
        ],
      }),
    refusal: /delta values in blocks/,
  },
  {
    title: "strings that repeat the previous one",
    name: "prefixes.parquet",
    build: prefixes,
    refusal: /unpacks from [\d,]+ bytes to more than/,
  },
  {
    title: "a gzipped page of 1,500 MiB",
    name: "gzip.parquet",
    build: () => {
      const bytes = gzipSync(Buffer.alloc(1500 * 2 ** 20), { level: 1 });
      const unpackedBytes = 1500 * 2 ** 20;
      return hostileParquet({
        rowCount: 10,
        codec: 2,
        pages: [dataPage({ bytes, valueCount: 10, encoding: 0, unpackedBytes })],
      });
    },
    refusal: /above the maximum of 256 MiB/,
    isLong: true,
  },
  ...(
    [
      ["snappy", 1, Buffer.from([128, 128, 128, 128, 4, 0, 0])],
      ["gzip", 2, gzipSync(Buffer.alloc(1000))],
    ] as const
  ).map(([codecName, codec, bytes]): AmplifyingFile => ({
    title: `a page that declares 200 MiB (${codecName})`,
    name: `declared-${codecName}.parquet`,
    build: () =>
      hostileParquet({
        rowCount: 10,
        codec,
        pages: [dataPage({ bytes, valueCount: 10, encoding: 0, unpackedBytes: 200 * 2 ** 20 })],
      }),
    refusal: /declares that it unpacks from \d+ bytes/,
  })),
  ...(
    [
      ["zstd", 6, (zeros: Buffer) => zstdCompressSync(zeros)],
      ["brotli", 4, (zeros: Buffer) => brotliCompressSync(zeros)],
    ] as const
  ).map(([codecName, codec, pack]): AmplifyingFile => ({
    title: `a page that packs 200 MiB into a few kilobytes (${codecName})`,
    name: `${codecName}.parquet`,
    build: () =>
      hostileParquet({
        rowCount: 10,
        codec,
        pages: [
          dataPage({
            bytes: pack(Buffer.alloc(200 * 2 ** 20)),
            valueCount: 10,
            encoding: 0,
            unpackedBytes: 200 * 2 ** 20,
          }),
        ],
      }),
    refusal: /unpacks from [\d,]+ bytes to more than/,
    isLong: true,
  })),
  {
    title: "a dictionary of two billion values",
    name: "dictionary.parquet",
    build: () =>
      hostileParquet({
        rowCount: 10,
        pages: [
          dictionaryPage({ bytes: Buffer.alloc(8), valueCount: 2 ** 31 - 1 }),
          dataPage({ bytes: codes(10), valueCount: 10 }),
        ],
      }),
    refusal: /declares 2147483647 values but has only 8 bytes/,
  },
  {
    title: "100,000 row groups that refer to the same column chunk",
    name: "groups.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1e6,
        groupCount: 1e5,
        pages: [oneValue, dataPage({ bytes: codes(1e6), valueCount: 1e6 })],
      }),
    refusal: /its column chunks declare \d+ bytes, but the file has \d+/,
    isLong: true,
  },
  {
    title: "a column chunk outside the file",
    name: "outside.parquet",
    build: () => hostileParquet({ rowCount: 10, pages: [oneValue], chunkBytes: 2 ** 40 }),
    refusal: /declare 1099511627776 bytes, but the file has/,
  },
  {
    title: "a column chunk before the file",
    name: "before.parquet",
    build: () => hostileParquet({ rowCount: 10, pages: [oneValue], chunkStart: -100 }),
    refusal: /declares the bytes -100 to/,
  },
  {
    title: "a list of a billion entries in its footer",
    name: "footer.parquet",
    build: () =>
      withFooter(
        Buffer.from("PAR1"),
        struct([1, i32(1)], [2, list([struct([4, text("a")])], 2 ** 30)], [3, i64(1)]).bytes,
      ),
    refusal: /declares 1073741824 entries but only \d+ bytes follow/,
  },
  {
    title: "nested lists in its footer",
    name: "nestedFooter.parquet",
    build: () => {
      let value: Value = list([i32(1)]);
      for (let depth = 0; depth < 1_000; depth++) value = list([value]);
      return withFooter(Buffer.from("PAR1"), struct([2, value]).bytes);
    },
    refusal: /nested too deeply/,
  },
  {
    title: "a footer that is longer than the file",
    name: "longFooter.parquet",
    build: () =>
      Buffer.concat([Buffer.from("PAR1"), Buffer.from([255, 255, 255, 127]), Buffer.from("PAR1")]),
    refusal: /footer declares 2147483647 bytes of 12/,
  },
  {
    title: "a schema of two billion children",
    name: "children.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1,
        pages: [oneValue],
        schema: [
          struct([4, text("schema")], [5, i32(2 ** 31 - 1)]),
          struct([1, i32(2)], [4, text("a")]),
        ],
      }),
    refusal: /cannot be read as Parquet/,
  },
  {
    title: "a schema whose root has no children",
    name: "noChildren.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1,
        pages: [oneValue],
        schema: [struct([4, text("schema")], [5, i32(-1)]), struct([1, i32(2)], [4, text("a")])],
      }),
    refusal: /its schema has 2 elements, but its root has 1/,
  },
  {
    title: "a schema 100,000 levels deep",
    name: "deepSchema.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1,
        pages: [oneValue],
        schema: [
          struct([4, text("schema")], [5, i32(1)]),
          ...Array.from({ length: 1e5 }, () => struct([3, i32(1)], [4, text("a")], [5, i32(1)])),
          struct([1, i32(2)], [4, text("a")]),
        ],
      }),
    refusal: /cannot be read as Parquet/,
    isLong: true,
  },
  {
    title: "20,000 columns",
    name: "wide.parquet",
    build: () =>
      hostileParquet({
        rowCount: 1,
        pages: [oneValue],
        schema: [
          struct([4, text("schema")], [5, i32(20_000)]),
          ...Array.from({ length: 20_000 }, (_, index) =>
            struct([1, i32(2)], [3, i32(0)], [4, text(`c${index}`)]),
          ),
        ],
      }),
    refusal: /has 20,000 columns; a file must have at most 10,000/,
    isLong: true,
  },
];

/** Encodes values, each of which consists of the previous value and 256 more bytes. */
function prefixes(): Uint8Array {
  const valueCount = 4096;
  const step = 256;
  /**
   * Encodes a block with one mini-block. Consecutive values differ by exactly `difference`, so each value takes 0 bits.
   */
  const lengths = (first: number, difference: number): Buffer =>
    Buffer.concat([
      ...[valueCount, 1, valueCount].map(varint),
      zigzag(first),
      zigzag(difference),
      Buffer.from([0]),
    ]);
  const bytes = Buffer.concat([
    lengths(0, step),
    lengths(step, 0),
    Buffer.alloc(step * valueCount, 97),
  ]);
  return hostileParquet({
    rowCount: valueCount,
    type: 6,
    pages: [dataPage({ bytes, valueCount, encoding: 7 })],
  });
}

function zigzag(value: number): Buffer {
  return varint(value < 0 ? -2 * value - 1 : 2 * value);
}

function arrow(data: Data, name = "a"): Uint8Array {
  const schema = new Schema([new Field(name, data.type, true)]);
  const struct = makeData({
    type: new Struct(schema.fields),
    length: data.length,
    nullCount: 0,
    children: [data],
  });
  return tableToIPC(new Table([new RecordBatch(schema, struct)]), "stream");
}

function nulls(length: number): Data<Null> {
  return makeData({ type: new Null(), length });
}

/** Compresses a column of numbers, whose buffer declares another size. */
const packedArrow = (codec: CompressionType, declaredBytes: bigint) => {
  const data = makeData({ type: new Int32(), length: 1000, data: new Int32Array(1000) });
  return arrowFile({ a: data }, { codec, declaredBytes });
};

const arrowFiles: readonly AmplifyingFile[] = [
  {
    title: "a buffer that declares a terabyte, compressed with LZ4",
    name: "terabyte.arrow",
    build: () => packedArrow(CompressionType.LZ4_FRAME, 2n ** 40n),
    refusal: /unpacks from [\d,]+ bytes to more than/,
  },
  {
    title: "a buffer that declares a terabyte, compressed with Zstandard",
    name: "terabyte.feather",
    build: () => packedArrow(CompressionType.ZSTD, 2n ** 40n),
    refusal: /unpacks from [\d,]+ bytes to more than/,
  },
  {
    title: "a buffer that declares fewer bytes than it has, compressed with LZ4",
    name: "fewer.arrow",
    build: () => packedArrow(CompressionType.LZ4_FRAME, 100n),
    refusal: /not a valid LZ4 frame/,
  },
  {
    title: "a buffer that declares fewer bytes than it has, compressed with Zstandard",
    name: "fewer.feather",
    build: () => packedArrow(CompressionType.ZSTD, 100n),
    refusal: /cannot be read as Arrow/,
  },
  {
    title: "a buffer that declares more bytes than it has, compressed with Zstandard",
    name: "more.feather",
    build: () => packedArrow(CompressionType.ZSTD, 10_000n),
    refusal: /declares 10000 bytes but has 4000/,
  },
  {
    title: "5 million rows without bytes",
    name: "nulls.arrow",
    build: () => arrow(nulls(5e6)),
    refusal: undefined,
    isLong: true,
  },
  {
    title: "400 million rows without bytes",
    name: "moreNulls.arrow",
    build: () => arrow(nulls(4e8)),
    refusal: /unpacks from [\d,]+ bytes to more than/,
  },
  {
    title: "offsets that give every second row a megabyte",
    name: "offsets.arrow",
    build: () => {
      const length = 100_000;
      const valueOffsets = Int32Array.from({ length: length + 1 }, (_, row) =>
        row % 2 === 1 ? 2 ** 20 : 0,
      );
      const values = Buffer.alloc(2 ** 20, 97);
      return arrow(makeData({ type: new Utf8(), length, valueOffsets, data: values }));
    },
    refusal: /decreasing offsets/,
  },
  {
    title: "offsets after the values",
    name: "far.arrow",
    build: () =>
      arrow(
        makeData({
          type: new Utf8(),
          length: 1,
          valueOffsets: Int32Array.of(0, 2 ** 30),
          data: Buffer.from("abc"),
        }),
      ),
    refusal: /an offset after its values|cannot be read as Arrow/,
  },
  {
    title: "lists of two billion nulls",
    name: "fixedLists.arrow",
    build: () =>
      arrow(
        makeData({
          type: new FixedSizeList(2 ** 31 - 1, new Field("item", new Null(), true)),
          length: 1,
          child: nulls(2 ** 31 - 1),
        }),
      ),
    refusal: /unpacks from [\d,]+ bytes to more than|cannot be read as Arrow/,
  },
  {
    title: "structures 500 levels deep",
    name: "deep.arrow",
    build: () => {
      let data: Data = makeData({ type: new Int32(), length: 1, data: Int32Array.of(1) });
      for (let depth = 0; depth < 500; depth++) {
        const type: DataType = new Struct([new Field("a", data.type, true)]);
        data = makeData({ type: type as Struct, length: 1, nullCount: 0, children: [data] });
      }
      return arrow(data);
    },
    refusal: /nested too deeply|cannot be read as Arrow/,
  },
  {
    title: "codes outside their dictionary",
    name: "codes.arrow",
    build: () => {
      const values = makeData({
        type: new Utf8(),
        length: 1,
        valueOffsets: Int32Array.of(0, 1),
        data: Buffer.from("x"),
      });
      return arrow(
        makeData({
          type: new Dictionary(new Utf8(), new Int32(), 1),
          length: 2,
          data: Int32Array.of(0, 2 ** 30),
          dictionary: new Vector([values]),
        }),
      );
    },
    refusal: /a value that its dictionary does not have/,
  },
  {
    title: "20,000 columns",
    name: "wide.arrow",
    build: () => {
      const fields = Array.from(
        { length: 20_000 },
        (_, index) => new Field(`c${index}`, new Null()),
      );
      const data = makeData({
        type: new Struct(fields),
        length: 1,
        nullCount: 0,
        children: fields.map(() => nulls(1)),
      });
      return tableToIPC(new Table([new RecordBatch(new Schema(fields), data)]), "stream");
    },
    refusal: /has 20,000 columns; a file must have at most 10,000/,
    isLong: true,
  },
  {
    title: "metadata of two billion bytes",
    name: "metadata.arrow",
    build: () =>
      Buffer.concat([Buffer.from([255, 255, 255, 255, 255, 255, 255, 127]), Buffer.alloc(64)]),
    refusal: /cannot be read as Arrow/,
  },
];

const textFiles: readonly AmplifyingFile[] = [
  {
    title: "20,000 columns with the same name",
    name: "duplicates.csv",
    build: () => `${Array.from({ length: 20_000 }, () => "a").join(",")}\n`,
    refusal: /has 20,000 columns; a file must have at most 10,000/,
  },
  {
    title: "9,000 columns with the same name",
    name: "manyDuplicates.csv",
    build: () => `${Array.from({ length: 9000 }, () => "a").join(",")}\n`,
    refusal: undefined,
  },
  {
    title: "a header of separators only",
    name: "separators.csv",
    build: () => `${",".repeat(200_000)}\n1\n`,
    refusal: /has [\d,]+ columns; a file must have at most 10,000/,
  },
  {
    title: "one endless quoted cell",
    name: "quoted.csv",
    build: () => `a,b\n1,"${"x\n".repeat(1e7)}`,
    refusal: /line 2 is longer than 1,048,576 characters/,
    isLong: true,
  },
  {
    title: "a gigabyte of zeros, gzipped",
    name: "zeros.csv.gz",
    build: () => gzipSync(Buffer.alloc(2 ** 30), { level: 1 }),
    refusal: /is longer than 1,048,576 characters|is not valid utf-8/,
    isLong: true,
  },
  {
    title: "rows of two gigabytes, gzipped to a megabyte",
    name: "rows.csv.gz",
    build: () => gzipOfRows(2 ** 31),
    refusal: /unpacks from [\d,]+ bytes to more than/,
    isLong: true,
  },
  {
    title: "a million nested arrays",
    name: "deep.json",
    build: () => `[{"a":${"[".repeat(5e5)}${"]".repeat(5e5)}}]`,
    refusal: /nested too deeply/,
  },
  {
    title: "different members in every object",
    name: "members.jsonl",
    build: () =>
      Array.from({ length: 100_000 }, (_, index) => `{"m${index}":1,"n${index}":2}`).join("\n"),
    refusal: /columns; a file must have at most 10,000/,
    isLong: true,
  },
  {
    title: "a member whose name has a million characters",
    name: "longMember.json",
    build: () => `[{"${"x".repeat(1e6)}":1}]`,
    refusal: /the name of a column must have at most 500 characters, not 1,000,000/,
  },
  {
    title: "a member whose name has a lone surrogate",
    name: "surrogate.json",
    build: () => '[{"\\udfff":1}]',
    refusal: /must not contain NUL or lone surrogates/,
  },
  {
    title: "an endless JSON string",
    name: "endless.json",
    build: () => `[{"a":"${"x".repeat(2e7)}`,
    refusal: /line 1 has a value of more than/,
  },
  {
    title: "a number of a million digits",
    name: "digits.json",
    build: () => `[{"a":${"9".repeat(1e6)}}]`,
    refusal: undefined,
  },
];

/**
 * Creates a gzip file in which a member is repeated, because a single member can be compressed at most a thousandfold.
 */
function gzipOfRows(sizeBytes: number): Uint8Array {
  const block = gzipSync(Buffer.from("1,2\n".repeat(2 ** 20)), { level: 9 });
  const count = Math.ceil(sizeBytes / 2 ** 22);
  return Buffer.concat([gzipSync("a,b\n"), ...Array.from({ length: count }, () => block)]);
}

const head =
  '<row r="1"><c r="A1" t="str"><v>a</v></c></row><row r="2"><c r="A2"><v>1</v></c></row>';

const xlsxFiles: readonly AmplifyingFile[] = [
  {
    title: "200 sheets that refer to the same part",
    name: "sheets.xlsx",
    build: () =>
      workbook({
        sheets: Array.from({ length: 200 }, () => "worksheets/one.xml"),
        parts: { "xl/worksheets/one.xml": `<sheetData>${"<row/>".repeat(2.7e6)}</sheetData>` },
      }),
    refusal: /several of its sheets refer to the same part/,
    isLong: true,
  },
  {
    title: "200 sheets of 16 MiB each",
    name: "largeSheets.xlsx",
    build: () => {
      const names = Array.from({ length: 200 }, (_, index) => `worksheets/s${index}.xml`);
      const part = `<sheetData>${"<row/>".repeat(2.7e6)}</sheetData>`;
      return workbook({
        sheets: names,
        parts: Object.fromEntries(names.map((each) => [`xl/${each}`, part])),
      });
    },
    refusal: /unpacks from [\d,]+ bytes to more than|rows before it/,
    isLong: true,
  },
  {
    title: "entities that expand each other",
    name: "entities.xlsx",
    build: () =>
      workbook({
        sheets: ["worksheets/a.xml"],
        parts: {
          "xl/worksheets/a.xml":
            '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>' +
            '<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>&b;</v></c></row></sheetData></worksheet>',
        },
      }),
    refusal: /damaged or truncated XML/,
  },
  {
    title: "millions of empty shared strings",
    name: "strings.xlsx",
    build: () =>
      workbook({
        sheets: ["worksheets/a.xml"],
        parts: {
          "xl/worksheets/a.xml": `<sheetData>${head}</sheetData>`,
          "xl/sharedStrings.xml": `<sst>${"<si/>".repeat(3e6)}</sst>${" ".repeat(1000)}`,
        },
      }),
    refusal: /unpacks from [\d,]+ bytes to more than|like a zip bomb/,
    isLong: true,
  },
  {
    title: "a million merged ranges",
    name: "merged.xlsx",
    build: () =>
      writeBook({
        sheets: {
          A: `<sheetData>${head}</sheetData><mergeCells>${'<mergeCell ref="A1:B2"/>'.repeat(5e5)}</mergeCells>`,
        },
      }),
    refusal: undefined,
    isLong: true,
  },
  {
    title: "a million styles of cells",
    name: "styles.xlsx",
    build: () =>
      workbook({
        sheets: ["worksheets/a.xml"],
        parts: {
          "xl/worksheets/a.xml": `<sheetData>${head}</sheetData>`,
          "xl/styles.xml": `<styleSheet><cellXfs>${'<xf numFmtId="1"/>'.repeat(8e5)}</cellXfs></styleSheet>`,
        },
      }),
    refusal: /has more than 65,536 cell styles/,
    isLong: true,
  },
  {
    title: "a number format of unclosed brackets",
    name: "format.xlsx",
    build: () =>
      workbook({
        sheets: ["worksheets/a.xml"],
        parts: {
          "xl/worksheets/a.xml": `<sheetData>${head}</sheetData>`,
          "xl/styles.xml":
            `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${"[".repeat(1e6)}"/></numFmts>` +
            '<cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>',
        },
      }),
    refusal: undefined,
  },
  {
    title: "a header with as many columns as Excel allows",
    name: "wide.xlsx",
    build: () =>
      writeBook({
        sheets: { A: '<sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData>' },
      }),
    refusal: /has 16,384 columns; a file must have at most 10,000/,
  },
  {
    title: "a cell outside the columns of Excel",
    name: "outside.xlsx",
    build: () =>
      writeBook({
        sheets: { A: '<sheetData><row r="1"><c r="ZZZZZZ1"><v>1</v></c></row></sheetData>' },
      }),
    refusal: /a cell outside the columns of Excel/,
  },
  {
    title: "overlapping entries",
    name: "overlap.xlsx",
    build: overlapping,
    refusal: /unpacks from [\d,]+ bytes to more than|rows before it/,
    // A million rows are read before this file is refused. Other archives test the limits with fewer rows.
    isLong: true,
  },
];

interface Workbook {
  /** The path of the part to which each sheet refers. */
  readonly sheets: readonly string[];
  readonly parts: Readonly<Record<string, string>>;
}

function workbook({ sheets, parts }: Workbook): Uint8Array {
  const listed = sheets.map((_, index) => `<sheet name="S${index}" r:id="r${index}"/>`).join("");
  const targets = sheets.map(
    (target, index) => `<Relationship Id="r${index}" Target="${target}"/>`,
  );
  return writeZip({
    "xl/workbook.xml": `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${listed}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${targets.join("")}</Relationships>`,
    ...parts,
  });
}

/** Creates an archive whose directory has many names for the same compressed part of 14 MiB. */
function overlapping(): Uint8Array {
  const content = Buffer.from(`<sheetData>${"<row/>".repeat(2.3e6)}</sheetData>`);
  const names = Array.from({ length: 100 }, (_, index) => `worksheets/s${index}.xml`);
  const whole = Buffer.from(
    workbook({
      sheets: names,
      parts: { [`xl/${names[0]!}`]: content.toString() },
    }),
  );
  const directoryAt = whole.readUInt32LE(whole.length - 6);
  const directory = whole.subarray(directoryAt, whole.length - 22);
  const entryAt = directory.lastIndexOf(Buffer.from("PK\x01\x02"));
  const entry = directory.subarray(entryAt);
  const more = names.slice(1).map((name) => {
    const copy = Buffer.from(entry.subarray(0, 46));
    const own = Buffer.from(`xl/${name}`);
    copy.writeUInt16LE(own.length, 28);
    return Buffer.concat([copy, own]);
  });
  const all = Buffer.concat([directory, ...more]);
  const end = Buffer.from(whole.subarray(whole.length - 22));
  end.writeUInt16LE(2 + names.length, 8);
  end.writeUInt16LE(2 + names.length, 10);
  end.writeUInt32LE(all.length, 12);
  return Buffer.concat([whole.subarray(0, directoryAt), all, end]);
}

/** Small files of each format that could be expensive to parse. */
export const amplifyingFiles: readonly AmplifyingFile[] = [
  ...parquetFiles,
  ...arrowFiles,
  ...textFiles,
  ...xlsxFiles,
];
