import type { DataType } from "../../plugins/protocol/index.ts";
import type { SqlColumn } from "../../plugins/sql/index.ts";

/** How values of a native type are converted to protocol values. */
export type Reading =
  | "whole"
  | "wide"
  | "float"
  | "text"
  | "cast"
  | "binary"
  | "json"
  | "date"
  | "microseconds"
  | "nanoseconds";

const readings: readonly (readonly [name: RegExp, reading: Reading])[] = [
  [/(\[\d*\]$)|^(STRUCT|MAP|UNION|VARIANT)\b/, "json"],
  [/^(U?TINYINT|U?SMALLINT|U?INTEGER|U?BIGINT)$/, "whole"],
  [/^(U?HUGEINT|BIGNUM|VARINT|DECIMAL\b.*)$/, "wide"],
  [/^(FLOAT|DOUBLE)$/, "float"],
  [/^VARCHAR$/, "text"],
  [/^BLOB$/, "binary"],
  [/^DATE$/, "date"],
  [/^TIMESTAMP_NS$/, "nanoseconds"],
  [/^TIMESTAMP(_S|_MS| WITH TIME ZONE)?$/, "microseconds"],
];

/** Suffix of the native type of string columns in a database with collations. */
const collated = " with collations";

/** Returns how values of a native type are read. Types for which there is no rule are read in DuckDB's text form. */
export function readingOf(nativeType: string): Reading {
  return readings.find(([name]) => name.test(nativeType.replace(collated, "")))?.[1] ?? "cast";
}

/** Maximum digits of a decimal that a double always preserves. */
const doubleDigits = 15;

/** Returns the kind of a number type, as in `Dialect.numberKind`. */
export function numberKind({
  nativeType,
}: Pick<SqlColumn, "nativeType">): "small" | "big" | "wide" | undefined {
  const reading = readingOf(nativeType);
  if (reading === "whole") return nativeType.endsWith("BIGINT") ? "big" : "small";
  if (reading !== "wide") return undefined;
  const [, digits, scale] = /^DECIMAL\((\d+),(\d+)\)/.exec(nativeType) ?? [];
  if (digits === undefined || scale === "0")
    return Number(digits ?? 39) > doubleDigits ? "big" : "small";
  return Number(digits) > doubleDigits ? "wide" : "small";
}

/** Returns whether a type contains readings of a clock without a zone. */
export function isUnzoned({ nativeType }: Pick<SqlColumn, "nativeType">): boolean {
  return /^TIMESTAMP(_S|_MS|_NS)?$/.test(nativeType);
}

/** Returns whether DuckDB may compare strings of a column in an order other than by bytes. */
export function isCollated({ nativeType }: Pick<SqlColumn, "nativeType">): boolean {
  return nativeType.endsWith(collated);
}

/** Describes a column of a native type. */
export function typedColumn(name: string, nativeType: string, hasCollations: boolean): SqlColumn {
  const reading = readingOf(nativeType);
  const type = typeOf(reading);
  if (reading === "date") return { name, nativeType, type, subtype: "date" };
  if (type === "datetime") return { name, nativeType, type, subtype: "datetime" };
  return {
    name,
    nativeType: hasCollations && reading === "text" ? nativeType + collated : nativeType,
    type,
  };
}

function typeOf(reading: Reading): DataType {
  switch (reading) {
    case "whole":
    case "wide":
    case "float":
      return "numeric";
    case "date":
    case "microseconds":
    case "nanoseconds":
      return "datetime";
    case "binary":
    case "cast":
    case "json":
    case "text":
      return "hierarchy";
  }
}
