import { zstdDecompressSync } from "node:zlib";
import {
  compressionRegistry,
  CompressionType,
  type Data,
  DataType,
  DateUnit,
  type Field,
  Precision,
  RecordBatchReader,
  TimeUnit,
} from "apache-arrow";
import { EngineError } from "../errors.ts";
import { checkArrow } from "./checkArrow.ts";
import { type ColumnPlace, fitColumn, type FoundColumn, nullVector } from "./fitColumn.ts";
import { decodeLz4Frame } from "./lz4.ts";
import type { EncodedBatch, EncodedVector, IngestColumn } from "./messages.ts";
import {
  readDays,
  readDecimals,
  readInstants,
  readInt64,
  readNumbers,
  type InstantUnit,
  type IsValid,
} from "./readValues.ts";
import { openSource, TextReader } from "./textReader.ts";
import { valueLimit } from "./valueLimit.ts";

/** Bytes that the buffers of one batch may come to when they are decompressed. */
const bodyLimit = 2 ** 30;
const what = "Arrow data";

/** Rows of a record batch that are encoded at once: few enough to hand on while others are encoded, many enough that a text is not looked up in each piece. */
const defaultPieceRows = 262_144;

export interface ArrowOptions {
  /** Columns to take; without them all. */
  readonly columns?: readonly IngestColumn[];
  /** Takes every `partCount`-th piece from `part` on; pieces are the record batches, cut every `pieceRows` rows. */
  readonly part?: number;
  readonly partCount?: number;
  readonly pieceRows?: number;
}

/**
 * Encodes record batches of an Arrow IPC stream or file to columns. Integers, floats, decimals and booleans (0 and 1)
 * are numbers; dates and timestamps are datetimes, cut to milliseconds; texts stay texts, dictionaries of all these too.
 * NaN, infinities and whole numbers beyond 2^53 are refused.
 * @throws {EngineError} INGEST_UNREADABLE, INGEST_UNSUPPORTED with column and type, INGEST_CELL
 */
export function encodeArrow(
  bytes: Uint8Array,
  options: ArrowOptions = {},
): readonly EncodedBatch[] {
  try {
    return readBatches(bytes, options);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new EngineError("INGEST_UNREADABLE", [what, message], { cause: error });
  }
}

function readBatches(
  bytes: Uint8Array,
  { columns, part = 0, partCount = 1, pieceRows = defaultPieceRows }: ArrowOptions,
): EncodedBatch[] {
  checkArrow(bytes);
  const budget = { leftBytes: bodyLimit };
  setCodecs(budget);
  const reader = RecordBatchReader.from(bytes);
  reader.open({ autoDestroy: false });
  const batches: EncodedBatch[] = [];
  let index = 0;
  let firstRow = 0;
  for (const { numRows: rowCount, data } of reader) {
    const targets = matchFields(reader.schema.fields, columns);
    if (
      !Number.isSafeInteger(rowCount) ||
      rowCount < 0 ||
      rowCount * targets.length > valueLimit(bytes.length)
    )
      throw unreadable(`a record batch has ${rowCount} rows of ${targets.length} columns`);
    for (let start = 0; start === 0 || start < rowCount; start += pieceRows) {
      const pieceCount = Math.min(pieceRows, rowCount - start);
      if (index++ % partCount === part)
        batches.push({
          rowCount: pieceCount,
          columns: targets.map(({ place: fieldIndex, given }, position) => {
            const { name, type } = reader.schema.fields[fieldIndex];
            const place = { name, position, firstRow: firstRow + start };
            const child = data.children[fieldIndex];
            if (rowCount === 0) return fitColumn(emptyColumn(type), given, place);
            if (!child || child.length !== rowCount)
              throw unreadable(`the column ${place.name} has another length than its batch`);
            const piece = pieceCount === rowCount ? child : child.slice(start, pieceCount);
            return fitColumn(readColumn(piece, place), given, place);
          }),
        });
    }
    firstRow += rowCount;
    budget.leftBytes = bodyLimit;
  }
  if (!reader.schema) throw unreadable("it has no schema");
  if (index === 0 && part === 0) {
    const columnsOf = matchFields(reader.schema.fields, columns).map(
      ({ place, given }, position) => {
        const { name, type } = reader.schema.fields[place];
        return fitColumn(emptyColumn(type), given, { name, position, firstRow });
      },
    );
    batches.push({ rowCount: 0, columns: columnsOf });
  }
  return batches;
}

/** The store's type for a type of Arrow. */
function typeOf(type: DataType): EncodedVector["type"] | undefined {
  if (DataType.isDictionary(type)) return typeOf(type.dictionary);
  if (
    DataType.isInt(type) ||
    DataType.isFloat(type) ||
    DataType.isDecimal(type) ||
    DataType.isBool(type)
  )
    return "number";
  if (DataType.isDate(type) || DataType.isTimestamp(type)) return "datetime";
  if (
    DataType.isUtf8(type) ||
    DataType.isLargeUtf8(type) ||
    DataType.isUtf8View(type) ||
    DataType.isNull(type)
  )
    return "text";
  return undefined;
}

