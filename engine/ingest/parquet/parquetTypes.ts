import type { SchemaElement } from "hyparquet";
import type { ColumnPlace } from "../decode/fitColumn.ts";
import type { StoredBytes, StoredValues } from "./parquetValues.ts";
import {
  powerOf,
  readDays,
  readDecimals,
  readInstants,
  readInt64,
  readNumbers,
} from "../decode/readValues.ts";

/** The kind of a column's values, and how they are converted to the store's type. */
export type LogicalType =
  | {
      readonly kind: "number" | "datetime";
      readonly isDate: boolean;
      readonly read: (
        stored: StoredValues,
        count: number,
        place: ColumnPlace,
      ) => Float64Array<ArrayBuffer>;
      /** The kernel that converts values in the encoding PLAIN in the same way as `read`; absent if there is none. */
      readonly decoder?: {
        readonly name: NumberDecoder;
        readonly sizeBytes: number;
        /** Divisor that converts stored decimals to their values: a power of ten. */
        readonly power?: number;
      };
    }
  | {
      readonly kind: "text";
      readonly read: (stored: StoredValues) => StoredBytes;
      /** True if `read` returns the values unchanged. */
      readonly isPlain: boolean;
    };

type NumberDecoder =
  | "readFloat32"
  | "readFloat64"
  | "readInt32"
  | "readUint32"
  | "readInt64"
  | "readUint64"
  | "readMilliseconds"
  | "readMicroseconds"
  | "readNanoseconds"
  | "readDays"
  | "readDecimal32"
  | "readDecimal64";

/** Returns the type of a top-level column. For a type that cannot be stored, returns its name. */
export function logicalType(element: SchemaElement): LogicalType | string {
  const {
    type,
    repetition_type: repetition,
    num_children: children,
    logical_type: logical,
    converted_type: converted,
  } = element;
  if (repetition === "REPEATED" || children || !type) return "nested";
  const name = logical?.type ?? converted;
  switch (name) {
    case "DECIMAL":
      return decimal(
        element,
        element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0) ?? 0,
      );
    case "DATE":
      return type === "INT32"
        ? {
            kind: "datetime",
            isDate: true,
            read: readDate,
            decoder: { name: "readDays", sizeBytes: 4 },
          }
        : `a date stored as ${type}`;
    case "TIMESTAMP":
    case "TIMESTAMP_MILLIS":
    case "TIMESTAMP_MICROS":
      return timestamp(element);
    case "INTEGER":
      return integer(element, logical?.type === "INTEGER" ? logical.isSigned : true);
    case "UINT_8":
    case "UINT_16":
    case "UINT_32":
    case "UINT_64":
      return integer(element, false);
    case "INT_8":
    case "INT_16":
    case "INT_32":
    case "INT_64":
      return integer(element, true);
    case "STRING":
    case "UTF8":
    case "ENUM":
    case "JSON":
      return type === "BYTE_ARRAY" ? byteArrays : `a string stored as ${type}`;
    case "UUID":
      return type === "FIXED_LEN_BYTE_ARRAY" && element.type_length === 16
        ? { kind: "text", read: readUuids, isPlain: false }
        : `a UUID stored as ${type}`;
    case "FLOAT16":
      return type === "FIXED_LEN_BYTE_ARRAY" && element.type_length === 2
        ? number(readHalves)
        : `a FLOAT16 stored as ${type}`;
    case undefined:
      return plainType(element);
    default:
      return `of the type ${name}`;
  }
}

function plainType(element: SchemaElement): LogicalType | string {
  switch (element.type) {
    case "BOOLEAN":
      return number(readPlainNumbers);
    case "FLOAT":
      return number(readPlainNumbers, { name: "readFloat32", sizeBytes: 4 });
    case "DOUBLE":
      return number(readPlainNumbers, { name: "readFloat64", sizeBytes: 8 });
    case "INT32":
    case "INT64":
      return integer(element, true);
    case "INT96":
      return { kind: "datetime", isDate: false, read: readInt96 };
    case "BYTE_ARRAY":
      // Older writers do not mark strings as strings. Values that are not UTF-8 are rejected when they are read.
      return byteArrays;
    default:
      return `of the type ${String(element.type)}`;
  }
}

type NumberType = Extract<LogicalType, { kind: "number" | "datetime" }>;

function number(read: NumberType["read"], decoder?: NumberType["decoder"]): LogicalType {
  return { kind: "number", isDate: false, read, ...(decoder && { decoder }) };
}

function decimal({ type }: SchemaElement, scale: number): LogicalType {
  const power = powerOf(scale);
  const isPlain = power === power && (type === "INT32" || type === "INT64");
  if (!isPlain) return number(readDecimal(scale));
  return number(
    readDecimal(scale),
    type === "INT32"
      ? { name: "readDecimal32", sizeBytes: 4, power }
      : { name: "readDecimal64", sizeBytes: 8, power },
  );
}

const byteArrays: LogicalType = { kind: "text", read: asBytes, isPlain: true };

