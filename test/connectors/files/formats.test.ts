import {
  DateDay,
  Decimal,
  Field,
  Float64,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
  type DataType,
} from "apache-arrow";
import { parquetWriteBuffer } from "hyparquet-writer";
import { awkwardCell, type AwkwardKind, type AwkwardTable } from "../../support/awkward.ts";
import { rounds } from "../../support/layer.ts";
import type { Random } from "../../support/random.ts";
import { connectorSuite } from "../connectorSuite.ts";
import { openFileEngine, type FileEngineOptions } from "./fileEngine.ts";
import { writeXlsx } from "./writeXlsx.ts";

type Value = string | number | null;

const cells = (table: AwkwardTable): Record<string, unknown>[] =>
  table.rows.map((row) =>
    Object.fromEntries(
      row.map((value, index) => {
        const column = table.columns[index]!;
        const isText = column.kind === "datetime" || column.kind === "date";
        return [`source.${column.id}`, isText ? value : awkwardCell(value, column)];
      }),
    ),
  );

function writeJson(table: AwkwardTable, random: Random): string {
  const space = random.pick(["", " ", "\n"]);
  return `${space}[${space}${cells(table)
    .map((row) => JSON.stringify(row, undefined, random.pick([0, 2])))
    .join(`${space},${space}`)}]${space}`;
}

function writeJsonLines(table: AwkwardTable, random: Random): string {
  return cells(table)
    .map((row) => `${JSON.stringify(row)}${random.pick(["\n", "\r\n", "\n\n"])}`)
    .join("");
}

const microsecondsOf = (text: string): bigint => {
  const fraction = /\.(\d{6})Z$/.exec(text)?.[1] ?? "000000";
  return BigInt(Date.parse(text.replace(/\.\d+Z$/, "Z"))) * 1000n + BigInt(fraction);
};
const unscaledOf = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(10, "0"));
};

function writeParquet(table: AwkwardTable, random: Random): Uint8Array {
  const columnData = table.columns.map(({ id, kind }, index) => {
    const values = table.rows.map((row) => row[index] ?? null);
    const data = values.map((value) => {
      if (value === null || kind === "text") return value;
      if (kind === "datetime") return microsecondsOf(String(value));
      if (kind === "date") return Date.parse(String(value)) / 86_400_000;
      return kind === "big"
        ? BigInt(value)
        : kind === "decimal"
          ? unscaledOf(String(value))
          : Number(value);
    });
    return { name: `source.${id}`, data, element: parquetElements[kind] };
  });
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columnData.map(({ name, data }) => ({ name, data })),
      schema: [
        { name: "root", num_children: columnData.length },
        ...columnData.map(({ name, element }) => ({
          name,
          repetition_type: "OPTIONAL" as const,
          ...element,
        })),
      ],
      rowGroupSize: random.pick([1, 10, 100, 1000]),
      codec: random.pick(["SNAPPY", "UNCOMPRESSED"] as const),
    }),
  );
}

const parquetElements = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  whole: { type: "INT32" },
  big: { type: "INT64" },
  decimal: {
    type: "FIXED_LEN_BYTE_ARRAY",
    type_length: 16,
    converted_type: "DECIMAL",
    scale: 10,
    precision: 38,
  },
  double: { type: "DOUBLE" },
  datetime: {
    type: "INT64",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
  date: { type: "INT32", converted_type: "DATE" },
} as const satisfies Record<AwkwardKind, object>;

function writeArrow(table: AwkwardTable, random: Random): Uint8Array {
  const fields = table.columns.map(
    ({ id, kind }) => new Field(`source.${id}`, arrowTypes[kind](), true),
  );
  const schema = new Schema(fields);
  const writer = random.chance(0.5) ? new RecordBatchFileWriter() : new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  const size = random.pick([1, 7, 100]);
  for (let from = 0; from < table.rows.length; from += size) {
    const rows = table.rows.slice(from, from + size);
    const children = table.columns.map(({ kind }, index) => {
      const values = rows.map((row) => arrowValue(row[index] ?? null, kind));
      if (kind !== "datetime") return vectorFromArray(values, arrowTypes[kind]()).data[0]!;
      // Arrow's builder for timestamps accepts milliseconds and drops anything finer.
      const [whole] = vectorFromArray(values, new Int64()).data;
      const { length, nullCount, nullBitmap, values: stored } = whole!;
      return makeData({
        type: new TimestampMicrosecond("UTC"),
        length,
        nullCount,
        nullBitmap,
        data: stored,
      });
    });
    const data = makeData({
      type: new Struct(fields),
      length: rows.length,
      nullCount: 0,
      children,
    });
    writer.write(new RecordBatch(schema, data));
  }
  writer.finish();
  return writer.toUint8Array(true);
}

const arrowTypes: Readonly<Record<AwkwardKind, () => DataType>> = {
  text: () => new Utf8(),
  whole: () => new Float64(),
  big: () => new Int64(),
  decimal: () => new Decimal(10, 38, 128),
  double: () => new Float64(),
  datetime: () => new TimestampMicrosecond("UTC"),
  date: () => new DateDay(),
};

function arrowValue(value: Value, kind: AwkwardKind): unknown {
  if (value === null || kind === "text") return value;
  if (kind === "datetime") return microsecondsOf(String(value));
  if (kind === "date") return new Date(String(value));
  if (kind === "big") return BigInt(value);
  if (kind !== "decimal") return Number(value);
  const words = new Uint32Array(4);
  for (let index = 0, rest = unscaledOf(String(value)); index < 4; index++, rest >>= 32n)
    words[index] = Number(rest & 0xffff_ffffn);
  return words;
}

const years: readonly [number, number] = [1000, 9999];
const tableCount = rounds({ quick: 0.3, deep: 2, soak: 6 });
const engines: Readonly<Record<string, FileEngineOptions>> = {
  JSON: { ending: "json", limits: { years }, write: writeJson },
  "JSON lines": { ending: "jsonl", limits: { years }, write: writeJsonLines },
  Parquet: {
    ending: "parquet",
    limits: { years, nan: true },
    keepsDigits: true,
    write: writeParquet,
  },
  Arrow: { ending: "arrow", limits: { years, nan: true }, keepsDigits: true, write: writeArrow },
  Excel: { ending: "xlsx", limits: { years: [1904, 9999] }, sheet: "Data", write: writeXlsx },
};

for (const [name, options] of Object.entries(engines))
  connectorSuite(`connectors/files with ${name}`, () => openFileEngine(options), { tableCount });
