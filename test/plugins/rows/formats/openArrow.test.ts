import {
  Binary,
  BinaryView,
  Decimal,
  DenseUnion,
  Dictionary,
  DurationMicrosecond,
  Field,
  Int16,
  Int32,
  Int64,
  Int8,
  IntervalDayTime,
  IntervalMonthDayNano,
  IntervalYearMonth,
  LargeList,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimeMicrosecond,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
  type Data,
} from "apache-arrow";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { open } from "../../../../connectors/files/index.ts";
import { rowsOfBatch, type Plugin } from "../../../../plugins/protocol/index.ts";
import { openReach } from "../../../support/openReach.ts";
import { suite } from "../../../support/suite.ts";

/** A file with one column, which apache-arrow writes from raw buffers. */
function fileOf(data: Data): Uint8Array {
  const schema = new Schema([new Field("c", data.type, true)]);
  const batch = new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: data.length, children: [data] }),
  );
  const writer = new RecordBatchFileWriter();
  writer.write(batch);
  writer.finish();
  return writer.toUint8Array(true);
}

/** The types of apache-arrow do not describe the properties of all of its types. */
const dataOf = (properties: object): Data => Reflect.apply(makeData, undefined, [properties]);
const words = (values: readonly bigint[], bits: number): Uint32Array =>
  Uint32Array.from(
    values.flatMap((value) =>
      Array.from({ length: bits / 32 }, (_, index) =>
        Number((BigInt.asUintN(bits, value) >> BigInt(32 * index)) & 0xffffffffn),
      ),
    ),
  );
const decimals = (scale: number, bits: number, values: readonly bigint[]): Data =>
  dataOf({
    type: new Decimal(scale, bits === 32 ? 9 : bits === 64 ? 18 : bits === 128 ? 38 : 76, bits),
    length: values.length,
    data: words(values, bits),
  });
const strings = vectorFromArray(["a", "é", "c"], new Utf8()).data[0]!;
const dictionary = <Index extends Int8 | Int16 | Int32 | Uint8 | Uint32>(
  indices: Index,
  data: unknown,
) =>
  dataOf({
    type: new Dictionary(new Utf8(), indices),
    length: 4,
    data,
    dictionary: vectorFromArray(["x", "y"], new Utf8()),
  });
const int64s = (values: readonly bigint[]): Data =>
  dataOf({ type: new Int64(), length: values.length, data: BigInt64Array.from(values) });

const big = 9007199254740993n;
/** Columns by name, with the type and the cells that a reader of the specification expects. */
const columns: Readonly<
  Record<string, readonly [data: Data, type: string, cells: readonly unknown[]]>
> = {
  "decimal of 32 bits": [decimals(2, 32, [125n, -1n, 30n]), "numeric", [1.25, -0.01, 0.3]],
  "decimal of 64 bits": [
    decimals(1, 64, [3n, -6n, 12345678901234568n]),
    "numeric",
    [0.3, -0.6, 1234567890123456.8],
  ],
  "decimal of 128 bits": [decimals(6, 128, [50000n, -70000n]), "numeric", [0.05, -0.07]],
  "decimal of 256 bits": [decimals(3, 256, [-(10n ** 40n), 1n]), "numeric", [-1e37, 0.001]],
  "whole decimal": [
    decimals(0, 128, [big, -big, 7n]),
    "hierarchy",
    [String(big), String(-big), "7"],
  ],
  int64: [int64s([big, big - 1n]), "hierarchy", [String(big), String(big - 1n)]],
  "small int64": [int64s([-5n, 2n ** 53n - 1n]), "numeric", [-5, 2 ** 53 - 1]],
  uint64: [
    dataOf({ type: new Uint64(), length: 2, data: BigUint64Array.of(2n ** 64n - 1n, 1n) }),
    "hierarchy",
    ["18446744073709551615", "1"],
  ],
  "dictionary with 8-bit indexes": [
    dictionary(new Int8(), Int8Array.of(1, 0, 1, 1)),
    "hierarchy",
    ["y", "x", "y", "y"],
  ],
  "dictionary with unsigned 8-bit indexes": [
    dictionary(new Uint8(), Uint8Array.of(1, 0, 1, 1)),
    "hierarchy",
    ["y", "x", "y", "y"],
  ],
  "dictionary with 16-bit indexes": [
    dictionary(new Int16(), Int16Array.of(1, 0, 1, 1)),
    "hierarchy",
    ["y", "x", "y", "y"],
  ],
  "dictionary with unsigned 32-bit indexes": [
    dictionary(new Uint32(), Uint32Array.of(1, 0, 1, 1)),
    "hierarchy",
    ["y", "x", "y", "y"],
  ],
  "dictionary of int64": [
    dataOf({
      type: new Dictionary(new Int64(), new Int32()),
      length: 3,
      data: Int32Array.of(1, 0, 1),
      dictionary: vectorFromArray([big, big - 1n], new Int64()),
    }),
    "hierarchy",
    [String(big - 1n), String(big), String(big - 1n)],
  ],
  "dictionary of decimals": [
    dataOf({
      type: new Dictionary(new Decimal(1, 38, 128), new Int32()),
      length: 2,
      data: Int32Array.of(1, 0),
      dictionary: new Vector([decimals(1, 128, [-3n, 6n])]),
    }),
    "numeric",
    [0.6, -0.3],
  ],
  "large list of decimals": [
    dataOf({
      type: new LargeList(new Field("item", new Decimal(1, 38, 128), true)),
      length: 2,
      valueOffsets: BigInt64Array.of(0n, 2n, 3n),
      child: decimals(1, 128, [1n, 3n, -7n]),
    }),
    "hierarchy",
    ["[0.1,0.3]", "[-0.7]"],
  ],
  "struct of int64": [
    dataOf({
      type: new Struct([new Field("id", new Int64(), true)]),
      length: 1,
      children: [int64s([big])],
    }),
    "hierarchy",
    [`{"id":"${big}"}`],
  ],
  "dense union": [
    dataOf({
      type: new DenseUnion(
        [3, 5],
        [new Field("n", new Int32(), true), new Field("s", new Utf8(), true)],
      ),
      length: 3,
      typeIds: Int8Array.of(5, 3, 5),
      valueOffsets: Int32Array.of(0, 0, 1),
      children: [dataOf({ type: new Int32(), length: 1, data: Int32Array.of(42) }), strings],
    }),
    "hierarchy",
    ["a", "42", "é"],
  ],
  durations: [
    dataOf({
      type: new DurationMicrosecond(),
      length: 2,
      data: BigInt64Array.of(5_400_000_000n, -1n),
    }),
    "numeric",
    [1.5, -0.000001 / 3600],
  ],
  times: [
    dataOf({
      type: new TimeMicrosecond(),
      length: 2,
      data: BigInt64Array.of(37_800_123_456n, 0n),
    }),
    "hierarchy",
    ["10:30:00.123456", "00:00:00.000"],
  ],
  "intervals of months": [
    dataOf({ type: new IntervalYearMonth(), length: 1, data: Int32Array.of(14) }),
    "hierarchy",
    ["P14M"],
  ],
  "intervals of days": [
    dataOf({ type: new IntervalDayTime(), length: 1, data: Int32Array.of(3, 1500) }),
    "hierarchy",
    ["P3DT1.5S"],
  ],
  "intervals of months, days and nanoseconds": [
    dataOf({
      type: new IntervalMonthDayNano(),
      length: 1,
      data: Int32Array.of(1, 2, 500_000_000, 0),
    }),
    "hierarchy",
    ["P1M2DT0.5S"],
  ],
  "string views": [
    vectorFromArray(["short", "a string of more than 12 bytes"], new Utf8View()).data[0]!,
    "hierarchy",
    ["short", "a string of more than 12 bytes"],
  ],
  "byte views": [
    vectorFromArray([Uint8Array.of(1, 255)], new BinaryView()).data[0]!,
    "hierarchy",
    ["01ff"],
  ],
  bytes: [vectorFromArray([Uint8Array.of(1, 255)], new Binary()).data[0]!, "hierarchy", ["01ff"]],
};

