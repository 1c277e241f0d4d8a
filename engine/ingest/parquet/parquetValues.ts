import type { SchemaElement } from "hyparquet";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import type { ParquetPage } from "./parquetPages.ts";
import { readDelta } from "./readDelta.ts";
import type { TextPlaces } from "../decode/textReader.ts";

/** The stored values of a page without nulls, before they are converted to their logical type. */
export type StoredValues =
  | { readonly form: "numbers"; readonly numbers: ArrayLike<number> }
  /** `wordCount` 32-bit words per value, low word first. */
  | { readonly form: "words"; readonly words: Int32Array; readonly wordCount: number }
  /** The value at `index` occupies `starts[index]` to `ends[index]` of `source`. */
  | {
      readonly form: "bytes";
      readonly source: DataView;
      readonly starts: Int32Array;
      readonly ends: Int32Array;
    };

export type StoredBytes = Extract<StoredValues, { form: "bytes" }>;

/** Maximum bytes of the values of one page after prefixes are expanded. */
const joinedLimit = 2 ** 30;

/**
 * Decodes the stored values of a page that does not refer to a dictionary. Throws errors of any class if the page is
 * damaged.
 */
export function readStored(
  memory: DecodeMemory,
  page: ParquetPage,
  { type, type_length: width = 0 }: SchemaElement,
): StoredValues {
  const { bytes, valueCount: count } = page;
  switch (page.encoding) {
    case "PLAIN":
      return readPlain(bytes, count, type, width);
    case "RLE": {
      if (type !== "BOOLEAN") break;
      needBytes(bytes, 4);
      const numbers = memory.words(unpack(memory, bytes.subarray(4), 1, count), count);
      return { form: "numbers", numbers };
    }
    case "DELTA_BINARY_PACKED": {
      if (type !== "INT32" && type !== "INT64") break;
      const { words } = readDelta(bytes, count);
      if (type === "INT64") return { form: "words", words, wordCount: 2 };
      return { form: "numbers", numbers: words.filter((_, index) => index % 2 === 0) };
    }
    case "DELTA_LENGTH_BYTE_ARRAY":
      return readLengths(bytes, count);
    case "DELTA_BYTE_ARRAY":
      return readPrefixed(bytes, count);
    case "BYTE_STREAM_SPLIT": {
      const plain = gatherBytes(
        bytes,
        count,
        type === "DOUBLE" || type === "INT64" ? 8 : type === "FIXED_LEN_BYTE_ARRAY" ? width : 4,
      );
      if (type === "BYTE_ARRAY" || type === "BOOLEAN" || type === "INT96") break;
      return readPlain(plain, count, type, width);
    }
    default:
  }
  throw new TypeError(`values of the type ${type} have the unsupported encoding ${page.encoding}`);
}

/** Reads a page's indices into its dictionary. Returns the address of the indices, which have 32 bits each. */
export function readIndices(memory: DecodeMemory, { bytes, valueCount }: ParquetPage): number {
  if (valueCount === 0) return memory.take(0);
  needBytes(bytes, 1);
  return unpack(memory, bytes.subarray(1), bytes[0], valueCount);
}

function unpack(
  { decoders, take }: DecodeMemory,
  bytes: Uint8Array,
  width: number,
  count: number,
): number {
  if (width > 32) throw new RangeError(`values must have at most 32 bits, not ${width}`);
  const to = take(count * 4);
  const from = bytes.byteOffset;
  if (!decoders.unpackIndices(from, from + bytes.length, width, count, to))
    throw new RangeError("run lengths end too early");
  return to;
}

/**
 * Number of strings of a page that are interned together: few enough that their positions stay in the processor's
 * cache.
 */
const blockRows = 8_192;

export type TextBlock = TextPlaces & { readonly count: number };

/**
 * Finds the strings of a page in which each value is preceded by its length. Yields the strings in blocks, at least
 * one. Each block overwrites the lists of the block before it.
 */
export function* readTextPlaces(
  { decoders, take }: DecodeMemory,
  { bytes, valueCount }: ParquetPage,
  rowsPerBlock = blockRows,
): Generator<TextBlock, void> {
  needBytes(bytes, valueCount * 4);
  const room = Math.min(rowsPerBlock, valueCount) * 4;
  const source = bytes.byteOffset;
  const sizeBytes = bytes.length;
  const starts = take(room);
  const ends = take(room);
  let row = 0;
  let at = 0;
  do {
    const count = Math.min(rowsPerBlock, valueCount - row);
    at = decoders.splitByteArrays(source, sizeBytes, at, count, starts, ends);
    if (at === -1) throw cut();
    yield { source, sizeBytes, starts, ends, count };
    row += count;
  } while (row < valueCount);
}

/** Copies values from any memory to the decode memory. */
export function placeStored(memory: DecodeMemory, stored: StoredBytes): TextBlock {
  const { source, starts, ends } = stored;
  return {
    source: memory.place(source),
    sizeBytes: source.byteLength,
    starts: memory.place(starts),
    ends: memory.place(ends),
    count: starts.length,
  };
}

