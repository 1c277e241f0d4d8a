import { zstdDecompressSync } from "node:zlib";
import {
  compressionRegistry,
  CompressionType,
  type Data,
  DataType,
  DateUnit,
  type Field,
  Precision,
  type RecordBatch,
  RecordBatchReader,
  type Schema,
  TimeUnit,
} from "apache-arrow";
import { EngineError } from "../errors.ts";
import type { Decoders } from "../kernels/decoders.ts";
import { type ArrowMessage, checkArrow } from "./checkArrow.ts";
import { type DecodeMemory, openDecodeMemory } from "./decodeMemory.ts";
import { type ColumnPlace, fitColumn, type FoundColumn, nullVector } from "./fitColumn.ts";
import { decodeLz4Frame } from "./lz4.ts";
import type { EncodedBatch, EncodedVector, IngestColumn } from "./messages.ts";
import {
  powerOf,
  readDays,
  readDecimals,
  readInstants,
  readInt64,
  readNumbers,
  type InstantUnit,
  type IsValid,
} from "./readValues.ts";
import { type TextPlaces, TextReader } from "./textReader.ts";
import { valueLimit } from "./valueLimit.ts";

/** Bytes that the buffers of one batch may come to when they are decompressed. */
const bodyLimit = 2 ** 30;
const what = "Arrow data";

/** Rows of a record batch that are encoded at once: few enough to hand on while others are encoded, many enough that a text is not looked up in each piece. */
const defaultPieceRows = 262_144;
/** Rows that are decoded together: few enough that they stay in the processor's cache. */
const blockRows = 32_768;

export interface ArrowOptions {
  /** Columns to take; without them all. */
  readonly columns?: readonly IngestColumn[];
  /**
   * Takes every `partCount`-th part from `part` on. Parts are pieces of record batches, which are cut every `pieceRows` rows;
   * those of a compressed one are a part together, since its buffers are decompressed whole.
   */
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
  const memory = openDecodeMemory();
  const batches: EncodedBatch[] = [];
  const { isFile, messages } = checkArrow(bytes);
  let parts = 0;
  let firstRow = 0;
  let batchIndex = 0;
  const before = createPreamble();
  const open = (...batch: readonly ArrowMessage[]) =>
    isFile
      ? openFileBatch(memory, bytes, batchIndex)
      : openStreamBatch(memory, bytes, [...before.list(), ...batch]);
  for (const message of messages) {
    if (message.kind !== "batch") {
      before.add(message);
      continue;
    }
    const { rowCount, isCompressed } = message;
    if (!(rowCount >= 0 && rowCount <= valueLimit(bytes.length)))
      throw unreadable(`a record batch has ${rowCount} rows`);
    const firstPart = parts;
    const isWanted = (start: number) =>
      (firstPart + (isCompressed ? 0 : start / pieceRows)) % partCount === part;
    const starts = Array.from(
      { length: Math.max(1, Math.ceil(rowCount / pieceRows)) },
      (_, piece) => piece * pieceRows,
    );
    parts += isCompressed ? 1 : starts.length;
    const wanted = starts.filter(isWanted);
    if (wanted.length > 0) {
      const batch = open(message);
      if (batch.length !== rowCount)
        throw unreadable("a record batch has other rows than its message says");
      const targets = matchFields(batch.fields, columns);
      if (rowCount * targets.length > valueLimit(bytes.length))
        throw unreadable(`a record batch has ${rowCount} rows of ${targets.length} columns`);
      const end = memory.keep();
      for (const start of wanted) {
        const count = Math.min(pieceRows, rowCount - start);
        const piece = { batch, start, count, firstRow: firstRow + start };
        const found = targets.map((target, position) => {
          memory.clear(end);
          return readTarget(memory, piece, target, position);
        });
        batches.push({ rowCount: count, firstRow: piece.firstRow, columns: found });
      }
    }
    firstRow += rowCount;
    batchIndex++;
  }
  if (parts === 0 && part === 0) {
    const batch = open();
    const piece = { batch, start: 0, count: 0, firstRow };
    const found = matchFields(batch.fields, columns).map((target, position) =>
      readTarget(memory, piece, target, position),
    );
    batches.push({ rowCount: 0, columns: found });
  }
  return batches;
}

interface Preamble {
  add(message: ArrowMessage): void;
  list(): readonly ArrowMessage[];
}