interface Target {
  readonly place: number;
  readonly given: IngestColumn | undefined;
}

/** Finds the fields of the columns to take, and refuses types that have no place in the store. */
function matchFields(
  fields: readonly Field[],
  columns: readonly IngestColumn[] | undefined,
): readonly Target[] {
  const targets =
    columns?.map((given) => ({ place: placeOf(fields, given.source ?? given.name), given })) ??
    fields.map((_, place) => ({ place, given: undefined }));
  for (const { place } of targets) {
    const { name, type } = fields[place];
    if (placeOf(fields, name) !== place)
      throw unreadable(`it has two columns ${JSON.stringify(name)}`);
    if (!typeOf(type))
      throw new EngineError("INGEST_UNSUPPORTED", [
        name.slice(0, 100),
        `of the type ${String(type)}`,
        "turn it into numbers, texts or timestamps, or leave it out",
      ]);
  }
  return targets;
}

function placeOf(fields: readonly Field[], name: string): number {
  const place = fields.findIndex((field) => field.name === name);
  if (place >= 0) return place;
  const names = fields.slice(0, 100).map((field) => JSON.stringify(field.name.slice(0, 100)));
  throw unreadable(
    `it has no column ${JSON.stringify(name.slice(0, 100))}; it has ${names.join(", ")}`,
  );
}

function emptyColumn(type: DataType): FoundColumn {
  return { vector: nullVector(typeOf(type) ?? "text", 0), isDate: false };
}

function readColumn(data: Data, place: ColumnPlace): FoundColumn {
  const { type, length } = data;
  if (DataType.isDictionary(type)) return readDictionary(data as Data, place);
  if (DataType.isNull(type)) return { vector: nullVector("text", length), isDate: false };
  const isValid = validity(data);
  if (isText(type)) {
    const reader = new TextReader(what, length);
    const codeOf = openTexts(data, reader);
    const codes = new Int32Array(length);
    for (let row = 0; row < length; row++) codes[row] = isValid && !isValid(row) ? -1 : codeOf(row);
    return { vector: reader.finish(codes), isDate: false };
  }
  if (DataType.isDate(type) || DataType.isTimestamp(type)) {
    const unit = DataType.isDate(type)
      ? type.unit === DateUnit.DAY
        ? "day"
        : "millisecond"
      : units[type.unit];
    const values =
      unit === "day"
        ? readDays(numbersOf(data, length), length, isValid, place)
        : readInstants(wordsOf(data, length * 2), length, unit, isValid, place);
    return {
      vector: { type: "datetime", values },
      isDate: DataType.isDate(type) && isWholeDays(values),
    };
  }
  return { vector: { type: "number", values: readNumeric(data, isValid, place) }, isDate: false };
}

const units: Readonly<Record<TimeUnit, InstantUnit>> = {
  [TimeUnit.SECOND]: "second",
  [TimeUnit.MILLISECOND]: "millisecond",
  [TimeUnit.MICROSECOND]: "microsecond",
  [TimeUnit.NANOSECOND]: "nanosecond",
};

function readNumeric(
  data: Data,
  isValid: IsValid | undefined,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> {
  const { type, length } = data;
  if (DataType.isBool(type)) {
    const bits = data.values as Uint8Array;
    if (bits.length * 8 < data.offset + length) throw shortBuffer(place);
    const bitOf = (_: unknown, row: number) =>
      (bits[(data.offset + row) >> 3] >> ((data.offset + row) & 7)) & 1;
    return readNumbers(Uint8Array.from({ length }, bitOf), length, isValid, place);
  }
  if (DataType.isDecimal(type)) {
    const wordCount = type.bitWidth / 32;
    return readDecimals(
      wordsOf(data, length * wordCount),
      wordCount,
      type.scale,
      length,
      isValid,
      place,
    );
  }
  if (DataType.isInt(type) && type.bitWidth === 64)
    return readInt64(wordsOf(data, length * 2), length, !type.isSigned, isValid, place);
  const numbers = numbersOf(data, length);
  if (!DataType.isFloat(type) || type.precision !== Precision.HALF)
    return readNumbers(numbers, length, isValid, place);
  const halves = numbers as Uint16Array;
  const floats = new Float16Array(halves.buffer, halves.byteOffset, halves.length);
  return readNumbers(floats, length, isValid, place);
}

/** Gathers values by the indices of a column; entries that no row names are not looked at when they are texts. */
function readDictionary(data: Data, place: ColumnPlace): FoundColumn {
  const { type, length, dictionary } = data;
  if (!DataType.isDictionary(type) || !dictionary)
    throw unreadable(`the column ${place.name} has no dictionary`);
  const { isSigned } = type.indices;
  const isWide = data.values instanceof BigInt64Array || data.values instanceof BigUint64Array;
  const isValid = validity(data);
  const indices = isWide
    ? readInt64(wordsOf(data, length * 2), length, !isSigned, isValid, place)
    : numbersOf(data, length);
  const chunks = dictionary.data;
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (isText(type.dictionary)) {
    const reader = new TextReader(what, Math.min(size, length));
    const readers = chunks.map((chunk) => ({
      chunk,
      isValid: validity(chunk),
      codeOf: openTexts(chunk, reader),
    }));
    const codeOf = (index: number): number => {
      let rest = index;
      for (const each of readers) {
        if (rest < each.chunk.length)
          return each.isValid && !each.isValid(rest) ? -1 : each.codeOf(rest);
        rest -= each.chunk.length;
      }
      return -1;
    };
    const known = new Int32Array(size).fill(-2);
    const codes = new Int32Array(length);
    for (let row = 0; row < length; row++) {
      const index = isValid && !isValid(row) ? -1 : indices[row];
      if (index === -1) {
        codes[row] = -1;
        continue;
      }
      if (!(index >= 0 && index < size)) throw outsideDictionary(place);
      if (known[index] === -2) known[index] = codeOf(index);
      codes[row] = known[index];
    }
    return { vector: reader.finish(codes), isDate: false };
  }
  const entries = chunks.map((chunk) => readColumn(chunk, place));
  const vectors = entries.map(({ vector }) =>
    vector.type === "text" ? new Float64Array(0) : vector.values,
  );
  const flat = new Float64Array(size);
  vectors.reduce((at, values) => (flat.set(values, at), at + values.length), 0);
  const values = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    if (isValid && !isValid(row)) {
      values[row] = NaN;
      continue;
    }
    if (!(indices[row] >= 0 && indices[row] < size)) throw outsideDictionary(place);
    values[row] = flat[indices[row]];
  }
  const vectorType = typeOf(type.dictionary) === "datetime" ? "datetime" : "number";
  return {
    vector: { type: vectorType, values },
    isDate: entries.length > 0 && entries.every(({ isDate }) => isDate),
  };
}

