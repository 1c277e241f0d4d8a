import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { ColumnDecoder, Compressors, DecodedArray, PageHeader } from "hyparquet/src/types.js";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert } from "hyparquet/src/convert.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import { checkThrift } from "./checkThrift.ts";
import { ParquetRuns } from "./parquetRuns.ts";
import { checkPlain, openParquetValues, type ParquetValues } from "./parquetValues.ts";
import type { UnpackBudget } from "./unpackBudget.ts";
import { unpackLz4, unpackLz4Block } from "./unpackLz4.ts";
import { unpackSnappy } from "./unpackSnappy.ts";

/** Maximum decompressed size of a page in bytes. Some writers create only one page per column chunk. */
const mostPageBytes = 2 ** 28;

/**
 * The maximum compression ratio of each codec. Zstandard and Brotli have no maximum, so only the budget of the call
 * limits them.
 */
const mostRatios: Readonly<Record<string, number>> = {
  UNCOMPRESSED: 1,
  SNAPPY: 64,
  LZ4: 256,
  LZ4_RAW: 256,
  GZIP: 1040,
};

type Unpack = (packed: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Decompresses a page, but never to more than its declared size. */
const unpack =
  (run: Unpack) =>
  (packed: Uint8Array, sizeBytes: number): Uint8Array =>
    new Uint8Array(run(packed, { maxOutputLength: Math.max(1, sizeBytes) }));

/** The codecs that replace or extend those of hyparquet: those of Node, LZ4 and Snappy. */
export const compressors: Compressors = {
  GZIP: unpack(gunzipSync),
  BROTLI: unpack(brotliDecompressSync),
  ZSTD: unpack(zstdDecompressSync),
  SNAPPY: unpackSnappy,
  LZ4: unpackLz4,
  LZ4_RAW: unpackLz4Block,
};

/** An open page of a column chunk. */
export interface ParquetPage {
  /** Number of values, including nulls. In a column of lists, it is the number of list entries. */
  readonly valueCount: number;
  /** The definition levels. Undefined if no value can be null. */
  readonly definitions: ParquetRuns | undefined;
  /** The repetition levels. Undefined for columns that are not in a list. */
  readonly repetitions: ParquetRuns | undefined;
  readonly values: ParquetValues;
}

export interface PagesOptions {
  /** The column chunk as stored in the file. */
  readonly bytes: Uint8Array;
  readonly decoder: ColumnDecoder;
  readonly budget: UnpackBudget;
}

/**
 * Opens the pages of a column chunk one after another. Each length that a page declares is checked against the actual
 * bytes and the budget before memory is allocated for it.
 * @throws {Error} for a damaged page, or a page that declares too much
 */
export function* parquetPages({ bytes, decoder, budget }: PagesOptions): Generator<ParquetPage> {
  let dictionary: DecodedArray | undefined;
  for (let at = 0; at < bytes.length - 1;) {
    const end = checkThrift(bytes, at);
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: at };
    const header = parquetHeader(reader);
    const sizeBytes = header.compressed_page_size;
    if (!(sizeBytes >= 0 && sizeBytes <= bytes.length - end))
      throw new Error(`a page declares ${sizeBytes} bytes but only ${bytes.length - end} follow`);
    const packed = bytes.subarray(end, end + sizeBytes);
    at = end + sizeBytes;
    if (header.type === "DICTIONARY_PAGE") {
      dictionary = readDictionary(packed, header, decoder, budget);
      continue;
    }
    if (header.type !== "DATA_PAGE" && header.type !== "DATA_PAGE_V2") continue;
    const page = openPage(packed, header, { decoder, budget, dictionary });
    if (page.valueCount > 0) yield page;
  }
}

function unpackPage(
  packed: Uint8Array,
  sizeBytes: number,
  { codec }: ColumnDecoder,
  budget: UnpackBudget,
): Uint8Array {
  const ratio = mostRatios[codec] ?? Infinity;
  if (!(sizeBytes >= 0) || sizeBytes > mostPageBytes || sizeBytes > 64 + ratio * packed.length)
    throw new Error(
      `a page declares that it unpacks from ${packed.length} bytes (${codec}) to ${sizeBytes}, above the maximum of ` +
        `${mostPageBytes / 2 ** 20} MiB`,
    );
  budget.take(sizeBytes);
  return decompressPage(packed, sizeBytes, codec, compressors);
}

