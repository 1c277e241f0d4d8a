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
  /**
   * Checks that nothing follows the last value of the page.
   * @throws {Error} if a run continues after this value
   */
  checkEnd?(): void;
}

export interface ValuesOptions {
  /** The decompressed bytes of the page. */
  readonly bytes: Uint8Array;
  /** The position at which the values begin. */
  readonly from: number;
  readonly encoding: string;
  /**
   * Returns the number of values in the page without nulls. An encoding of a whole page depends on this exact number.
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
      };
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY": {
      if (!dictionary)
        throw new Error("a page refers to a dictionary that the column does not have");
      const runs = new ParquetRuns(bytes, from + 1, bytes.length, bytes[from] ?? 0);
      return {
        read(count) {
          const codes = runs.read(count);
          return Array.from(codes, (code) => {
            if (code < 0 || code >= dictionary.length)
              throw new Error("a page refers to a value that its dictionary does not have");
            return dictionary[code];
          });
        },
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

/** Writers use blocks of 128 to 1,024 delta values. Libraries allocate whatever a block declares. */
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

/** Checks values that each repeat the beginning of the previous value, because a few bytes can then expand to many. */
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
      throw new Error("a page has a value that repeats more than the previous one has");
    previous = prefix + suffix;
    if (prefix > 0) budget.take(previous);
  }
}
