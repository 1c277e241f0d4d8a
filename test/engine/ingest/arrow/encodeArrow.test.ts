import { zstdCompressSync } from "node:zlib";
import * as assert from "uvu/assert";
import {
  Binary,
  Bool,
  compressionRegistry,
  CompressionType,
  DataType,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  DurationSecond,
  Field,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  LargeUtf8,
  List,
  makeData,
  Null,
  RecordBatch,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  tableFromArrays,
  tableToIPC,
  TimeMillisecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { EngineError } from "../../../../engine/index.ts";
import { checkArrow } from "../../../../engine/ingest/arrow/checkArrow.ts";
import { encodeArrow, type ArrowOptions } from "../../../../engine/ingest/arrow/encodeArrow.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { compressLz4 } from "../../kernels/compressPlainly.ts";
import { plainColumns } from "../plainEncode.ts";

const seed = Number(process.env["SEED"] ?? 20261123);

function refusal(bytes: Uint8Array, options?: ArrowOptions): EngineError {
  try {
    encodeArrow(bytes, options);
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("not refused");
}

/** Returns an Arrow stream with the vector as its only column `c`. */
const streamOf = (vector: Vector) => tableToIPC(new Table({ c: vector }), "stream");

/** Returns the type and the cells of a file's only column. */
function columnOf(bytes: Uint8Array, options?: ArrowOptions) {
  const batches = encodeArrow(bytes, options).map((batch) => plainColumns(batch)[0]);
  return {
    type: batches[0].type,
    isDate: batches[0].isDate,
    cells: batches.flatMap(({ cells }) => cells),
  };
}

interface Kind {
  readonly type: DataType;
  readonly value: (random: Random) => unknown;
  /** Returns the expected cell for a value. */
  readonly cell: (value: never) => number | string;
}

const whole = (low: number, high: number) => (random: Random) =>
  low + Math.floor((random.below(2 ** 31) / 2 ** 31) * (high - low + 1));
const same = (value: number) => value;
const text = (value: string) => value;
const words = [
  "",
  "a",
  "Zürich",
  "日本",
  "😀 smile",
  "a text that is longer than twelve bytes",
  "x".repeat(300),
];
const big = (bound: number) => (random: Random) => BigInt(whole(-bound, bound)(random));

/** Returns a 128-bit decimal as four words. */
function decimalWords(value: bigint): Uint32Array {
  return Uint32Array.from([0n, 32n, 64n, 96n], (shift) => Number((value >> shift) & 0xffffffffn));
}

const kinds: Readonly<Record<string, Kind>> = {
  int8: { type: new Int8(), value: whole(-128, 127), cell: same },
  int16: { type: new Int16(), value: whole(-32_768, 32_767), cell: same },
  int32: { type: new Int32(), value: whole(-(2 ** 31), 2 ** 31 - 1), cell: same },
  int64: { type: new Int64(), value: big(2 ** 53 - 1), cell: (value: bigint) => Number(value) },
  uint8: { type: new Uint8(), value: whole(0, 255), cell: same },
  uint16: { type: new Uint16(), value: whole(0, 65_535), cell: same },
  uint32: { type: new Uint32(), value: whole(0, 2 ** 32 - 1), cell: same },
  uint64: {
    type: new Uint64(),
    value: (random) => BigInt(whole(0, 2 ** 53 - 1)(random)),
    cell: (value: bigint) => Number(value),
  },
  float16: { type: new Float16(), value: (random) => random.below(2000) / 8 - 100, cell: same },
  float32: {
    type: new Float32(),
    value: (random) => Math.fround(random.below(1e6) / 7),
    cell: same,
  },
  float64: { type: new Float64(), value: (random) => random.below(1e9) / 7, cell: same },
  bool: {
    type: new Bool(),
    value: (random) => random.chance(0.5),
    cell: (value: boolean) => Number(value),
  },
  dateDay: {
    type: new DateDay(),
    value: (random) => new Date(whole(-40_000, 40_000)(random) * 86_400_000),
    cell: (value: Date) => value.getTime(),
  },
  dateMillisecond: {
    type: new DateMillisecond(),
    value: (random) => new Date(whole(-40_000, 40_000)(random) * 86_400_000),
    cell: (value: Date) => value.getTime(),
  },
  timestampSecond: {
    type: new TimestampSecond(),
    value: (random) => whole(-1e9, 2e9)(random) * 1000,
    cell: same,
  },
  timestampMillisecond: {
    type: new TimestampMillisecond("Europe/Brussels"),
    value: whole(-1e12, 2e12),
    cell: same,
  },
  timestampMicrosecond: { type: new TimestampMicrosecond(), value: whole(-1e12, 2e12), cell: same },
  timestampNanosecond: { type: new TimestampNanosecond(), value: whole(-9e9, 9e9), cell: same },
  utf8: { type: new Utf8(), value: (random) => random.pick(words), cell: text },
  largeUtf8: { type: new LargeUtf8(), value: (random) => random.pick(words), cell: text },
  utf8View: { type: new Utf8View(), value: (random) => random.pick(words), cell: text },
  dictionary: {
    type: new Dictionary(new Utf8(), new Int32()),
    value: (random) => random.pick(words),
    cell: text,
  },
  dictionary8: {
    type: new Dictionary(new Utf8(), new Uint8()),
    value: (random) => random.pick(words),
    cell: text,
  },
  dictionaryOfNumbers: {
    type: new Dictionary(new Float64(), new Int16()),
    value: (random) => random.below(5) / 4,
    cell: same,
  },
};

/** Returns an LZ4 frame of consecutive blocks of 64 KB. */
function lz4Frame(bytes: Uint8Array, random: Random): Uint8Array {
  const word = (value: number) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);
  const frame = [...word(0x184d2204), 0x60, 0x40, 0];
  for (let from = 0; from < bytes.length; from += 65_536) {
    const block = compressLz4(bytes.subarray(from, from + 65_536), random);
    frame.push(...word(block.length), ...block);
  }
  return Uint8Array.from([...frame, 0, 0, 0, 0]);
}

/** Returns the number of rows of each piece into which a batch is divided. */
function piecesOf(rowCount: number, pieceRows: number): readonly number[] {
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(rowCount / pieceRows)) },
    (_, piece) => piece * pieceRows,
  );
  return starts.map((start) => Math.min(pieceRows, rowCount - start));
}