/** The messages that a batch needs before it: the schema, and of each dictionary the latest with what was added to it. */
function createPreamble(): Preamble {
  let schema: readonly ArrowMessage[] = [];
  const dictionaries = new Map<bigint, ArrowMessage[]>();
  return {
    add(message) {
      if (message.kind === "schema") {
        schema = [message];
        dictionaries.clear();
        return;
      }
      const known = dictionaries.get(message.id);
      if (known && message.isDelta) known.push(message);
      else dictionaries.set(message.id, [message]);
    },
    list: () => [...schema, ...[...dictionaries.values()].flat()],
  };
}

interface OpenBatch {
  readonly fields: readonly Field[];
  readonly length: number;
  readonly children: readonly Data[];
}

/** Reads a batch, or the schema alone, from its messages. What is compressed comes to lie in the memory. */
function openStreamBatch(
  memory: DecodeMemory,
  bytes: Uint8Array,
  messages: readonly ArrowMessage[],
): OpenBatch {
  memory.clear();
  setCodecs(memory);
  const parts = messages.map(({ start, end }) => bytes.subarray(start, end));
  const reader = RecordBatchReader.from(parts);
  reader.open({ autoDestroy: false });
  // Of a schema alone the library makes a batch without rows.
  return opened(reader.schema, reader.next().value);
}

/** As `openStreamBatch`, of a file, whose dictionaries all batches share. */
function openFileBatch(memory: DecodeMemory, bytes: Uint8Array, index: number): OpenBatch {
  memory.clear();
  setCodecs(memory);
  const reader = RecordBatchReader.from(bytes);
  reader.open({ autoDestroy: false });
  const batch = reader.isFile() && reader.isSync() ? reader.readRecordBatch(index) : undefined;
  return opened(reader.schema, batch);
}

function opened(schema: Schema | undefined, batch: RecordBatch | null | undefined): OpenBatch {
  if (!schema) throw unreadable("it has no schema");
  return {
    fields: schema.fields,
    length: batch?.numRows ?? 0,
    children: batch?.data.children ?? [],
  };
}

interface BatchPiece {
  readonly batch: OpenBatch;
  readonly start: number;
  readonly count: number;
  readonly firstRow: number;
}

