import type { SchemaElement } from "hyparquet";
import type { SchemaTree } from "hyparquet/src/types.js";
import { isListLike, isMapLike } from "hyparquet/src/schema.js";
import type { DataType } from "../../protocol/index.ts";
import {
  decimalOf,
  instantOfWall,
  textOfBytes,
  textOfDay,
  textOfDecimal,
  textOfTime,
  textOfWall,
  wholeOf,
} from "./storedValues.ts";
import { safeDigits } from "./longNumbers.ts";

/** A top-level column of a Parquet file. */
export interface ParquetColumn {
  readonly id: string;
  readonly type: DataType;
  readonly subtype?: "date";
  /**
   * The reason why the column cannot be read, as a phrase that completes "because it is". Absent if the column can be
   * read.
   */
  readonly left?: string;
  /** Number of decimals of a decimal column. Absent for other columns. */
  readonly scale?: number;
  /** Whether the values are whole numbers that may lie beyond 2^53. */
  readonly isWhole?: boolean;
  /** Whether the values are times of a wall clock, which are read in the time zone of the settings. */
  readonly isWall?: boolean;
  /** Converts a value from hyparquet to the logical type. */
  valueOf(read: unknown): unknown;
}

type Read = (read: unknown) => unknown;

const same: Read = (read) => read;
/** Types that hyparquet refuses to read, or reads as another type. */
const unread = new Set(["GEOMETRY", "GEOGRAPHY", "VARIANT"]);
/** Logical types whose stored values are converted here. hyparquet would round them, or refuse them. */
const converted = new Set(["DECIMAL", "INTERVAL", "BSON"]);
const kindOf = ({ logical_type: logical, converted_type }: SchemaElement): string | undefined =>
  logical?.type ?? converted_type;

/**
 * Returns the logical type of a column, and how to read its values. Nested columns become JSON strings. Timestamps
 * without a zone are in `timeZone`. Absent: UTC.
 */
export function parquetColumn(tree: SchemaTree, timeZone: string | undefined): ParquetColumn {
  const { element } = tree;
  const { name: id } = element;
  const left = leftKind(tree);
  if (left !== undefined)
    return { id, type: "hierarchy", left: `of the type ${left}`, valueOf: same };
  if (tree.children.length > 0 || element.repetition_type === "REPEATED")
    return { id, type: "hierarchy", valueOf: repeatedReader(tree, timeZone) };
  const column = leafColumn(element);
  const isWall = timeZone !== undefined && column.type === "datetime" && hasNoZone(element);
  return { id, ...column, ...(isWall && { isWall, valueOf: textOfWall }) };
}

/** Returns whether timestamps are stored as times of a wall clock. */
function hasNoZone({ logical_type: logical }: SchemaElement): boolean {
  return logical?.type === "TIMESTAMP" && !logical.isAdjustedToUTC;
}

