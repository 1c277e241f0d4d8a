import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { parquetHeader } from "hyparquet/src/column.js";
import type { ColumnMetaData, CompressionCodec, Encoding, PageHeader } from "hyparquet";
import { decodeLz4Block, decodeLz4Frame } from "./lz4.ts";
import { readHybrid } from "./readHybrid.ts";
import { decodeSnappy } from "./snappy.ts";
import { paddingBytes } from "../column/textPool.ts";

/** Bytes of one page. */
const pageLimit = 2 ** 30;

/** Where pages of usual size are decompressed, one after the other. */
const scratch = new Uint8Array(2 ** 22);

/** A page of a column chunk, decompressed. */
export interface ParquetPage {
  readonly isDictionary: boolean;
  readonly encoding: Encoding;
  /** Values with nulls. */
  readonly rowCount: number;
  /** Values that are stored. */
  readonly valueCount: number;
  /** 0 for every null; absent when there is none. */
  readonly levels?: Int32Array;
  /** The stored values, until the next page comes; those of a dictionary stay. `paddingBytes` behind them may be read. */
  readonly bytes: Uint8Array;
}

/** Reads the pages of a column chunk that is not nested. Throws any error when they are damaged. */
export function* readPages(
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
    throw new RangeError("a column lies outside of the file");
  const view = new DataView(file.buffer, file.byteOffset, end);
  const reader = { view, offset: start };
  let row = 0;
  while (row < rowCount && reader.offset < end) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size } = header;
    const stored = file.subarray(reader.offset, reader.offset + size);
    if (size < 0 || reader.offset + size > end)
      throw new RangeError("a page lies outside of its column");
    reader.offset += size;
    const page = openPage(header, stored, chunk.codec, isOptional, rowCount - row);
    if (!page) continue;
    if (!page.isDictionary) row += page.rowCount;
    yield page;
  }
  if (row !== rowCount) throw new RangeError(`a column has ${row} values for ${rowCount} rows`);
}

function openPage(
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
      bytes: decompress(stored, size, codec, true),
    };
  }
  if (header.data_page_header) {
    const { num_values, encoding, definition_level_encoding } = header.data_page_header;
    const rowCount = countOf(num_values, leftRows);
    const bytes = decompress(stored, size, codec);
    if (!isOptional)
      return { isDictionary: false, encoding, rowCount, valueCount: rowCount, bytes };
    if (definition_level_encoding !== "RLE")
      throw new TypeError(`levels are encoded as ${definition_level_encoding}`);
    const length = viewOf(bytes).getInt32(0, true);
    if (length < 0 || length + 4 > bytes.length)
      throw new RangeError("the levels of a page lie outside of it");
    const found = readLevels(bytes.subarray(4, 4 + length), rowCount);
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
      throw new RangeError("the levels of a page lie outside of it");
    const rest = stored.subarray(levelBytes);
    const bytes = is_compressed === false ? rest : decompress(rest, size - levelBytes, codec);
    const found = isOptional
      ? readLevels(stored.subarray(0, levelBytes), rowCount)
      : { valueCount: rowCount };
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
  bytes: Uint8Array,
  rowCount: number,
): Pick<ParquetPage, "valueCount" | "levels"> {
  if (isRunOfOnes(bytes, rowCount)) return { valueCount: rowCount };
  const levels = new Int32Array(rowCount);
  readHybrid(bytes, 1, levels);
  let valueCount = 0;
  for (let row = 0; row < rowCount; row++) valueCount += levels[row];
  return valueCount === rowCount ? { valueCount } : { valueCount, levels };
}

/** Tells whether levels are one run that says that no value is null: the usual case. */
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
  stored: Uint8Array,
  size: number,
  codec: CompressionCodec,
  isKept = false,
): Uint8Array {
  if (codec === "UNCOMPRESSED") return stored;
  if (!(size >= 0 && size <= pageLimit)) throw new RangeError(`a page has ${size} bytes`);
  const room = size + paddingBytes;
  const padded = isKept || room > scratch.length ? new Uint8Array(room) : scratch.subarray(0, room);
  if (codec === "SNAPPY") return decodeSnappy(stored, size, padded);
  padded.fill(0, size);
  const page = padded.subarray(0, size);
  if (size === 0) return page;
  switch (codec) {
    case "LZ4_RAW":
      if (decodeLz4Block(stored, page) !== size)
        throw new RangeError("a page has another size than it says");
      return page;
    case "LZ4":
      return copyInto(page, decodeHadoopLz4(stored, size));
    case "GZIP":
      return copyInto(page, gunzipSync(stored, { maxOutputLength: size }));
    case "ZSTD":
      return copyInto(page, zstdDecompressSync(stored, { maxOutputLength: size }));
    case "BROTLI":
      return copyInto(page, brotliDecompressSync(stored, { maxOutputLength: size }));
    default:
      throw new TypeError(`pages are compressed by ${codec}; use zstd, snappy or lz4`);
  }
}

function copyInto(page: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== page.length) throw new RangeError("a page has another size than it says");
  page.set(bytes);
  return page;
}

/** The deprecated codec LZ4 is a frame, one block, or blocks of Hadoop, each behind its two sizes in big-endian. */
function decodeHadoopLz4(stored: Uint8Array, size: number): Uint8Array {
  const view = viewOf(stored);
  if (stored.length >= 4 && view.getUint32(0, true) === 0x184d2204)
    return decodeLz4Frame(stored, size);
  const page = new Uint8Array(size);
  if (stored.length >= 8 && view.getUint32(0) <= size && view.getUint32(4) + 8 <= stored.length) {
    let at = 0;
    let written = 0;
    while (at + 8 <= stored.length) {
      const length = view.getUint32(at + 4);
      written = decodeLz4Block(stored.subarray(at + 8, at + 8 + length), page, written);
      at += 8 + length;
    }
    if (written === size) return page;
  }
  if (decodeLz4Block(stored, page) !== size)
    throw new RangeError("a page has another size than it says");
  return page;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