function readPlain(
  bytes: Uint8Array,
  count: number,
  type: SchemaElement["type"],
  width: number,
): StoredValues {
  switch (type) {
    case "BOOLEAN": {
      needBytes(bytes, Math.ceil(count / 8));
      const numbers = new Uint8Array(count);
      for (let index = 0; index < count; index++)
        numbers[index] = (bytes[index >> 3] >> (index & 7)) & 1;
      return { form: "numbers", numbers };
    }
    case "INT32":
      return { form: "numbers", numbers: new Int32Array(copyBytes(bytes, count * 4)) };
    case "FLOAT":
      return { form: "numbers", numbers: new Float32Array(copyBytes(bytes, count * 4)) };
    case "DOUBLE":
      return { form: "numbers", numbers: new Float64Array(copyBytes(bytes, count * 8)) };
    case "INT64":
      return { form: "words", words: new Int32Array(copyBytes(bytes, count * 8)), wordCount: 2 };
    case "INT96":
      return { form: "words", words: new Int32Array(copyBytes(bytes, count * 12)), wordCount: 3 };
    case "BYTE_ARRAY":
      return readByteArrays(bytes, count);
    case "FIXED_LEN_BYTE_ARRAY": {
      if (!(width > 0))
        throw new TypeError("the column has the type FIXED_LEN_BYTE_ARRAY, but no length");
      needBytes(bytes, count * width);
      const starts = Int32Array.from({ length: count }, (_, index) => index * width);
      return {
        form: "bytes",
        source: viewOf(bytes),
        starts,
        ends: starts.map((start) => start + width),
      };
    }
    default:
      throw new TypeError(`values have the unsupported type ${String(type)}`);
  }
}

/** Reads values that are each preceded by a length of four bytes. */
function readByteArrays(bytes: Uint8Array, count: number): StoredValues {
  needBytes(bytes, count * 4);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const source = viewOf(bytes);
  const length = source.byteLength;
  let at = 0;
  for (let index = 0; index < count; index++) {
    const start = at + 4;
    if (start > length) throw cut();
    const size = source.getInt32(at, true);
    at = start + size;
    if (size < 0 || at > length) throw cut();
    starts[index] = start;
    ends[index] = at;
  }
  return { form: "bytes", source, starts, ends };
}

/** Reads values whose lengths are all stored first, followed by the bytes of all values. */
function readLengths(bytes: Uint8Array, count: number): StoredBytes {
  const { words, end } = readDelta(bytes, count);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  const source = viewOf(bytes);
  let at = end;
  for (let index = 0; index < count; index++) {
    starts[index] = at;
    at += words[index * 2];
    if (at > source.byteLength || at < starts[index]) throw cut();
    ends[index] = at;
  }
  return { form: "bytes", source, starts, ends };
}

/**
 * Reads values that are each stored as the number of leading bytes in common with the previous value, followed by the
 * remaining bytes.
 */
function readPrefixed(bytes: Uint8Array, count: number): StoredBytes {
  const { words: shared, end } = readDelta(bytes, count);
  const { source, starts: restStarts, ends: restEnds } = readLengths(bytes.subarray(end), count);
  const rest = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  const starts = new Int32Array(count);
  const ends = new Int32Array(count);
  let size = 0;
  for (let index = 0; index < count; index++) {
    const prefix = shared[index * 2];
    if (prefix < 0 || prefix > (index === 0 ? 0 : ends[index - 1] - starts[index - 1])) throw cut();
    starts[index] = size;
    size += prefix + restEnds[index] - restStarts[index];
    if (size > joinedLimit)
      throw new RangeError(`the strings of a page come to more than ${joinedLimit} bytes`);
    ends[index] = size;
  }
  const joined = new Uint8Array(size);
  for (let index = 0; index < count; index++) {
    const prefix = shared[index * 2];
    if (prefix > 0) joined.copyWithin(starts[index], starts[index - 1], starts[index - 1] + prefix);
    joined.set(rest.subarray(restStarts[index], restEnds[index]), starts[index] + prefix);
  }
  return { form: "bytes", source: viewOf(joined), starts, ends };
}

/** Assembles the bytes of each value, which are spread over `width` streams. */
function gatherBytes(bytes: Uint8Array, count: number, width: number): Uint8Array {
  needBytes(bytes, count * width);
  const plain = new Uint8Array(count * width);
  for (let byte = 0; byte < width; byte++)
    for (let index = 0; index < count; index++)
      plain[index * width + byte] = bytes[byte * count + index];
  return plain;
}

function copyBytes(bytes: Uint8Array, sizeBytes: number): ArrayBuffer {
  needBytes(bytes, sizeBytes);
  const copy = new Uint8Array(sizeBytes);
  copy.set(bytes.subarray(0, sizeBytes));
  return copy.buffer;
}

function needBytes(bytes: Uint8Array, sizeBytes: number): void {
  if (bytes.length < sizeBytes) throw cut();
}

function cut(): RangeError {
  return new RangeError("the values of a page end too early");
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
