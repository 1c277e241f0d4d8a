import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { parquetHeader } from "hyparquet/src/column.js";
import type { ColumnMetaData, CompressionCodec, Encoding, PageHeader } from "hyparquet";
import { awaitBytes } from "../decode/arrivingBytes.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { decodeLz4Block, decodeLz4Frame } from "../decode/lz4.ts";

/** Maximum decompressed bytes of one page. */
const pageLimit = 2 ** 30;

/** A page of a column chunk, decompressed. */
export interface ParquetPage {
  readonly isDictionary: boolean;
  readonly encoding: Encoding;
  /** Number of rows, including rows that are null. */
  readonly rowCount: number;
  /** Number of stored values, without nulls. */
  readonly valueCount: number;
  /** Address of the levels in the decode memory, in the form that `Decoders` read; 0 if there are no nulls. */
  readonly levels: number;
  /** The stored values, in the decode memory. Valid until the next page; for a dictionary, until `clear`. */
  readonly bytes: Uint8Array;
}

/**
 * Reads the pages of a flat column chunk into `memory`.
 * @throws {Error} of any class if a page is damaged
 */
export function* readPages(
  memory: DecodeMemory,
  file: Uint8Array,
  chunk: ColumnMetaData,
  isOptional: boolean,
  rowCount: number,
): Generator<ParquetPage> {
  const dataAt = Number(chunk.data_page_offset);
  const dictionaryAt = Number(chunk.dictionary_page_offset ?? 0);
  const start = dictionaryAt > 0 ? Math.min(dictionaryAt, dataAt) : dataAt;
  const end = start + Number(chunk.total_compressed_size);
  if (!(start >= 0 && end <= file.length && end >= start))
    throw new RangeError("a column is outside the file");
  awaitBytes(start, end);
  const view = new DataView(file.buffer, file.byteOffset, end);
  const reader = { view, offset: start };
  let row = 0;
  while (row < rowCount && reader.offset < end) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size } = header;
    const stored = file.subarray(reader.offset, reader.offset + size);
    if (size < 0 || reader.offset + size > end)
      throw new RangeError("a page is outside its column");
    reader.offset += size;
    memory.release();
    const page = openPage(memory, header, stored, chunk.codec, isOptional, rowCount - row);
    if (!page) continue;
    if (!page.isDictionary) row += page.rowCount;
    yield page;
    if (page.isDictionary) memory.keep();
  }
  if (row !== rowCount) throw new RangeError(`a column has ${row} values for ${rowCount} rows`);
}

function openPage(
  memory: DecodeMemory,
  header: PageHeader,
  stored: Uint8Array,
  codec: CompressionCodec,
  isOptional: boolean,
  leftRows: number,
): ParquetPage | undefined {
  const size = header.uncompressed_page_size;
  if (header.dictionary_page_header) {
    const count = countOf(header.dictionary_page_header.num_values, size * 8);
    return {
      isDictionary: true,
      encoding: "PLAIN",
      rowCount: count,
      valueCount: count,
      levels: 0,
      bytes: decompress(memory, stored, size, codec),
    };
  }
  if (header.data_page_header) {
    const { num_values, encoding, definition_level_encoding } = header.data_page_header;
    const rowCount = countOf(num_values, leftRows);
    const bytes = decompress(memory, stored, size, codec);
    if (!isOptional)
      return { isDictionary: false, encoding, rowCount, valueCount: rowCount, levels: 0, bytes };
    if (definition_level_encoding !== "RLE")
      throw new TypeError(`levels have the unsupported encoding ${definition_level_encoding}`);
    const length = viewOf(bytes).getInt32(0, true);
    if (length < 0 || length + 4 > bytes.length)
      throw new RangeError("the levels of a page extend beyond it");
    const found = readLevels(memory, bytes.subarray(4, 4 + length), rowCount);
    return { isDictionary: false, encoding, rowCount, ...found, bytes: bytes.subarray(4 + length) };
  }
  if (header.data_page_header_v2) {
    const {
      num_values,
      encoding,
      definition_levels_byte_length: levelBytes,
      repetition_levels_byte_length,
      is_compressed,
    } = header.data_page_header_v2;
    const rowCount = countOf(num_values, leftRows);
    if (repetition_levels_byte_length !== 0 || !(levelBytes >= 0 && levelBytes <= stored.length))
      throw new RangeError("the levels of a page extend beyond it");
    const rest = stored.subarray(levelBytes);
    const restCodec = is_compressed === false ? "UNCOMPRESSED" : codec;
    const bytes = decompress(memory, rest, size - levelBytes, restCodec);
    const levels = stored.subarray(0, levelBytes);
    const found = isOptional
      ? readLevels(memory, inMemory(memory, levels), rowCount)
      : { valueCount: rowCount, levels: 0 };
    return { isDictionary: false, encoding, rowCount, ...found, bytes };
  }
  return undefined;
}

