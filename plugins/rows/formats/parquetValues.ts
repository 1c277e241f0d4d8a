import type { ColumnDecoder, DecodedArray, ParquetType } from "hyparquet/src/types.js";
import { convert } from "hyparquet/src/convert.js";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { readPlain } from "hyparquet/src/plain.js";
import { readVarInt } from "hyparquet/src/thrift.js";
import { ParquetRuns } from "./parquetRuns.ts";
import type { UnpackBudget } from "./unpackBudget.ts";

/** Reads the values of a page that are not null, block by block. */
export interface ParquetValues {
  /**
   * Returns the next `count` values.
   * @throws {Error} if fewer values remain
   */
  read(count: number): ArrayLike<unknown>;
  /** The codes and the dictionary, for a page that refers to a dictionary. They may be read instead of the values. */
  readonly codes?: {
    readonly dictionary: DecodedArray;
    /** Returns the next `count` codes, which the dictionary has. */
    read(count: number): Int32Array;
  };
  /** Passes over the next `count` values of `sizeBytes` each, in the encoding PLAIN, and returns where they begin. */
  plain?(count: number, sizeBytes: number): { readonly view: DataView; readonly from: number };
  /** Passes over the next `count` strings in the encoding PLAIN, and returns where they are. */
  plainTexts?(count: number): PlainTexts;
  /**
   * Checks that nothing follows the last value of the page.
   * @throws {Error} if a run continues after this value
   */
  checkEnd?(): void;
}

/** Strings of a page. */
export interface PlainTexts {
  readonly view: DataView;
  /** The limits of the strings: a length of 4 bytes follows `limits[index]`, and the string ends at the next limit. */
  readonly limits: Int32Array;
}

export interface ValuesOptions {
  /** The decompressed bytes of the page. */
  readonly bytes: Uint8Array;
  /** The position at which the values begin. */
  readonly from: number;
  readonly encoding: string;
  /**
   * Returns the number of values in the page without nulls. The encodings that are decoded a whole page at a time need
   * this exact number.
   */
  readonly countPresent: () => number;
  readonly decoder: ColumnDecoder;
  readonly dictionary: DecodedArray | undefined;
  readonly budget: UnpackBudget;
}

/** Returns the minimum number of bits of a value in the encoding PLAIN. */
function leastBits(type: ParquetType, typeLength = 0): number {
  switch (type) {
    case "BOOLEAN":
      return 1;
    case "INT32":
    case "FLOAT":
    case "BYTE_ARRAY":
      return 32;
    case "INT64":
    case "DOUBLE":
      return 64;
    case "INT96":
      return 96;
    case "FIXED_LEN_BYTE_ARRAY":
      if (!(typeLength > 0))
        throw new Error("a column of fixed-length values does not declare their length");
      return 8 * typeLength;
  }
}

/**
 * Checks that a page contains as many values as it declares.
 * @throws {Error} if the page has too few bytes for these values
 */
export function checkPlain(
  { type, element }: Pick<ColumnDecoder, "type" | "element">,
  sizeBytes: number,
  valueCount: number,
): void {
  if (valueCount * leastBits(type, element.type_length) > 8 * sizeBytes)
    throw new Error(`a page declares ${valueCount} values but has only ${sizeBytes} bytes`);
}

/**
 * Opens the values of a page. Runs and PLAIN values are decoded block by block, the delta encodings page by page.
 * @throws {Error} for declared lengths beyond the actual bytes
 */