function readTarget(
  memory: DecodeMemory,
  { batch, start, count, firstRow }: BatchPiece,
  { place: fieldIndex, given }: Target,
  position: number,
): EncodedBatch["columns"][number] {
  const { name, type } = batch.fields[fieldIndex];
  const place = { name, position, firstRow };
  if (count === 0) return fitColumn(emptyColumn(type), given, place);
  const data = batch.children[fieldIndex];
  if (!data || data.length !== batch.length)
    throw unreadable(`the column ${name} has another length than its batch`);
  return fitColumn(readColumn(memory, { data, start, count }, place), given, place);
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

/** Rows of a column. */
interface Piece {
  readonly data: Data;
  readonly start: number;
  readonly count: number;
}

function readColumn(memory: DecodeMemory, piece: Piece, place: ColumnPlace): FoundColumn {
  const { data, count } = piece;
  const { type } = data;
  if (DataType.isDictionary(type)) return readDictionary(memory, piece, place);
  if (DataType.isNull(type)) return { vector: nullVector("text", count), isDate: false };
  if (isText(type)) return readTexts(memory, piece, place);
  const decoder = decoderOf(type);
  const values =
    (decoder && decodeNumbers(memory, piece, decoder, place)) ?? readSlowly(piece, place);
  const vectorType = typeOf(type) === "datetime" ? "datetime" : "number";
  return {
    vector: { type: vectorType, values },
    isDate: DataType.isDate(type) && isWholeDays(values),
  };
}

interface Decoder {
  readonly name: keyof {
    [Name in keyof Decoders as Name extends `read${string}` ? Name : never]: true;
  };
  readonly sizeBytes: number;
  /** Of decimals: what they are divided by. */
  readonly power?: number;
}

/** The decoder of values that are stored as they are; undefined when there is none. */
function decoderOf(type: DataType): Decoder | undefined {
  if (DataType.isInt(type)) {
    const sizeBytes = type.bitWidth / 8;
    const { bitWidth } = type;
    return { name: type.isSigned ? `readInt${bitWidth}` : `readUint${bitWidth}`, sizeBytes };
  }
  if (DataType.isFloat(type))
    return type.precision === Precision.DOUBLE
      ? { name: "readFloat64", sizeBytes: 8 }
      : type.precision === Precision.SINGLE
        ? { name: "readFloat32", sizeBytes: 4 }
        : undefined;
  if (DataType.isDecimal(type)) {
    const { bitWidth } = type;
    const power = powerOf(type.scale);
    const hasDecoder = power === power && (bitWidth === 32 || bitWidth === 64 || bitWidth === 128);
    return hasDecoder
      ? { name: `readDecimal${bitWidth}`, sizeBytes: bitWidth / 8, power }
      : undefined;
  }
  if (DataType.isTimestamp(type)) return { name: instantDecoders[type.unit], sizeBytes: 8 };
  if (!DataType.isDate(type)) return undefined;
  return type.unit === DateUnit.DAY
    ? { name: "readDays", sizeBytes: 4 }
    : { name: "readMilliseconds", sizeBytes: 8 };
}

const instantDecoders = {
  [TimeUnit.SECOND]: "readSeconds",
  [TimeUnit.MILLISECOND]: "readMilliseconds",
  [TimeUnit.MICROSECOND]: "readMicroseconds",
  [TimeUnit.NANOSECOND]: "readNanoseconds",
} as const;

/** Decodes values block by block; undefined when one is refused, which the slow way tells. */
function decodeNumbers(
  memory: DecodeMemory,
  { data, start, count }: Piece,
  { name, sizeBytes, power = 1 }: Decoder,
  place: ColumnPlace,
): Float64Array<ArrayBuffer> | undefined {
  const stored = bytesOf(data.values as ArrayBufferView);
  if (stored.length < (start + count) * sizeBytes) throw shortBuffer(place);
  const values = new Float64Array(count);
  for (let from = 0; from < count; from += blockRows) {
    memory.release();
    const rows = Math.min(blockRows, count - from);
    const first = start + from;
    const levels = levelsOf(memory, data, first, rows);
    const block = memory.place(stored.subarray(first * sizeBytes, (first + rows) * sizeBytes));
    const to = memory.take(rows * 8);
    if (memory.decoders[name](block, levels, rows, to, power) < rows) return undefined;
    values.set(memory.doubles(to, rows), from);
  }
  return values;
}

function readTexts(
  memory: DecodeMemory,
  { data, start, count }: Piece,
  place: ColumnPlace,
): FoundColumn {
  const reader = new TextReader(memory, what, place.name, count);
  const codes = new Int32Array(count);
  for (let from = 0; from < count; from += blockRows) {
    memory.release();
    const rows = Math.min(blockRows, count - from);
    const levels = levelsOf(memory, data, start + from, rows);
    const places = placeTexts(memory, { data, start: start + from, count: rows });
    codes.set(memory.words(reader.read(places, levels, rows), rows), from);
  }
  return { vector: reader.finish(codes), isDate: false };
}

/** Puts the texts of a piece into the memory. */
function placeTexts(memory: DecodeMemory, piece: Piece): TextPlaces {
  const { data, start, count } = piece;
  if (DataType.isUtf8View(data.type)) return placeViews(memory, piece);
  const all: Int32Array | BigInt64Array = data.valueOffsets;
  if (all.length < start + count + 1) throw unreadable("a buffer of offsets is too short");
  const bytes = data.values as Uint8Array;
  const first = Number(all[start]);
  const last = Number(all[start + count]);
  const isInside = first >= 0 && last >= first && last <= bytes.length;
  const from = isInside ? first : 0;
  const source = bytes.subarray(from, isInside ? last : undefined);
  const own = all.subarray(start, start + count + 1);
  // A place that 32 bits do not hold is outside.
  const offsets =
    own instanceof Int32Array
      ? own
      : Int32Array.from(own, (offset) =>
          Math.max(-1, Math.min(Number(offset) - from, 2 ** 31 - 1)),
        );
  const places = {
    source: memory.place(source),
    sizeBytes: source.length,
    starts: memory.take(count * 4),
    ends: memory.take(count * 4),
  };
  const { starts, ends } = places;
  const base = own instanceof Int32Array ? from : 0;
  memory.decoders.placeTexts(
    memory.place(offsets),
    count,
    base + source.length,
    -base,
    starts,
    ends,
  );
  return places;
}

/** Views of 16 bytes: a length, then up to 12 bytes of text, or 4 bytes of it and where all of it lies. */
function placeViews(memory: DecodeMemory, { data, start, count }: Piece): TextPlaces {
  const views = (data.values as Uint8Array).subarray(start * 16, (start + count) * 16);
  if (views.length < count * 16) throw unreadable("a buffer of views is too short");
  const words = new DataView(views.buffer, views.byteOffset, views.length);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const pieces: Uint8Array[] = [views];
  let sizeBytes = views.length;
  for (let row = 0; row < count; row++) {
    const at = row * 16;
    const length = words.getInt32(at, true);
    const buffer = data.variadicBuffers[length > 12 ? words.getInt32(at + 8, true) : 0];
    const from = words.getInt32(at + 12, true);
    if (length <= 12) {
      starts[row] = at + 4;
      ends[row] = at + 4 + length;
    } else if (buffer && from >= 0 && from + length <= buffer.length) {
      pieces.push(buffer.subarray(from, from + length));
      starts[row] = sizeBytes;
      sizeBytes += length;
      ends[row] = sizeBytes;
    } else starts[row] = -1;
  }
  const source = memory.take(sizeBytes);
  let to = source;
  for (const each of pieces) {
    memory.bytes(to, each.length).set(each);
    to += each.length;
  }
  return { source, sizeBytes, starts: memory.place(starts), ends: memory.place(ends) };
}

/** What `decoderOf` has no decoder for, and what it refuses. */
function readSlowly({ data, start, count }: Piece, place: ColumnPlace): Float64Array<ArrayBuffer> {
  const part = data.slice(start, count);
  const { type, length } = part;
  const isValid = validity(part);
  if (!DataType.isDate(type) && !DataType.isTimestamp(type))
    return readNumeric(part, isValid, place);
  const unit = DataType.isDate(type)
    ? type.unit === DateUnit.DAY
      ? "day"
      : "millisecond"
    : units[type.unit];
  return unit === "day"
    ? readDays(numbersOf(part, length), length, isValid, place)
    : readInstants(wordsOf(part, length * 2), length, unit, isValid, place);
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
function readDictionary(memory: DecodeMemory, piece: Piece, place: ColumnPlace): FoundColumn {
  const { type, dictionary } = piece.data;
  if (!DataType.isDictionary(type) || !dictionary)
    throw unreadable(`the column ${place.name} has no dictionary`);
  const chunks = dictionary.data.filter(({ length }) => length > 0);
  if (isText(type.dictionary)) return readTextDictionary(memory, piece, chunks, place);
  const entries = chunks.map((data) => {
    memory.release();
    return readColumn(memory, { data, start: 0, count: data.length }, place);
  });
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const flat = new Float64Array(size);
  let filled = 0;
  for (const { vector } of entries)
    if (vector.type !== "text") {
      flat.set(vector.values, filled);
      filled += vector.values.length;
    }
  memory.release();
  const placed = memory.place(flat);
  memory.keep();
  const values = new Float64Array(piece.count);
  for (const { from, rows, levels, indices } of indexBlocks(memory, piece, place)) {
    const to = memory.take(rows * 8);
    if (memory.decoders.gatherDoubles(placed, size, indices, levels, rows, to) < rows)
      throw outsideDictionary(place);
    values.set(memory.doubles(to, rows), from);
  }
  const vectorType = typeOf(type.dictionary) === "datetime" ? "datetime" : "number";
  return {
    vector: { type: vectorType, values },
    isDate: entries.length > 0 && entries.every(({ isDate }) => isDate),
  };
}

function readTextDictionary(
  memory: DecodeMemory,
  piece: Piece,
  chunks: readonly Data[],
  place: ColumnPlace,
): FoundColumn {
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const reader = new TextReader(memory, what, place.name, Math.min(size, piece.count));
  const known = memory.takeZeros(size * 4);
  let first = 0;
  const placed = chunks.map((data): TextPlaces => {
    const { length } = data;
    const levels = levelsOf(memory, data, 0, length);
    if (levels !== 0) {
      const isValue = memory.bytes(levels, length);
      const codes = memory.words(known + first * 4, length);
      for (let entry = 0; entry < length; entry++) if (isValue[entry] === 0) codes[entry] = 1;
    }
    first += length;
    return placeTexts(memory, { data, start: 0, count: length });
  });
  const places = joinPlaces(memory, placed, chunks);
  memory.keep();
  const codes = new Int32Array(piece.count);
  for (const { from, rows, levels, indices } of indexBlocks(memory, piece, place)) {
    const found = reader.readIndexed(places, known, size, indices, levels, rows);
    codes.set(memory.words(found, rows), from);
  }
  return { vector: reader.finish(codes), isDate: false };
}

/** Makes the places of all parts of a dictionary one list, over one source from the first to the last. */
function joinPlaces(
  memory: DecodeMemory,
  placed: readonly TextPlaces[],
  chunks: readonly Data[],
): TextPlaces {
  if (placed.length === 1) return placed[0];
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const source = Math.min(...placed.map((each) => each.source));
  const sourceEnd = Math.max(...placed.map((each) => each.source + each.sizeBytes));
  const starts = memory.take(size * 4);
  const ends = memory.take(size * 4);
  let first = 0;
  placed.forEach((each, index) => {
    const { length } = chunks[index];
    const by = each.source - source;
    const ownStarts = memory.words(each.starts, length);
    const ownEnds = memory.words(each.ends, length);
    const allStarts = memory.words(starts + first * 4, length);
    const allEnds = memory.words(ends + first * 4, length);
    for (let entry = 0; entry < length; entry++) {
      const isInside =
        ownStarts[entry] >= 0 &&
        ownStarts[entry] <= ownEnds[entry] &&
        ownEnds[entry] <= each.sizeBytes;
      allStarts[entry] = isInside ? ownStarts[entry] + by : -1;
      allEnds[entry] = isInside ? ownEnds[entry] + by : 0;
    }
    first += length;
  });
  return { source, sizeBytes: sourceEnd - source, starts, ends };
}

interface IndexBlock {
  readonly from: number;
  readonly rows: number;
  readonly levels: number;
  /** Address of indices of 32 bits. */
  readonly indices: number;
}

/** Brings the indices of a piece into the memory, block by block; a block stays until the next one comes. */
function* indexBlocks(
  memory: DecodeMemory,
  { data, start, count }: Piece,
  place: ColumnPlace,
): Generator<IndexBlock> {
  const { type } = data;
  if (!DataType.isDictionary(type)) return;
  const { isSigned } = type.indices;
  const bitWidth: number = type.indices.bitWidth;
  const sizeBytes = bitWidth / 8;
  const stored = bytesOf(data.values as ArrayBufferView);
  if (stored.length < (start + count) * sizeBytes) throw shortBuffer(place);
  for (let from = 0; from < count; from += blockRows) {
    memory.release();
    const rows = Math.min(blockRows, count - from);
    const first = start + from;
    const levels = levelsOf(memory, data, first, rows);
    const narrow = memory.place(stored.subarray(first * sizeBytes, (first + rows) * sizeBytes));
    let indices = narrow;
    if (bitWidth !== 32) {
      indices = memory.take(rows * 4);
      const name =
        bitWidth === 64 ? "widenIndices64" : `widenIndices${bitWidth}${isSigned ? "" : "u"}`;
      memory.decoders[name as "widenIndices8"](narrow, rows, indices);
    }
    yield { from, rows, levels, indices };
  }
}

/** Brings validity into the memory as levels: 0 when there is no null. */
function levelsOf(memory: DecodeMemory, data: Data, start: number, count: number): number {
  const { nullBitmap: bits } = data;
  if (!bits || bits.length === 0 || data.nullCount === 0) return 0;
  const first = data.offset + start;
  if (bits.length * 8 < first + count) throw unreadable("a validity bitmap is too short");
  const levels = memory.take(count);
  const stored = memory.place(bits.subarray(first >> 3, (first + count + 7) >> 3));
  memory.decoders.expandBits(stored, first & 7, count, levels);
  return memory.decoders.countLevels(levels, count) === count ? 0 : levels;
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isText(type: DataType): boolean {
  return DataType.isUtf8(type) || DataType.isLargeUtf8(type) || DataType.isUtf8View(type);
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

/** Gives the library what decompresses, into the memory; of one batch no more than the limit comes out. */
function setCodecs(memory: DecodeMemory): void {
  let leftBytes = bodyLimit;
  const spend = (bytes: Uint8Array): Uint8Array => {
    leftBytes -= bytes.length;
    memory.keep();
    return bytes;
  };
  compressionRegistry.set(CompressionType.ZSTD, {
    decode: (bytes) =>
      spend(zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, leftBytes) })),
  });
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (bytes) => spend(decodeLz4Frame(memory, bytes, leftBytes)),
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