function countOf(count: number, limit: number): number {
  if (!(count >= 0 && count <= limit))
    throw new RangeError("a page has more values than its column");
  return count;
}

function readLevels(
  { decoders, take }: DecodeMemory,
  bytes: Uint8Array,
  rowCount: number,
): Pick<ParquetPage, "valueCount" | "levels"> {
  if (isRunOfOnes(bytes, rowCount)) return { valueCount: rowCount, levels: 0 };
  const levels = take(rowCount);
  const from = bytes.byteOffset;
  if (!decoders.unpackLevels(from, from + bytes.length, rowCount, levels))
    throw new RangeError("the levels of a page end too early");
  const valueCount = decoders.countLevels(levels, rowCount);
  return { valueCount, levels: valueCount === rowCount ? 0 : levels };
}

/** Returns whether levels are a single run without nulls, which is the usual case. */
function isRunOfOnes(bytes: Uint8Array, rowCount: number): boolean {
  let header = 0;
  let at = 0;
  for (let shift = 0; at < bytes.length && shift <= 21; shift += 7) {
    header |= (bytes[at] & 0x7f) << shift;
    if (bytes[at++] < 0x80)
      return (header & 1) === 0 && header >>> 1 >= rowCount && bytes[at] === 1;
  }
  return false;
}

function decompress(
  memory: DecodeMemory,
  stored: Uint8Array,
  size: number,
  codec: CompressionCodec,
): Uint8Array {
  if (codec === "UNCOMPRESSED") return inMemory(memory, stored);
  if (!(size >= 0 && size <= pageLimit))
    throw new RangeError(`a page claims to have ${size} bytes`);
  switch (codec) {
    case "SNAPPY":
    case "LZ4_RAW":
    case "LZ4":
      return decompressHere(memory, stored, size, codec);
    case "GZIP":
      return inMemory(memory, checked(gunzipSync(stored, { maxOutputLength: roomOf(size) }), size));
    case "ZSTD":
      return inMemory(
        memory,
        checked(zstdDecompressSync(stored, { maxOutputLength: roomOf(size) }), size),
      );
    case "BROTLI":
      return inMemory(
        memory,
        checked(brotliDecompressSync(stored, { maxOutputLength: roomOf(size) }), size),
      );
    default:
      throw new TypeError(
        `pages are compressed with ${codec}, which is not supported; use zstd, snappy or lz4`,
      );
  }
}

/** Returns an output limit that Node accepts, because it rejects a limit of 0 bytes. */
function roomOf(size: number): number {
  return Math.max(1, size);
}

function checked(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw otherSize();
  return bytes;
}

function otherSize(): RangeError {
  return new RangeError("a page has a different size than its header says");
}

function decompressHere(
  memory: DecodeMemory,
  stored: Uint8Array,
  size: number,
  codec: "SNAPPY" | "LZ4_RAW" | "LZ4",
): Uint8Array {
  const to = memory.take(size);
  if (size === 0) return memory.bytes(to, 0);
  const limit = to + size;
  const from = memory.place(stored);
  if (codec === "LZ4") return decodeHadoopLz4(memory, memory.bytes(from, stored.length), to, limit);
  if (codec === "LZ4_RAW") {
    if (decodeLz4Block(memory, from, stored.length, to, limit) !== limit) throw otherSize();
  } else if (
    memory.decoders.decompressSnappy(from, from + stored.length, to, limit) >>> 0 !==
    limit
  )
    throw new RangeError("the Snappy block is damaged");
  return memory.bytes(to, size);
}

/**
 * Decodes Parquet's deprecated codec LZ4. The bytes are an LZ4 frame, a single block, or Hadoop's blocks. Each of
 * Hadoop's blocks follows its two sizes in big-endian.
 */
function decodeHadoopLz4(
  memory: DecodeMemory,
  stored: Uint8Array,
  to: number,
  limit: number,
): Uint8Array {
  const size = limit - to;
  const view = viewOf(stored);
  const { length, byteOffset: from } = stored;
  if (length >= 4 && view.getUint32(0, true) === 0x184d2204)
    return checked(decodeLz4Frame(memory, stored, size), size);
  if (length >= 8 && view.getUint32(0) <= size && view.getUint32(4) + 8 <= length) {
    let at = 0;
    let written = to;
    while (at + 8 <= length) {
      const blockBytes = view.getUint32(at + 4);
      if (blockBytes > length - at - 8) break;
      written = decodeLz4Block(memory, from + at + 8, blockBytes, written, limit, to);
      at += 8 + blockBytes;
    }
    if (written === limit) return memory.bytes(to, size);
  }
  if (decodeLz4Block(memory, from, length, to, limit) !== limit) throw otherSize();
  return memory.bytes(to, size);
}

function inMemory(memory: DecodeMemory, bytes: Uint8Array): Uint8Array {
  return memory.bytes(memory.place(bytes), bytes.length);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