export function openParquetValues(options: ValuesOptions): ParquetValues {
  const { bytes, from, encoding, countPresent, decoder, dictionary, budget } = options;
  const { type, element } = decoder;
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), offset: from };
  const whole = (decoded: DecodedArray): ParquetValues => {
    let at = 0;
    return {
      read(count) {
        const values = decoded.slice(at, at + count);
        if (values.length < count) throw new Error("a page has fewer values than it declares");
        at += count;
        return convert(values, decoder);
      },
    };
  };
  switch (encoding) {
    case "PLAIN":
      if (type === "BOOLEAN") {
        const valueCount = countPresent();
        checkPlain(decoder, bytes.length - from, valueCount);
        return whole(readPlain(reader, type, valueCount, undefined));
      }
      return {
        read(count) {
          checkPlain(decoder, bytes.length - reader.offset, count);
          return convert(readPlain(reader, type, count, element.type_length), decoder);
        },
        plain(count, sizeBytes) {
          checkPlain(decoder, bytes.length - reader.offset, count);
          const from = reader.offset;
          reader.offset += count * sizeBytes;
          return { view: reader.view, from };
        },
        plainTexts(count) {
          checkPlain(decoder, bytes.length - reader.offset, count);
          const limits = new Int32Array(count + 1);
          for (let index = 0; index < count; index++) {
            limits[index] = reader.offset;
            reader.offset += 4 + reader.view.getUint32(reader.offset, true);
          }
          if (reader.offset > bytes.length) throw new RangeError("a string ends after its page");
          limits[count] = reader.offset;
          return { view: reader.view, limits };
        },
      };
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY": {
      if (!dictionary)
        throw new Error("a page refers to a dictionary that the column does not have");
      const runs = new ParquetRuns(bytes, from + 1, bytes.length, bytes[from] ?? 0);
      const readCodes = (count: number): Int32Array => {
        const codes = runs.read(count);
        for (const code of codes)
          if (code < 0 || code >= dictionary.length)
            throw new Error("a page refers to a value that its dictionary does not have");
        return codes;
      };
      return {
        read: (count) => Array.from(readCodes(count), (code) => dictionary[code]),
        codes: { dictionary, read: readCodes },
        checkEnd: () => runs.checkEnd(),
      };
    }
    case "RLE": {
      if (type !== "BOOLEAN")
        throw new Error(`a column of type ${type} has the unsupported encoding RLE`);
      const sizeBytes = from + 4 <= bytes.length ? reader.view.getUint32(from, true) : 0;
      const runs = new ParquetRuns(bytes, from + 4, from + 4 + sizeBytes, 1);
      return {
        read: (count) => Array.from(runs.read(count), Boolean),
        checkEnd: () => runs.checkEnd(),
      };
    }
    case "BYTE_STREAM_SPLIT": {
      const valueCount = countPresent();
      checkPlain(decoder, bytes.length - from, valueCount);
      return whole(byteStreamSplit(reader, valueCount, type, element.type_length));
    }
    case "DELTA_BINARY_PACKED": {
      const valueCount = countPresent();
      checkDelta(reader);
      if (valueCount === 0) return whole([]);
      const values = type === "INT32" ? new Int32Array(valueCount) : new BigInt64Array(valueCount);
      deltaBinaryUnpack(reader, valueCount, values);
      return whole(values);
    }
    case "DELTA_LENGTH_BYTE_ARRAY": {
      const valueCount = countPresent();
      const values: Uint8Array[] = [];
      if (valueCount === 0) return whole(values);
      checkDelta(reader);
      deltaLengthByteArray(reader, valueCount, values);
      return whole(values);
    }
    case "DELTA_BYTE_ARRAY": {
      const valueCount = countPresent();
      const values: Uint8Array[] = [];
      if (valueCount === 0) return whole(values);
      checkPrefixes({ ...reader }, valueCount, budget);
      deltaByteArray(reader, valueCount, values);
      return whole(values);
    }
    default:
      throw new Error(`a page has the unsupported encoding ${encoding}`);
  }
}

interface Reader {
  readonly view: DataView;
  offset: number;
}

/**
 * Maximum number of delta values per block. Writers use 128 to 1,024. The limit is needed because libraries allocate
 * memory for any size that a block declares.
 */
const mostBlock = 2 ** 16;

/**
 * Checks the header of delta values.
 * @throws {Error} for an impossible block size
 */
function checkDelta({ view, offset }: Reader): void {
  const reader = { view, offset };
  const blockCount = readVarInt(reader);
  const miniCount = readVarInt(reader);
  if (!(blockCount > 0 && blockCount <= mostBlock && miniCount > 0 && blockCount % miniCount === 0))
    throw new Error(
      `a page has delta values in blocks of an unsupported size: ${blockCount} values in ${miniCount} parts`,
    );
}

/**
 * Checks values, each of which repeats the beginning of the previous value. In this encoding, a few bytes can expand to
 * many.
 */
function checkPrefixes(reader: Reader, valueCount: number, budget: UnpackBudget): void {
  checkDelta(reader);
  const prefixes = new Int32Array(valueCount);
  deltaBinaryUnpack(reader, valueCount, prefixes);
  checkDelta(reader);
  const suffixes = new Int32Array(valueCount);
  deltaBinaryUnpack(reader, valueCount, suffixes);
  let previous = 0;
  for (let index = 0; index < valueCount; index++) {
    const prefix = prefixes[index]!;
    const suffix = suffixes[index]!;
    if (prefix < 0 || suffix < 0 || prefix > previous)
      throw new Error("a page has a value that repeats more bytes than the previous value has");
    previous = prefix + suffix;
    if (prefix > 0) budget.take(previous);
  }
}