function readDictionary(
  packed: Uint8Array,
  header: PageHeader,
  decoder: ColumnDecoder,
  budget: UnpackBudget,
): DecodedArray {
  const valueCount = header.dictionary_page_header?.num_values ?? 0;
  const page = unpackPage(packed, header.uncompressed_page_size, decoder, budget);
  checkPlain(decoder, page.length, valueCount);
  budget.take(8 * valueCount);
  const reader = { view: new DataView(page.buffer, page.byteOffset, page.length), offset: 0 };
  const { type, element } = decoder;
  return convert(readPlain(reader, type, valueCount, element.type_length), decoder);
}

interface PageContext {
  readonly decoder: ColumnDecoder;
  readonly budget: UnpackBudget;
  readonly dictionary: DecodedArray | undefined;
}

function openPage(packed: Uint8Array, header: PageHeader, context: PageContext): ParquetPage {
  const { decoder, budget, dictionary } = context;
  const head = header.data_page_header_v2 ?? header.data_page_header;
  if (!head) throw new Error("a page has no header");
  const valueCount = head.num_values;
  const mostDefined = getMaxDefinitionLevel(decoder.schemaPath);
  const definitionBits = bitsOf(mostDefined);
  const repetitionBits = bitsOf(getMaxRepetitionLevel(decoder.schemaPath));
  const levelCount = (definitionBits > 0 ? 1 : 0) + (repetitionBits > 0 ? 1 : 0);
  // A decoded value takes at least 8 bytes, and so does each of its levels.
  budget.take(8 * valueCount * (1 + levelCount));
  const valuesOf = (
    bytes: Uint8Array,
    from: number,
    definitions: (() => ParquetRuns) | undefined,
  ): ParquetValues =>
    openParquetValues({
      bytes,
      from,
      encoding: head.encoding,
      countPresent: () =>
        definitions ? countLevels(definitions(), valueCount, mostDefined) : valueCount,
      decoder,
      dictionary,
      budget,
    });
  if (header.data_page_header_v2) {
    const { repetition_levels_byte_length: repeated, definition_levels_byte_length: defined } =
      header.data_page_header_v2;
    if (!(repeated >= 0 && defined >= 0 && repeated + defined <= packed.length))
      throw new Error("a page declares more bytes of levels than it has");
    const body = packed.subarray(repeated + defined);
    const bodyBytes = header.uncompressed_page_size - repeated - defined;
    const isPacked = header.data_page_header_v2.is_compressed !== false;
    const definitions = definitionBits
      ? () => new ParquetRuns(packed, repeated, repeated + defined, definitionBits)
      : undefined;
    return {
      valueCount,
      repetitions: repetitionBits
        ? new ParquetRuns(packed, 0, repeated, repetitionBits)
        : undefined,
      definitions: definitions?.(),
      values: valuesOf(
        isPacked ? unpackPage(body, bodyBytes, decoder, budget) : body,
        0,
        definitions,
      ),
    };
  }
  const page = unpackPage(packed, header.uncompressed_page_size, decoder, budget);
  const view = new DataView(page.buffer, page.byteOffset, page.length);
  let from = 0;
  const levels = (bits: number): (() => ParquetRuns) | undefined => {
    if (bits === 0) return undefined;
    if (from + 4 > page.length) throw new Error("a page ends before its levels do");
    const start = from + 4;
    const end = start + view.getUint32(from, true);
    from = end;
    return () => new ParquetRuns(page, start, end, bits);
  };
  const repetitions = levels(repetitionBits);
  const definitions = levels(definitionBits);
  return {
    valueCount,
    repetitions: repetitions?.(),
    definitions: definitions?.(),
    values: valuesOf(page, from, definitions),
  };
}

const countedAtOnce = 65_536;

/** Counts how many of the next levels equal `wanted`. */
function countLevels(levels: ParquetRuns, count: number, wanted: number): number {
  let found = 0;
  for (let from = 0; from < count; from += countedAtOnce)
    for (const level of levels.read(Math.min(countedAtOnce, count - from)))
      if (level === wanted) found++;
  return found;
}

/** Returns the number of bits that a level of at most `most` needs. */
function bitsOf(most: number): number {
  return 32 - Math.clz32(most);
}