/** Returns the type of a column, or of a part of it, that cannot be read. Undefined if all of it can be read. */
function leftKind({ element, children }: SchemaTree): string | undefined {
  const kind = kindOf(element);
  if (kind !== undefined && unread.has(kind)) return kind;
  for (const child of children) {
    const found = leftKind(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the column without a logical type that hyparquet would not convert exactly: its multiplication by a power of
 * ten does not yield the nearest double.
 */
export function withRawValues(element: SchemaElement): SchemaElement {
  if (!converted.has(kindOf(element) ?? "")) return element;
  const { converted_type: _, logical_type: __, ...raw } = element;
  return raw;
}

function leafColumn(element: SchemaElement): Omit<ParquetColumn, "id"> {
  const { type, logical_type: logical } = element;
  const kind = kindOf(element);
  if (kind === "DECIMAL") {
    const isLogical = logical?.type === "DECIMAL";
    const scale = element.scale ?? (isLogical ? logical.scale : 0);
    const precision = element.precision ?? (isLogical ? logical.precision : Infinity);
    const isWhole = scale <= 0 && precision - scale > safeDigits;
    return { type: "numeric", scale, ...(isWhole && { isWhole }), valueOf: decimalReader(scale) };
  }
  if (kind === "DATE") return { type: "datetime", subtype: "date", valueOf: same };
  if (kind?.startsWith("TIMESTAMP") || (kind === undefined && type === "INT96"))
    return { type: "datetime", valueOf: same };
  if (kind?.startsWith("TIME")) return { type: "hierarchy", valueOf: timeReader(element) };
  if (kind === "FLOAT16") return { type: "numeric", valueOf: same };
  if (kind === "INTERVAL") return { type: "hierarchy", valueOf: intervalOf };
  if (type === "FIXED_LEN_BYTE_ARRAY" || kind === "BSON")
    return { type: "hierarchy", valueOf: bytesAsHex };
  if (type === "BYTE_ARRAY") return { type: "hierarchy", valueOf: (read) => textOfBytes(read) };
  if (type === "BOOLEAN") return { type: "hierarchy", valueOf: same };
  return { type: "numeric", ...(type === "INT64" && { isWhole: true }), valueOf: same };
}

/** Returns how to read the values of a column or a part of it, which may be a list without an annotation. */
function repeatedReader(tree: SchemaTree, timeZone: string | undefined): Read {
  const read = nestedReader(tree, timeZone);
  if (tree.element.repetition_type !== "REPEATED") return read;
  const readList = listReader(read);
  return (list) => (list === null || list === undefined ? [] : readList(list));
}

/** Returns how to read a single value. The structure follows hyparquet's `assembleNested`. */
function nestedReader(tree: SchemaTree, timeZone: string | undefined): Read {
  const { element, children } = tree;
  const [first] = children;
  if (!first) {
    const { type, subtype, valueOf } = leafColumn(element);
    if (subtype === "date") return textOfDay;
    if (type === "datetime" && hasNoZone(element))
      return (read) => validDate(instantOfWall(read, timeZone));
    return type === "datetime" ? validDate : valueOf;
  }
  if (isListLike(tree)) {
    const [inner] = first.children;
    return listReader(inner ? repeatedReader(inner, timeZone) : nestedReader(first, timeZone));
  }
  if (isMapLike(tree)) {
    const [keys, values] = first.children;
    return mapReader(keyReader(keys!.element, timeZone), repeatedReader(values!, timeZone));
  }
  const members = children.map(
    (child) => [child.element.name, repeatedReader(child, timeZone)] as const,
  );
  return (read) => {
    if (typeof read !== "object" || read === null) return read;
    const own = new Map<string, unknown>(Object.entries(read));
    return Object.fromEntries(members.map(([name, each]) => [name, each(own.get(name)) ?? null]));
  };
}

function listReader(each: Read): Read {
  return (read) => (Array.isArray(read) ? read.map((entry: unknown) => each(entry)) : read);
}

function mapReader(keyOf: (key: string) => unknown, each: Read): Read {
  return (read) =>
    typeof read === "object" && read !== null
      ? Object.fromEntries(
          Object.entries(read).map(([key, value]) => [keyText(keyOf(key)), each(value)]),
        )
      : read;
}

/** Returns how to read a key of a map, which hyparquet has converted to a string. */
function keyReader(element: SchemaElement, timeZone: string | undefined): (key: string) => unknown {
  const { type, subtype, scale, valueOf } = leafColumn(element);
  const kind = kindOf(element);
  if (subtype === "date") return (key) => textOfDay(new Date(key)) ?? key;
  const zone = hasNoZone(element) ? timeZone : undefined;
  if (type === "datetime") return (key) => validDate(instantOfWall(new Date(key), zone)) ?? key;
  const isBytes = element.type === "BYTE_ARRAY" || element.type === "FIXED_LEN_BYTE_ARRAY";
  const stored = (key: string): unknown => {
    if (!isBytes) return /^-?\d+$/.test(key) ? BigInt(key) : key;
    if (!/^(?:\d+(?:,\d+)*)?$/.test(key)) return key;
    return Uint8Array.from(key === "" ? [] : key.split(","), Number);
  };
  if (scale !== undefined)
    return (key) => {
      const unscaled = unscaledOf(stored(key));
      return unscaled === undefined ? key : textOfDecimal(unscaled, scale);
    };
  const isText = kind === "UTF8" || kind === "STRING" || kind === "JSON" || kind === "UUID";
  const isConverted = isBytes ? !isText && kind !== "FLOAT16" : kind?.startsWith("TIME") === true;
  return isConverted ? (key) => valueOf(stored(key)) : same;
}

const keyText = (key: unknown): string => (key instanceof Date ? key.toISOString() : String(key));

const validDate: Read = (read) =>
  read instanceof Date && Number.isNaN(read.getTime()) ? null : read;

/** Decimals without decimals remain bigints, so that their digits can be kept. */
function decimalReader(scale: number): Read {
  return (read) => {
    const unscaled = unscaledOf(read);
    if (unscaled === undefined) return null;
    return scale > 0 ? decimalOf(unscaled, scale) : unscaled * 10n ** BigInt(-scale);
  };
}

function unscaledOf(read: unknown): bigint | undefined {
  if (read instanceof Uint8Array) return wholeOf(read);
  return typeof read === "bigint" || typeof read === "number" ? BigInt(read) : undefined;
}

function bytesAsHex(read: unknown): unknown {
  return read instanceof Uint8Array ? Buffer.from(read).toString("hex") : read;
}

/** Reads an interval of months, days and milliseconds as an ISO 8601 duration. */
function intervalOf(read: unknown): unknown {
  if (!(read instanceof Uint8Array) || read.length !== 12) return read;
  const view = new DataView(read.buffer, read.byteOffset, read.length);
  const [months, days, ms] = [0, 4, 8].map((at) => view.getUint32(at, true));
  return `P${months}M${days}DT${ms! / 1000}S`;
}

function timeReader({ logical_type: logical, converted_type }: SchemaElement): Read {
  const unit = logical?.type === "TIME" ? logical.unit : undefined;
  const digits =
    unit === "NANOS" ? 9 : unit === "MICROS" || converted_type === "TIME_MICROS" ? 6 : 3;
  return (read) =>
    typeof read === "number" || typeof read === "bigint" ? textOfTime(BigInt(read), digits) : read;
}