const typeOf = (name: string) =>
  /date|timestamp/.test(name)
    ? "datetime"
    : /utf8|dictionary8|dictionary$/i.test(name)
      ? "text"
      : "number";

suite("engine/ingest/arrow/encodeArrow", (test) => {
  for (const [name, kind] of Object.entries(kinds))
    test(`encoding a column of ${name} keeps every value and every null`, () => {
      for (let index = 0; index < rounds({ quick: 8, deep: 20 }); index++) {
        const random = createRandom(seed + index);
        const share = random.pick([0, 0.3, 1]);
        const values = Array.from({ length: 1 + random.below(60) }, () =>
          random.chance(share) ? null : kind.value(random),
        );
        const expected = values.map((value) => (value === null ? null : kind.cell(value as never)));
        const vector = vectorFromArray(values, kind.type);
        for (const format of ["stream", "file"] as const) {
          const found = columnOf(tableToIPC(new Table({ c: vector }), format));
          assert.equal(found.cells, expected, `SEED=${seed + index} ${format}`);
          const pieces = columnOf(tableToIPC(new Table({ c: vector }), format), { pieceRows: 7 });
          assert.equal(pieces.cells, expected, `SEED=${seed + index} ${format} in pieces`);
          assert.is(found.type, typeOf(name));
          assert.is(
            found.isDate,
            name.startsWith("date") && expected.some((cell) => cell !== null),
          );
        }
      }
    });

  test("timestamps in every unit are rounded down to milliseconds", () => {
    const of = (type: DataType, values: readonly bigint[]) =>
      columnOf(
        streamOf(
          new Vector([
            makeData({ type, length: values.length, data: BigInt64Array.from(values) } as never),
          ]),
        ),
      ).cells;
    assert.equal(
      of(new TimestampNanosecond(), [
        -1n,
        999_999n,
        1_000_000n,
        -1_000_000n,
        1_700_000_000_123_456_789n,
        -1_700_000_000_123_456_789n,
      ]),
      [-1, 0, 1, -1, 1_700_000_000_123, -1_700_000_000_124],
    );
    assert.equal(
      of(new TimestampMicrosecond(), [
        -1n,
        999n,
        1000n,
        8_640_000_000_000_000_999n,
        -8_640_000_000_000_000_000n,
      ]),
      [-1, 0, 1, 8.64e15, -8.64e15],
    );
    assert.equal(of(new TimestampSecond(), [-1n, 8_640_000_000_000n]), [-1000, 8.64e15]);
    assert.throws(
      () => of(new TimestampSecond(), [1n, 8_640_000_000_001n]),
      /row 2, column 1 \(c\): a datetime beyond/,
    );
  });

  test("decimals are converted to the nearest double, whatever their sign and scale", () => {
    const random = createRandom(seed);
    for (const scale of [0, 2, 10, 38, -2]) {
      const values = Array.from({ length: 200 }, () => {
        let value = BigInt(random.below(2 ** 31));
        while (random.chance(0.5)) value = (value << 24n) + BigInt(random.below(2 ** 24));
        return BigInt.asIntN(127, random.chance(0.5) ? -value : value);
      }).filter((value) => {
        const double = Math.abs(Number(`${value}e${-scale}`));
        return Number.isSafeInteger(double) || !Number.isInteger(double) || double >= 1e21;
      });
      const data = Uint32Array.from(values.flatMap((value) => [...decimalWords(value)]));
      const type = new Decimal(scale, 38, 128);
      const found = columnOf(
        streamOf(new Vector([makeData({ type, length: values.length, data })])),
      );
      assert.ok(values.length > 50);
      assert.equal(
        found.cells,
        values.map((value) => Number(`${value}e${-scale}`) + 0),
        `SEED=${seed} scale ${scale}`,
      );
    }
  });

  test("integers beyond 2^53, NaN and infinities are rejected, and the error names the row", () => {
    const message = (vector: Vector) => refusal(streamOf(vector)).message;
    assert.match(
      message(vectorFromArray([1n, 2n ** 53n], new Int64())),
      /row 2, column 1 \(c\): a whole number beyond 2\^53/,
    );
    assert.match(message(vectorFromArray([-(2n ** 53n)], new Int64())), /beyond 2\^53/);
    assert.match(message(vectorFromArray([null, 2n ** 63n], new Uint64())), /row 2.*beyond 2\^53/);
    assert.match(
      message(vectorFromArray([1, NaN], new Float64())),
      /row 2.*must be a finite number or null/,
    );
    assert.match(
      message(vectorFromArray([Infinity], new Float32())),
      /must be a finite number or null/,
    );
    assert.match(
      message(
        new Vector([
          makeData({
            type: new Decimal(0, 38, 128),
            length: 1,
            data: decimalWords(2n ** 53n + 1n),
          }),
        ]),
      ),
      /beyond 2\^53/,
    );
    assert.ok(
      columnOf(streamOf(vectorFromArray([-0], new Float64()))).cells.every((cell) =>
        Object.is(cell, 0),
      ),
    );
  });

  test("a column of an unsupported type is rejected with its name and type, unless the caller leaves the column out", () => {
    const types: readonly (readonly [DataType, RegExp])[] = [
      [new TimeMillisecond(), /the column odd is of the type Time/],
      [new DurationSecond(), /Duration/],
      [new Binary(), /Binary/],
      [new List(new Field("item", new Int32())), /List/],
      [new Struct([new Field("x", new Int32())]), /\{x/],
      [new Dictionary(new Binary(), new Int32()), /Binary/],
    ];
    for (const [type, reason] of types) {
      const schema = new Schema([new Field("odd", type), new Field("even", new Int32())]);
      const bytes = tableToIPC(new Table(schema), "stream");
      const { code, message } = refusal(bytes);
      assert.is(code, "INGEST_UNSUPPORTED");
      assert.match(message, reason);
      assert.equal(
        encodeArrow(bytes, { columns: [{ name: "even", type: "number" }] })[0].columns.map(
          ({ name }) => name,
        ),
        ["even"],
      );
    }
  });

  test("the list of requested columns selects, renames and converts the file's columns", () => {
    const bytes = tableToIPC(
      new Table({
        n: vectorFromArray([1.5, null], new Float64()),
        d: vectorFromArray(["2024-01-31", "2024-01-31T10:00:00+01:00"], new Utf8()),
        e: vectorFromArray([null, null], new Null()),
      }),
      "stream",
    );
    const fitted = plainColumns(
      encodeArrow(bytes, {
        columns: [
          { name: "id-e", source: "e", type: "number" },
          { name: "id-d", source: "d", type: "datetime" },
          { name: "id-n", source: "n", type: "text" },
        ],
      })[0],
    );
    assert.equal(fitted, [
      { name: "id-e", type: "number", isDate: false, cells: [null, null] },
      {
        name: "id-d",
        type: "datetime",
        isDate: false,
        cells: [Date.UTC(2024, 0, 31), Date.UTC(2024, 0, 31, 9)],
      },
      { name: "id-n", type: "text", isDate: false, cells: ["1.5", null], dictionary: ["1.5"] },
    ]);
    const message = (name: string, type: "number" | "datetime" | "text") =>
      refusal(bytes, { columns: [{ name, type }] }).message;
    assert.match(
      message("n", "datetime"),
      /the column n is a column of numbers, .* takes datetimes/,
    );
    assert.match(message("d", "number"), /the column d is a column of strings, .* takes numbers/);
    assert.match(message("x", "text"), /it has no column "x"; its columns: "n", "d", "e"/);
    assert.match(
      refusal(streamOf(vectorFromArray(["2024-01-31", "x"], new Utf8())), {
        columns: [{ name: "c", type: "datetime" }],
      }).message,
      /row 2, column 1 \(c\): must be an ISO date-time or null, not another string/,
    );
  });

  test("record batches are encoded in order, and together contain all rows", () => {
    const batches = [3, 0, 5, 1, 4].map(
      (length, index) =>
        new Table({
          n: vectorFromArray(
            Array.from({ length }, (_, row) => index * 10 + row),
            new Float64(),
          ),
          s: vectorFromArray(
            Array.from({ length }, (_, row) => `t${row % 2}`),
            new Utf8(),
          ),
        }),
    );
    const bytes = tableToIPC(
      batches.reduce((all, each) => all.concat(each)),
      "stream",
    );
    const whole = encodeArrow(bytes);
    assert.equal(
      whole.flatMap((batch) => plainColumns(batch)[0].cells),
      batches.flatMap((each) => [...(each.getChild("n") ?? [])]),
    );
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const partCount of [2, 3, 7]) {
      const parts = Array.from({ length: partCount }, (_, part) =>
        encodeArrow(shared, { part, partCount }),
      );
      assert.equal(
        whole.map((_, index) =>
          plainColumns(parts[index % partCount][Math.floor(index / partCount)]),
        ),
        whole.map(plainColumns),
      );
    }
  });

  test("the pieces of a record batch together contain all its rows, and errors count rows in the whole batch", () => {
    const values = Array.from({ length: 50 }, (_, row) => (row === 40 ? NaN : row));
    const table = new Table({ n: vectorFromArray(values, new Float64()) });
    const bytes = tableToIPC(table, "stream");
    const parts = Array.from({ length: 2 }, (_, part) =>
      encodeArrow(bytes.slice(), { part, partCount: 5, pieceRows: 9 }).map(plainColumns),
    );
    assert.equal(
      parts.map((batches) => batches.map(([{ cells }]) => cells)),
      [[values.slice(0, 9), values.slice(45)], [values.slice(9, 18)]],
    );
    const { details } = refusal(bytes, { part: 4, partCount: 5, pieceRows: 9 });
    assert.is(details[0], 41);
  });

  test("pieces with more rows than a decoding step handles keep every value, string and null", () => {
    const random = createRandom(seed);
    const rowCount = 70_000;
    const cellsOf = <Value>(value: () => Value) =>
      Array.from({ length: rowCount }, () => (random.chance(0.1) ? null : value()));
    const numbers = cellsOf(() => random.below(1e9));
    const texts = cellsOf(() => `t${random.below(50_000)}`);
    const entries = cellsOf(() => `e${random.below(5_000)}`);
    const table = new Table({
      n: vectorFromArray(numbers, new Int32()),
      s: vectorFromArray(texts, new Utf8()),
      d: vectorFromArray(entries, new Dictionary(new Utf8(), new Uint16())),
    });
    const batches = encodeArrow(tableToIPC(table, "stream"), { pieceRows: 40_001 });
    assert.equal(
      batches.map(({ rowCount: each }) => each),
      [40_001, 29_999],
    );
    assert.equal(
      batches.map(({ firstRow }) => firstRow),
      [0, 40_001],
    );
    const found = batches.map(plainColumns);
    for (const [column, expected] of [numbers, texts, entries].entries()) {
      const cells = found.flatMap((columns) => columns[column].cells);
      assert.is(
        cells.findIndex((cell, row) => cell !== expected[row]),
        -1,
        `SEED=${seed} ${column}`,
      );
      assert.is(cells.length, rowCount);
    }
  });

  test("compressed record batches decode to the same columns as uncompressed batches", () => {
    const type = new Dictionary(new Utf8(), new Int32(), 3);
    const dictionary = vectorFromArray(words, new Utf8());
    const batches = [300, 0, 70, 1].map((length, batch) => {
      const rows = Array.from({ length }, (_, row) => batch * 1000 + row);
      return new Table({
        n: vectorFromArray(
          rows.map((row) => (row % 7 === 0 ? null : row)),
          new Float64(),
        ),
        s: vectorFromArray(
          rows.map((row) => (row % 5 === 0 ? null : words[row % words.length])),
          new Utf8(),
        ),
        d: new Vector([
          makeData({
            type,
            length,
            data: Int32Array.from(rows, (row) => row % words.length),
            dictionary,
          }),
        ]),
      });
    });
    const table = batches.reduce((all, each) => all.concat(each));
    const random = createRandom(seed);
    const codecs = [
      [CompressionType.ZSTD, (bytes: Uint8Array) => zstdCompressSync(bytes)],
      [CompressionType.LZ4_FRAME, (bytes: Uint8Array) => lz4Frame(bytes, random)],
    ] as const;
    for (const Writer of [RecordBatchStreamWriter, RecordBatchFileWriter]) {
      const plainBytes = new Writer().writeAll(table.batches).toUint8Array(true);
      const plain = encodeArrow(plainBytes).map(plainColumns);
      assert.is(plain.flatMap(([{ cells }]) => cells).length, 371);
      for (const [compressionType, encode] of codecs) {
        // Earlier reads have registered codecs that can only decompress, so the test registers a codec that can
        // compress.
        compressionRegistry.set(compressionType, { encode, decode: (bytes) => bytes });
        const bytes = new Writer({ compressionType }).writeAll(table.batches).toUint8Array(true);
        const { isFile, messages } = checkArrow(bytes);
        assert.is(isFile, Writer === RecordBatchFileWriter);
        const sizes = [...messages].filter(({ kind }) => kind === "batch");
        assert.equal(
          sizes.map(({ isCompressed, rowCount }) => [isCompressed, rowCount]),
          table.batches.map(({ numRows }) => [true, numRows]),
        );
        assert.equal(encodeArrow(bytes).map(plainColumns), plain);
        const parts = Array.from({ length: sizes.length + 1 }, (_, part) =>
          encodeArrow(bytes, { part, partCount: 2 ** 31, pieceRows: 90 }),
        );
        assert.equal(
          parts.map((part) => part.map(({ rowCount }) => rowCount)),
          [...sizes.map(({ rowCount }) => piecesOf(rowCount, 90)), []],
        );
        const cells = parts.flat().map(plainColumns);
        for (const column of [0, 1, 2])
          assert.equal(
            cells.flatMap((columns) => columns[column].cells),
            plain.flatMap((columns) => columns[column].cells),
          );
      }
    }
  });

  test("damaged bytes in compressed batches are rejected or decoded, and never cause another error", () => {
    const random = createRandom(seed);
    const table = tableFromArrays({
      n: Float64Array.from({ length: 500 }, (_, row) => row % 10),
      s: Array.from({ length: 500 }, (_, row) => words[row % words.length]),
    });
    let refused = 0;
    for (const [compressionType, encode] of [
      [CompressionType.ZSTD, (bytes: Uint8Array) => zstdCompressSync(bytes)],
      [CompressionType.LZ4_FRAME, (bytes: Uint8Array) => lz4Frame(bytes, random)],
    ] as const) {
      compressionRegistry.set(compressionType, { encode, decode: (bytes) => bytes });
      const bytes = new RecordBatchStreamWriter({ compressionType })
        .writeAll(table.batches)
        .toUint8Array(true);
      for (let index = 0; index < rounds({ quick: 100, deep: 300 }); index++)
        try {
          encodeArrow(bytes.with(random.below(bytes.length), random.below(256)));
        } catch (error) {
          assert.instance(error, EngineError, `SEED=${seed} ${index}`);
          refused++;
        }
    }
    assert.ok(refused > rounds({ quick: 30, deep: 100 }), `${refused} refused`);
  });

  test("a dictionary that grows or is replaced within a stream applies to all later batches", () => {
    const type = new Dictionary(new Utf8(), new Int32(), 7);
    const first = vectorFromArray(["a", "b"], new Utf8());
    const more = vectorFromArray(["c", null, "a"], new Utf8());
    const other = vectorFromArray(["x", "b", "y"], new Utf8());
    const schema = new Schema([new Field("d", type, true)]);
    const writer = new RecordBatchStreamWriter({ autoDestroy: false });
    for (const [dictionary, indices] of [
      [first, [1, 0, 1]],
      [new Vector([...first.data, ...more.data]), [4, 3, 2, 1, 0]],
      [other, [2, 0, 1]],
    ] as const) {
      const data = makeData({
        type,
        length: indices.length,
        data: Int32Array.from(indices),
        dictionary,
      });
      const children = [data];
      const struct = new Struct(schema.fields);
      writer.write(
        new RecordBatch(schema, makeData({ type: struct, length: indices.length, children })),
      );
    }
    writer.finish();
    const bytes = writer.toUint8Array(true);
    assert.equal(
      Array.from(checkArrow(bytes).messages, ({ kind, isDelta }) => (isDelta ? "delta" : kind)),
      ["schema", "dictionary", "batch", "delta", "batch", "dictionary", "batch"],
    );
    const expected = [
      ["b", "a", "b"],
      ["a", null, "c", "b", "a"],
      ["y", "x", "b"],
    ];
    assert.equal(
      encodeArrow(bytes).map((batch) => plainColumns(batch)[0].cells),
      expected,
    );
    for (const [part, cells] of expected.entries())
      assert.equal(
        encodeArrow(bytes, { part, partCount: 2 ** 31 }).map((each) => plainColumns(each)[0].cells),
        [cells],
      );
  });

  test("the error for an index outside the dictionary names the column", () => {
    const indicesOf: readonly (readonly [
      Dictionary["indices"],
      (index: number) => ArrayBufferView,
    ])[] = [
      [new Int8(), (index) => Int8Array.of(1, index)],
      [new Uint8(), (index) => Uint8Array.of(1, index)],
      [new Int16(), (index) => Int16Array.of(1, index)],
      [new Uint16(), (index) => Uint16Array.of(1, index)],
      [new Int32(), (index) => Int32Array.of(1, index)],
      [new Int64() as never, (index) => BigInt64Array.of(1n, BigInt(index))],
    ];
    for (const [indices, storedOf] of indicesOf)
      for (const values of [
        vectorFromArray(["a", "b"], new Utf8()),
        vectorFromArray([1, 2], new Float64()),
      ])
        for (const index of [2, 100]) {
          const type = new Dictionary(values.type, indices);
          const data = makeData({
            type,
            length: 2,
            data: storedOf(index) as never,
            dictionary: values,
          });
          assert.match(
            refusal(streamOf(new Vector([data]))).message,
            /the column c refers to an entry that its dictionary does not have/,
          );
        }
  });

  test("a stream without batches has columns but no rows", () => {
    const schema = new Schema([new Field("n", new Int32()), new Field("s", new Utf8())]);
    const [batch] = encodeArrow(tableToIPC(new Table(schema), "stream"));
    assert.is(batch.rowCount, 0);
    assert.equal(
      batch.columns.map(({ name, column }) => [name, column.type]),
      [
        ["n", "number"],
        ["s", "text"],
      ],
    );
  });

  test("damaged bytes in an Arrow file are rejected or decoded, and never cause another error", () => {
    const random = createRandom(seed);
    const table = tableFromArrays({
      n: Float64Array.from({ length: 50 }, (_, row) => row),
      s: Array.from({ length: 50 }, (_, row) => words[row % words.length]),
      d: Array.from({ length: 50 }, (_, row) => new Date(row * 1e9)),
    });
    let refused = 0;
    for (const format of ["stream", "file"] as const) {
      const bytes = tableToIPC(table, format);
      for (let index = 0; index < rounds({ quick: 140, deep: 400 }); index++) {
        const spoilt = random.chance(0.3)
          ? bytes.slice(0, random.below(bytes.length))
          : bytes.with(random.below(bytes.length), random.below(256));
        try {
          encodeArrow(spoilt);
        } catch (error) {
          assert.instance(error, EngineError, `SEED=${seed} ${index}`);
          refused++;
        }
      }
    }
    assert.ok(refused > rounds({ quick: 30, deep: 100 }), `${refused} refused`);
  });

  test("strings that are not UTF-8 or lie outside their buffer are rejected", () => {
    const texts = (bytes: readonly number[], offsets: readonly number[]) =>
      streamOf(
        new Vector([
          makeData({
            type: new Utf8(),
            length: offsets.length - 1,
            valueOffsets: Int32Array.from(offsets),
            data: Uint8Array.from(bytes),
          }),
        ]),
      );
    assert.match(refusal(texts([0xff], [0, 1])).message, /not UTF-8/);
    assert.match(refusal(texts([0xc3, 0xa9], [0, 1, 2])).message, /not UTF-8/);
    assert.match(refusal(texts([97], [0, 50])).message, /outside its buffer/);
    assert.match(refusal(texts([97, 98], [2, 1])).message, /outside its buffer/);
  });

  test("a column whose dictionary contains only nulls is read as nulls", () => {
    const nulls = new Vector([makeData({ type: new Null(), length: 2 })]);
    const type = new Dictionary(new Null(), new Int32());
    const data = makeData({ type, length: 3, data: Int32Array.of(0, 1, 0), dictionary: nulls });
    const found = columnOf(tableToIPC(new Table({ c: new Vector([data]) }), "stream"));
    assert.equal(found.cells, [null, null, null]);
    assert.is(found.type, "text");
  });
});