function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
}

/** Returns a function that interns the text of a row. */
function openTexts(data: Data, reader: TextReader): (row: number) => number {
  const { type, length } = data;
  if (DataType.isUtf8View(type)) return openViews(data, reader);
  const source = openSource(data.values as Uint8Array);
  const offsets: Int32Array | BigInt64Array = data.valueOffsets;
  if (length > 0 && offsets.length < length + 1)
    throw unreadable("a buffer of offsets is too short");
  if (offsets instanceof Int32Array)
    return (row) => reader.read(source, offsets[row], offsets[row + 1]);
  return (row) => reader.read(source, Number(offsets[row]), Number(offsets[row + 1]));
}

/** Views of 16 bytes: a length, then up to 12 bytes of text, or 4 bytes of it and where all of it lies. */
function openViews(data: Data, reader: TextReader): (row: number) => number {
  const views = new Uint8Array((data.values as Uint8Array).length + 8);
  views.set(data.values as Uint8Array);
  if (views.length - 8 < data.length * 16) throw unreadable("a buffer of views is too short");
  const words = new DataView(views.buffer);
  const buffers = data.variadicBuffers.map((bytes) => openSource(bytes));
  return (row) => {
    const at = row * 16;
    const length = words.getInt32(at, true);
    if (length <= 12) {
      return reader.read(
        openSource(views.subarray(at + 4, at + 4 + Math.max(0, length))),
        0,
        length,
      );
    }
    const source = buffers[words.getInt32(at + 8, true)];
    if (!source) throw unreadable("a text lies outside of its buffer");
    const start = words.getInt32(at + 12, true);
    return reader.read(source, start, start + length);
  };
}

function isWholeDays(values: Float64Array): boolean {
  return values.every((value) => value !== value || value % 86_400_000 === 0);
}

function validity(data: Data): IsValid | undefined {
  const { nullBitmap: bits, offset, length } = data;
  if (!bits || bits.length === 0 || data.nullCount === 0) return undefined;
  if (bits.length * 8 < offset + length) throw unreadable("a validity bitmap is too short");
  return (row) => ((bits[(offset + row) >> 3] >> ((offset + row) & 7)) & 1) === 1;
}

function numbersOf(data: Data, count: number): ArrayLike<number> {
  const values = data.values as ArrayLike<number>;
  if (values.length < count) throw unreadable("a buffer of values is too short");
  return values;
}

function wordsOf(data: Data, count: number): Int32Array {
  const { buffer, byteOffset, byteLength } = data.values as BigInt64Array;
  if (byteLength < count * 4) throw unreadable("a buffer of values is too short");
  return new Int32Array(buffer, byteOffset, count);
}

/** Gives the library what decompresses; `budget` bounds what comes out. */
function setCodecs(budget: { leftBytes: number }): void {
  const spend = (bytes: Uint8Array): Uint8Array => {
    budget.leftBytes -= bytes.length;
    return bytes;
  };
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: (bytes) =>
      spend(zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, budget.leftBytes) })),
  });
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (bytes) => spend(decodeLz4Frame(bytes, budget.leftBytes)),
  });
}

function unreadable(reason: string): EngineError {
  return new EngineError("INGEST_UNREADABLE", [what, reason]);
}

function shortBuffer({ name }: ColumnPlace): EngineError {
  return unreadable(`a buffer of the column ${name} is too short`);
}

function outsideDictionary({ name }: ColumnPlace): EngineError {
  return unreadable(`the column ${name} names an entry that its dictionary lacks`);
}
