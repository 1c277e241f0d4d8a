import type { Data, DataType, Field, Utf8 } from "apache-arrow";
import type { Bin, HierarchyBatchColumn, BatchColumn } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import { answerFields, type AnswerField } from "./answerFields.ts";
import type { AnsweredQuery } from "./answeredQuery.ts";
import { binText } from "../resolve/binText.ts";
import { membersOf, type AnsweredCall } from "./presentAnswers.ts";
import { visitInSlices } from "../finish/visitInSlices.ts";

/** Maximum number of rows per record batch. */
const batchRowCount = 2 ** 16;

/** Maximum number of bytes that the offsets of a string column can address. */
const textBytes = 2 ** 31 - 1;

type Arrow = typeof import("apache-arrow");

/** Writes the rows from `from` to `to` of one column. */
interface ArrowColumn {
  readonly field: Field;
  slice(from: number, to: number): Data;
}

/**
 * Writes the answer of one query as an Arrow IPC stream, one record batch per chunk. String columns become UTF-8
 * dictionaries of the strings that occur, in which an unpaired surrogate becomes U+FFFD. Numbers become float64,
 * instants become UTC timestamps in milliseconds, and bins become strings. Nulls are marked as invalid. The fields are
 * those of `answerFields`. The schema's metadata contains the other members of the answer as JSON, under `manifold`.
 * Values are copied once. Between chunks the function yields `undefined`, so that other queries get a turn.
 * @throws {ApiError} QUERY_TEXTS_TOO_LONG if the strings of one column exceed 2 GB
 */
export async function writeArrow({
  answers,
}: AnsweredCall): Promise<Generator<Uint8Array | undefined, void>> {
  const [answered, ...others] = answers;
  if (!answered || "data" in answered || others.length > 0)
    throw new TypeError("an Arrow stream needs exactly one successful query");
  // The module is imported for the first Arrow answer, because importing it takes about 100 ms and 5 MB.
  return writeStream(await import("apache-arrow"), answered);
}

function* writeStream(
  arrow: Arrow,
  answered: AnsweredQuery,
): Generator<Uint8Array | undefined, void> {
  const { batch, secured } = answered;
  const columns: ArrowColumn[] = [];
  for (const [cell, field] of answerFields(answered).entries()) {
    const index = secured.cells[cell] ?? -1;
    const { bin } = secured.query.columns[index] ?? {};
    columns.push(yield* columnOf(arrow, cell, field, batch.columns[index], bin));
  }
  const schema = new arrow.Schema(
    columns.map(({ field }) => field),
    new Map([["manifold", JSON.stringify(membersOf(answered))]]),
  );
  const written: Uint8Array[] = [];
  const sink = new arrow.AsyncByteQueue();
  sink.write = (bytes) => {
    const { buffer, byteOffset, byteLength } = bytes as Uint8Array;
    written.push(new Uint8Array(buffer, byteOffset, byteLength));
  };
  const chunk = () => Buffer.concat(written.splice(0));
  const writer = new arrow.RecordBatchStreamWriter();
  writer.reset(sink, schema);
  for (let from = 0; from < batch.rowCount; from += batchRowCount) {
    const to = Math.min(batch.rowCount, from + batchRowCount);
    const children: Data[] = [];
    for (const column of columns) {
      children.push(column.slice(from, to));
      yield;
    }
    const data = arrow.makeData({
      type: new arrow.Struct(schema.fields),
      length: to - from,
      nullCount: 0,
      children,
    });
    writer.write(new arrow.RecordBatch(schema, data));
    yield chunk();
  }
  writer.close();
  yield chunk();
}

