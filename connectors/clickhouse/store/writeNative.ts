import {
  PluginError,
  type BatchColumn,
  type HierarchyBatchColumn,
  type NamedBatch,
  type Utf8Texts,
} from "../../../plugins/protocol/index.ts";
import { nativeType, typeOfValues, type ColumnType } from "./columnTypes.ts";

/*
 * ClickHouse's format Native, as documented and as implemented by `NativeReader` and `SerializationLowCardinality`: one
 * block, column by column, little-endian.
 */

const ticksPerHigh = 2 ** 32;
/**
 * Version of the keys (`SharedDictionariesWithAdditionalKeys`), and the flags `HasAdditionalKeys` and
 * `NeedUpdateDictionary`.
 */
const keysVersion = 1n;
const keysFlags = 0x600n;
const indexes = [
  { most: 2 ** 8, type: 0n, of: Uint8Array },
  { most: 2 ** 16, type: 1n, of: Uint16Array },
  { most: 2 ** 32, type: 2n, of: Uint32Array },
] as const;

/**
 * Returns rows as one block, with an additional column `mark.name` whose value is `mark.text` in each row. The buffers
 * share no memory with the rows. O(cells + strings).
 * @throws {PluginError} PLUGIN_INVALID for a string with half of a surrogate pair, which UTF-8 cannot represent
 */
export function writeNative(
  { columnIds, batch }: NamedBatch,
  mark: { readonly name: string; readonly text: string },
): readonly Buffer[] {
  const { rowCount } = batch;
  const parts: Buffer[] = [varint(columnIds.length + 1), varint(rowCount)];
  columnIds.forEach((id, index) => {
    const column = batch.columns[index];
    if (!column) throw new PluginError("PLUGIN_MALFORMED", [`the column ${id} has no values`]);
    parts.push(text(id), ...writeColumn(column, id));
  });
  const keys = writeKeys([mark.text]);
  parts.push(text(mark.name), text("LowCardinality(String)"));
  parts.push(...keyed(keys, 1, new Uint8Array(rowCount)));
  return parts;
}

function writeColumn(column: BatchColumn, id: string): readonly Buffer[] {
  const type = typeOfValues(column);
  if (column.type === "hierarchy") return writeTexts(column, id, type.isNullable);
  const { values } = column;
  const written = writers[type.name]?.(values) ?? doubles(values);
  if (!type.isNullable) return [text(nativeType(type)), bytes(written)];
  const nulls = new Uint8Array(values.length);
  for (let row = 0; row < values.length; row++) nulls[row] = values[row] === values[row] ? 0 : 1;
  // Wrapper types without data of their own are not written.
  const name = type.name === "huge" ? "double" : type.name;
  return [text(nativeType({ name, isNullable: true })), bytes(nulls), bytes(written)];
}

/** Writers of values by type. Null is written as 0. */
const writers: Readonly<
  Partial<Record<ColumnType["name"], (values: Float64Array) => ArrayBufferView>>
> = {
  whole: (values) => Int32Array.from(values),
  second: (values) => Uint32Array.from(values, (value) => value / 1000),
  millisecond: wholes,
};

/** Returns the numbers with null and -0 replaced by 0. */
function doubles(values: Float64Array): Float64Array {
  const written = new Float64Array(values.length);
  for (let row = 0; row < values.length; row++) written[row] = (values[row] || 0) + 0;
  return written;
}

/** Returns integers up to 2^53 as Int64: the low half, then the high half. */
function wholes(values: Float64Array): Uint32Array {
  const written = new Uint32Array(2 * values.length);
  for (let row = 0; row < values.length; row++) {
    const value = Math.floor(values[row] || 0);
    const high = Math.floor(value / ticksPerHigh);
    written[2 * row] = value - high * ticksPerHigh;
    written[2 * row + 1] = high;
  }
  return written;
}

/** Writes strings as a dictionary and its keys. In a nullable column, key 0 means null. */
function writeTexts(
  column: HierarchyBatchColumn,
  id: string,
  isNullable: boolean,
): readonly Buffer[] {
  const { codes, utf8 } = column;
  const first = isNullable ? 1 : 0;
  const keys = utf8
    ? writePacked(utf8, isNullable)
    : writeKeys([...(isNullable ? [""] : []), ...wellFormed(column.dictionary, id)]);
  const keyCount = (utf8 ? utf8.ends.length : column.dictionary.length) + first;
  const index = indexes.find(({ most }) => keyCount <= most) ?? indexes[2];
  const written = new index.of(codes.length);
  for (let row = 0; row < codes.length; row++) written[row] = (codes[row] ?? -1) + first;
  const type = nativeType({ name: "word", isNullable });
  return [text(type), ...keyed(keys, keyCount, written, index.type)];
}

/** Returns strings that UTF-8 can represent. @throws {PluginError} PLUGIN_INVALID */
function wellFormed(dictionary: readonly string[], id: string): readonly string[] {
  if (dictionary.every((each) => each.isWellFormed())) return dictionary;
  throw new PluginError("PLUGIN_INVALID", [
    `the column ${id} contains a string with half of a surrogate pair, which ClickHouse cannot store; send complete characters`,
  ]);
}

function keyed(
  keys: Buffer,
  keyCount: number,
  places: Uint8Array | Uint16Array | Uint32Array,
  type = 0n,
): readonly Buffer[] {
  if (places.length === 0) return [];
  const head = BigUint64Array.of(keysVersion, keysFlags | type, BigInt(keyCount));
  return [bytes(head), keys, bytes(BigUint64Array.of(BigInt(places.length))), bytes(places)];
}

/** Returns strings one after another, each preceded by its length in bytes. */
function writeKeys(texts: readonly string[]): Buffer {
  let sizeBytes = 0;
  for (const each of texts) sizeBytes += Buffer.byteLength(each) + 5;
  const written = Buffer.allocUnsafe(sizeBytes);
  let end = 0;
  for (const each of texts) {
    end = putVarint(written, end, Buffer.byteLength(each));
    end += written.write(each, end);
  }
  return written.subarray(0, end);
}

/** Like `writeKeys`, for strings that a thread has encoded. `isNullable` adds an empty string in front. */
function writePacked({ bytes: packed, ends }: Utf8Texts, isNullable: boolean): Buffer {
  const written = Buffer.allocUnsafe(packed.length + 5 * (ends.length + 1));
  let end = isNullable ? putVarint(written, 0, 0) : 0;
  let from = 0;
  for (const to of ends) {
    end = putVarint(written, end, to - from);
    // The strings are short, so that a call per string would cost more than a loop over its bytes.
    for (let at = from; at < to; at++) written[end++] = packed[at]!;
    from = to;
  }
  return written.subarray(0, end);
}

function text(value: string): Buffer {
  return writeKeys([value]);
}

function varint(value: number): Buffer {
  const written = Buffer.allocUnsafe(8);
  return written.subarray(0, putVarint(written, 0, value));
}

/** Writes an integer below 2^53 with seven bits per byte, lowest first. Returns the end position. */
function putVarint(into: Buffer, at: number, value: number): number {
  let rest = value;
  let end = at;
  for (; rest >= 128; rest = Math.floor(rest / 128)) into[end++] = (rest % 128) + 128;
  into[end] = rest;
  return end + 1;
}

function bytes({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
