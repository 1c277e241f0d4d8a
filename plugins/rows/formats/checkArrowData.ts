import { DataType, DateUnit, IntervalUnit, Precision, UnionMode, type Data } from "apache-arrow";
import type { UnpackBudget } from "./unpackBudget.ts";

/** Maximum nesting depth of column types. */
const mostDepth = 32;

/**
 * Checks that a record batch contains the values that it declares, in all of its columns. The check is needed because
 * apache-arrow trusts declared lengths and offsets, and because a column of nulls takes no bytes, however many rows it
 * declares.
 * @throws {Error} for a length beyond the bytes, and for decreasing offsets
 */
export function checkArrowData(data: Data, budget: UnpackBudget): void {
  const dictionaries = new Set();
  for (const child of data.children) {
    if (child.length < data.length) throw tooShort(data.length, 0);
    check(child, budget, dictionaries, 0);
  }
  // A batch without columns has no values that the budget could count.
  if (data.children.length === 0) budget.take(8 * data.length);
}

function check(data: Data, budget: UnpackBudget, dictionaries: Set<unknown>, depth: number): void {
  const { type, length, nullBitmap, nullCount, children } = data;
  if (depth > mostDepth) throw new Error("a column is nested too deeply");
  if (!(length >= 0))
    throw new Error(
      `the number of values in a column must be a whole number of at least 0, not ${length}`,
    );
  // A decoded value takes at least 8 bytes.
  budget.take(8 * length);
  if (nullCount > 0 && nullBitmap && nullBitmap.length * 8 < length && !DataType.isNull(type))
    throw tooShort(length, nullBitmap.length);
  const bits = bitsOf(type);
  if (bits > 0) {
    const sizeBytes: number = data.values?.byteLength ?? 0;
    if (length * bits > 8 * sizeBytes) throw tooShort(length, sizeBytes);
  }
  if (DataType.isUtf8(type) || DataType.isBinary(type) || isLarge(type))
    checkOffsets(data, data.values?.byteLength ?? 0);
  else if (DataType.isList(type) || DataType.isLargeList(type) || DataType.isMap(type))
    checkOffsets(data, children[0]?.length ?? 0);
  else if (DataType.isFixedSizeList(type) && (children[0]?.length ?? 0) < length * type.listSize)
    throw tooShort(length * type.listSize, 0);
  else if (DataType.isStruct(type)) {
    for (const child of children) if (child.length < length) throw tooShort(length, 0);
  } else if (DataType.isUnion(type)) checkUnion(data, type.mode);
  else if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) checkViews(data, budget);
  else if (DataType.isDictionary(type)) checkIndices(data);
  for (const child of children) check(child, budget, dictionaries, depth + 1);
  const { dictionary } = data;
  if (!dictionary || dictionaries.has(dictionary)) return;
  dictionaries.add(dictionary);
  for (const part of dictionary.data) check(part, budget, dictionaries, depth + 1);
}

function isLarge(type: DataType): boolean {
  return DataType.isLargeUtf8(type) || DataType.isLargeBinary(type);
}

/** Returns the number of bits of a fixed-width value; 0 for other types. */
function bitsOf(type: DataType): number {
  if (DataType.isBool(type)) return 1;
  if (DataType.isInt(type) || DataType.isTime(type) || DataType.isDecimal(type))
    return type.bitWidth;
  if (DataType.isFloat(type))
    return { [Precision.HALF]: 16, [Precision.SINGLE]: 32, [Precision.DOUBLE]: 64 }[type.precision];
  if (DataType.isDate(type)) return type.unit === DateUnit.DAY ? 32 : 64;
  if (DataType.isTimestamp(type) || DataType.isDuration(type)) return 64;
  if (DataType.isFixedSizeBinary(type)) return 8 * type.byteWidth;
  if (DataType.isUtf8View(type) || DataType.isBinaryView(type)) return 8 * viewBytes;
  if (DataType.isInterval(type))
    return {
      [IntervalUnit.YEAR_MONTH]: 32,
      [IntervalUnit.DAY_TIME]: 64,
      [IntervalUnit.MONTH_DAY_NANO]: 128,
    }[type.unit];
  return DataType.isDictionary(type) ? bitsOf(type.indices) : 0;
}

/** Size of a view, which begins with the length of its string. */
const viewBytes = 16;

/** Counts the bytes of all views, because many rows may share the same bytes. apache-arrow checks where they are. */
function checkViews({ length, values }: Data, budget: UnpackBudget): void {
  const { buffer, byteOffset }: Uint8Array = values;
  const view = new DataView(buffer, byteOffset, length * viewBytes);
  let sizeBytes = 0;
  for (let row = 0; row < length; row++) sizeBytes += view.getUint32(row * viewBytes, true);
  budget.take(sizeBytes);
}

function checkUnion({ length, typeIds, valueOffsets, children }: Data, mode: UnionMode): void {
  if (typeIds.length < length) throw tooShort(length, typeIds.length);
  const isDense = mode === UnionMode.Dense;
  const offsets: Int32Array = valueOffsets;
  if (isDense && offsets.length < length) throw tooShort(length, 4 * offsets.length);
  const most = Math.max(0, ...children.map((child) => child.length));
  for (const child of children)
    if (!isDense && child.length < length) throw tooShort(length, child.length);
  for (let row = 0; isDense && row < length; row++)
    if (offsets[row]! < 0 || offsets[row]! >= most)
      throw new Error("a column has an offset after its values");
}

/** Refuses decreasing offsets, because they would allow many rows to share the same bytes. */
function checkOffsets({ length, valueOffsets }: Data, mostOffset: number): void {
  if (length === 0) return;
  const offsets: ArrayLike<number | bigint> = valueOffsets ?? [];
  if (offsets.length <= length) throw tooShort(length, 4 * offsets.length);
  let previous = Number(offsets[0]!);
  if (previous < 0) throw new Error("a column has an offset before its values");
  for (let index = 1; index <= length; index++) {
    const offset = Number(offsets[index]!);
    if (offset < previous) throw new Error("a column has decreasing offsets");
    previous = offset;
  }
  if (previous > mostOffset) throw new Error("a column has an offset after its values");
}

function checkIndices(data: Data): void {
  const count = data.dictionary?.length ?? 0;
  const indices: ArrayLike<number | bigint> = data.values;
  for (let index = 0; index < data.length; index++) {
    const code = Number(indices[index]!);
    if ((code < 0 || code >= count) && data.getValid(index))
      throw new Error("a column refers to a value that its dictionary does not have");
  }
}

function tooShort(length: number, sizeBytes: number): Error {
  return new Error(`a column declares ${length} values but has only ${sizeBytes} bytes`);
}
