import type { SchemaElement } from "hyparquet";
import type { DataType } from "../../protocol/index.ts";

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
  /** Converts a value from hyparquet to the logical type. */
  valueOf(read: unknown): unknown;
}

const same = (read: unknown): unknown => read;
/** Types that hyparquet refuses to read, or reads as another type. */
const unread = new Set(["INTERVAL", "BSON", "GEOMETRY", "GEOGRAPHY", "VARIANT"]);

/** Returns the logical type of a column, and how to read its values. Nested columns become JSON strings. */
export function parquetColumn(element: SchemaElement): ParquetColumn {
  const { name: id, type, logical_type: logical, converted_type: converted } = element;
  const kind = logical?.type ?? converted;
  if (kind !== undefined && unread.has(kind))
    return { id, type: "hierarchy", left: `of the type ${kind}`, valueOf: same };
  if (element.num_children || element.repetition_type === "REPEATED")
    return { id, type: "hierarchy", valueOf: same };
  if (isDecimal(element)) {
    const scale = element.scale ?? (logical?.type === "DECIMAL" ? logical.scale : 0);
    return { id, type: "numeric", scale, valueOf: (read) => decimalOf(read, scale) };
  }
  if (kind === "DATE") return { id, type: "datetime", subtype: "date", valueOf: same };
  if (kind?.startsWith("TIMESTAMP") || (kind === undefined && type === "INT96"))
    return { id, type: "datetime", valueOf: same };
  if (kind?.startsWith("TIME")) return { id, type: "hierarchy", valueOf: timeReader(element) };
  if (kind === "FLOAT16") return { id, type: "numeric", valueOf: same };
  if (type === "BYTE_ARRAY" || type === "FIXED_LEN_BYTE_ARRAY")
    return { id, type: "hierarchy", valueOf: bytesAsHex };
  if (type === "BOOLEAN") return { id, type: "hierarchy", valueOf: same };
  return { id, type: "numeric", valueOf: same };
}

/**
 * Returns the column without its decimal type, so that `decimalOf` converts the digits. hyparquet multiplies by a power
 * of ten, which does not yield the nearest double.
 */
export function withRawDecimals(element: SchemaElement): SchemaElement {
  if (!isDecimal(element)) return element;
  const { converted_type: _, logical_type: __, ...raw } = element;
  return raw;
}

function isDecimal({ logical_type: logical, converted_type: converted }: SchemaElement): boolean {
  return logical?.type === "DECIMAL" || converted === "DECIMAL";
}

function decimalOf(read: unknown, scale: number): number | null {
  if (read === null || read === undefined) return null;
  const unscaled =
    read instanceof Uint8Array
      ? wholeOf(read)
      : BigInt(typeof read === "bigint" ? read : Number(read));
  return Number(`${unscaled}e-${scale}`);
}

/** Reads a big-endian two's complement integer. */
function wholeOf(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString("hex");
  return hex === "" ? 0n : BigInt.asIntN(8 * bytes.length, BigInt(`0x${hex}`));
}

function bytesAsHex(read: unknown): unknown {
  return read instanceof Uint8Array ? Buffer.from(read).toString("hex") : read;
}

function timeReader({ logical_type: logical, converted_type: converted }: SchemaElement) {
  const unit = logical?.type === "TIME" ? logical.unit : undefined;
  const perMs = unit === "NANOS" ? 1e6 : unit === "MICROS" || converted === "TIME_MICROS" ? 1e3 : 1;
  return (read: unknown): unknown =>
    typeof read === "number" || typeof read === "bigint"
      ? new Date(Math.floor(Number(read) / perMs)).toISOString().slice(11, 23)
      : read;
}