function integer({ type }: SchemaElement, isSigned: boolean): LogicalType | string {
  if (type === "INT64")
    return number(
      (stored, count, place) => readInt64(wordsOf(stored), count, !isSigned, undefined, place),
      { name: isSigned ? "readInt64" : "readUint64", sizeBytes: 8 },
    );
  if (type !== "INT32") return `an integer stored as ${String(type)}`;
  if (isSigned) return number(readPlainNumbers, { name: "readInt32", sizeBytes: 4 });
  return number(
    (stored, count, place) =>
      readNumbers(Uint32Array.from(numbersOf(stored)), count, undefined, place),
    { name: "readUint32", sizeBytes: 4 },
  );
}

const decoderOf = {
  millisecond: "readMilliseconds",
  microsecond: "readMicroseconds",
  nanosecond: "readNanoseconds",
} as const;

function timestamp({
  type,
  logical_type: logical,
  converted_type: converted,
}: SchemaElement): LogicalType | string {
  if (type !== "INT64") return `a timestamp stored as ${String(type)}`;
  const unitName =
    logical?.type === "TIMESTAMP"
      ? logical.unit
      : converted === "TIMESTAMP_MICROS"
        ? "MICROS"
        : "MILLIS";
  const unit =
    unitName === "MILLIS" ? "millisecond" : unitName === "MICROS" ? "microsecond" : "nanosecond";
  return {
    kind: "datetime",
    isDate: false,
    read: (stored, count, place) => readInstants(wordsOf(stored), count, unit, undefined, place),
    decoder: { name: decoderOf[unit], sizeBytes: 8 },
  };
}

function readPlainNumbers(
  stored: StoredValues,
  count: number,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  return readNumbers(numbersOf(stored), count, undefined, place);
}

function readDate(
  stored: StoredValues,
  count: number,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  return readDays(numbersOf(stored), count, undefined, place);
}

/** Reads timestamps in the form of Impala and old Spark: nanoseconds of the day in two words, and a Julian day. */
function readInt96(
  stored: StoredValues,
  count: number,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const words = wordsOf(stored);
  const times = new Int32Array(count * 2);
  const days = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    times[index * 2] = words[index * 3];
    times[index * 2 + 1] = words[index * 3 + 1];
    days[index] = words[index * 3 + 2] - 2_440_588;
  }
  const values = readDays(days, count, undefined, place);
  readInstants(times, count, "nanosecond", undefined, place).forEach(
    (time, index) => (values[index] += time),
  );
  return values;
}

function readHalves(
  stored: StoredValues,
  count: number,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const { source, starts } = asBytes(stored);
  return readNumbers(
    Float64Array.from(starts, (start) => source.getFloat16(start, true)),
    count,
    undefined,
    place,
  );
}

function readDecimal(scale: number): Extract<LogicalType, { kind: "number" | "datetime" }>["read"] {
  return (stored, count, place) => {
    if (stored.form === "numbers")
      return readDecimals(Int32Array.from(stored.numbers), 1, scale, count, undefined, place);
    if (stored.form === "words")
      return readDecimals(stored.words, stored.wordCount, scale, count, undefined, place);
    const widest = stored.ends.reduce(
      (width, end, index) => Math.max(width, end - stored.starts[index]),
      0,
    );
    const wordCount = Math.max(1, Math.ceil(widest / 4));
    if (wordCount > 16) throw new RangeError("a decimal has more than 64 bytes");
    return readDecimals(
      readBigEndian(stored, wordCount),
      wordCount,
      scale,
      count,
      undefined,
      place,
    );
  };
}

/** Converts big-endian two's complement numbers to `wordCount` words with the low word first. */
function readBigEndian({ source, starts, ends }: StoredBytes, wordCount: number): Int32Array {
  const words = new Int32Array(starts.length * wordCount);
  for (let index = 0; index < starts.length; index++) {
    const start = starts[index];
    const fill = ends[index] > start && source.getInt8(start) < 0 ? 0xff : 0;
    let at = ends[index];
    for (let word = 0; word < wordCount; word++) {
      let value = 0;
      for (let shift = 0; shift < 32; shift += 8)
        value |= (at > start ? source.getUint8(--at) : fill) << shift;
      words[index * wordCount + word] = value;
    }
  }
  return words;
}

function readUuids(stored: StoredValues): StoredBytes {
  const { source, starts } = asBytes(stored);
  const texts = Array.from(starts, (start) => {
    const bytes = Buffer.from(source.buffer, source.byteOffset + start, 16);
    return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  });
  const joined = Buffer.from(texts.join(""), "latin1");
  const places = starts.map((_, index) => index * 36);
  return {
    form: "bytes",
    source: new DataView(joined.buffer, joined.byteOffset, joined.byteLength),
    starts: places,
    ends: places.map((place) => place + 36),
  };
}

function asBytes(stored: StoredValues): StoredBytes {
  if (stored.form !== "bytes") throw new TypeError("strings are stored as numbers");
  return stored;
}

function wordsOf(stored: StoredValues): Int32Array {
  if (stored.form !== "words")
    throw new TypeError("integers of 64 or more bits are not stored as words");
  return stored.words;
}

function numbersOf(stored: StoredValues): ArrayLike<number> {
  if (stored.form !== "numbers") throw new TypeError("numbers are stored as strings");
  return stored.numbers;
}