suite("plugins/rows/formats/openArrow", (test) => {
  let folder: string;
  let plugin: Plugin;
  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-arrow-")));
    plugin = await open({ reach: openReach(folder), timeoutMs: 60_000, sizeBytes: 2 ** 28 });
  });
  test.after(async () => {
    await plugin?.close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  const describe = async (bytes: Uint8Array, types: Readonly<Record<string, string>> = {}) => {
    const path = join(folder, "c.arrow");
    writeFileSync(path, bytes);
    const call = {
      credentials: { host: path, properties: { columns: JSON.stringify(types) } },
      tenant: { organization: "one", user: "ada" },
      signal: AbortSignal.timeout(60_000),
    };
    const [dataset] = await plugin.datasets(call);
    const query = {
      id: dataset!.id,
      columns: [{ column_id: "c" }],
      filters: [],
      options: { pushdown: false },
    };
    return {
      column: dataset!.columns[0],
      read: () => plugin.query({ ...call, query, dataset: dataset! }),
    };
  };

  for (const [name, [data, type, cells]] of Object.entries(columns))
    test(`a column of the type ${name} is read with all digits`, async () => {
      const { column, read } = await describe(fileOf(data));
      assert.is(column?.type, type);
      assert.equal((await read().then(rowsOfBatch)).flat(), cells);
    });

  test("a declared number that would lose digits is refused by its row, and nulls are not looked at", async () => {
    const data = dataOf({
      type: new Int64(),
      length: 3,
      nullCount: 1,
      nullBitmap: Uint8Array.of(0b101),
      data: BigInt64Array.of(1n, big, 10n ** 16n),
    });
    const fine = await describe(fileOf(data), { c: "number" });
    assert.equal((await fine.read().then(rowsOfBatch)).flat(), [1, null, 1e16]);
    const wrong = await describe(fileOf(int64s([1n, 2n, big])), { c: "number" });
    const failure = await wrong.read().catch((thrown: unknown) => thrown);
    assert.match(String(failure), /row 3: "c" must be a number that keeps its digits/);
  });

  test("a type that cannot be read is refused by name", async () => {
    const bytes = fileOf(columns["large list of decimals"]![0]);
    const messages: string[] = [];
    // The number of the type is a byte of the schema, at the start and at the end of the file.
    const at = (from: number) => bytes.indexOf(21, from);
    for (let place = at(8); place >= 0 && place < 400; place = at(place + 1)) {
      const changed = bytes.slice();
      changed[place] = 22;
      messages.push(await describe(changed).then(({ column }) => String(column?.type), String));
    }
    assert.match(
      messages.join("\n"),
      /a column has the type run-end encoded, which this reader lacks; write/,
    );
  });
});