function* columnOf(
  arrow: Arrow,
  id: number,
  { name, metadata }: AnswerField,
  vector: BatchColumn | undefined,
  bin: Bin | undefined,
): Generator<undefined, ArrowColumn> {
  if (!vector) throw new RangeError(`the answer must have the column ${name}`);
  const field = (type: DataType) => new arrow.Field(name, type, true, new Map(metadata));
  if (vector.type === "hierarchy" || bin) {
    const texts = vector.type === "hierarchy" ? vector : yield* binTexts(vector.values, bin);
    const { used, placeOf } = yield* findUsed(texts);
    const dictionary = arrow.makeVector(yield* textData(arrow, used));
    const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), id);
    return {
      field: field(type),
      slice: (from, to) =>
        arrow.makeData({
          type,
          length: to - from,
          ...validityOf(from, to, (row) => (texts.codes[row] ?? -1) >= 0),
          data: texts.codes.subarray(from, to).map((code) => Math.max(0, (placeOf[code] ?? 0) - 1)),
          dictionary,
        }),
    };
  }
  const { values } = vector;
  const isValid = (row: number) => !Number.isNaN(values[row]);
  if (vector.type === "numeric") {
    const type = new arrow.Float64();
    return {
      field: field(type),
      slice: (from, to) =>
        arrow.makeData({
          type,
          length: to - from,
          ...validityOf(from, to, isValid),
          data: values.subarray(from, to),
        }),
    };
  }
  const type = new arrow.TimestampMillisecond("UTC");
  return {
    field: field(type),
    slice: (from, to) =>
      arrow.makeData({
        type,
        length: to - from,
        ...validityOf(from, to, isValid),
        data: wholeNumbers(values, from, to),
      }),
  };
}

function* binTexts(
  values: Float64Array,
  bin: Bin | undefined,
): Generator<undefined, HierarchyBatchColumn> {
  const codes = new Int32Array(values.length);
  const codeOf = new Map<number, number>();
  yield* visitInSlices(values.length, (row) => {
    const start = values[row] ?? Number.NaN;
    if (!Number.isNaN(start) && !codeOf.has(start)) codeOf.set(start, codeOf.size);
    codes[row] = codeOf.get(start) ?? -1;
  });
  const dictionary = [...codeOf.keys()].map((start) => (bin ? binText(start, bin) : String(start)));
  return { type: "hierarchy", codes, dictionary };
}

/**
 * Finds the strings that occur, in the order of their first row, and the rank of each code among them, starting at 1.
 */
function* findUsed({
  codes,
  dictionary,
}: HierarchyBatchColumn): Generator<
  undefined,
  { readonly used: readonly string[]; readonly placeOf: Int32Array }
> {
  const used: string[] = [];
  const placeOf = new Int32Array(dictionary.length);
  yield* visitInSlices(codes.length, (row) => {
    const code = codes[row] ?? -1;
    if (code >= 0) placeOf[code] ||= used.push(dictionary[code] ?? "");
  });
  return { used, placeOf };
}

function* textData(arrow: Arrow, texts: readonly string[]): Generator<undefined, Data<Utf8>> {
  const offsets = new Int32Array(texts.length + 1);
  let sizeBytes = 0;
  yield* visitInSlices(texts.length, (index) => {
    sizeBytes += Buffer.byteLength(texts[index] ?? "");
    if (sizeBytes > textBytes)
      throw new ApiError("QUERY_TEXTS_TOO_LONG", [
        "the strings of one column of an Arrow stream",
        textBytes,
      ]);
    offsets[index + 1] = sizeBytes;
  });
  const bytes = Buffer.allocUnsafe(sizeBytes);
  yield* visitInSlices(texts.length, (index) => {
    bytes.write(texts[index] ?? "", offsets[index] ?? 0);
  });
  const type = new arrow.Utf8();
  return arrow.makeData({ type, length: texts.length, valueOffsets: offsets, data: bytes });
}

/** Returns one bit per row, set for values; undefined if no row is null. */
function validityOf(
  from: number,
  to: number,
  isValid: (row: number) => boolean,
): { readonly nullCount: number; readonly nullBitmap?: Uint8Array } {
  const nullBitmap = new Uint8Array((to - from + 7) >> 3);
  let nullCount = 0;
  for (let row = from; row < to; row++)
    if (isValid(row)) nullBitmap[(row - from) >> 3]! |= 1 << ((row - from) & 7);
    else nullCount++;
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap };
}

/** Writes 64-bit integers as two halves, because a `BigInt` per value would allocate an object. Null becomes 0. */
function wholeNumbers(values: Float64Array, from: number, to: number): BigInt64Array {
  const halves = new Int32Array((to - from) * 2);
  for (let row = from; row < to; row++) {
    const value = Math.trunc(values[row] ?? 0);
    const place = (row - from) * 2;
    halves[place] = value;
    halves[place + 1] = Math.floor(value / 2 ** 32);
  }
  return new BigInt64Array(halves.buffer);
}
