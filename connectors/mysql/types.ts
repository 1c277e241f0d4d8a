import type { Column, DataType, Narrowing } from "../../plugins/protocol/index.ts";

/** How a native type is read. */
export interface ReadType {
  readonly type: DataType;
  readonly subtype?: Column["subtype"];
  /** How a statement reads values of the type. */
  readonly form: Form;
  readonly narrowed?: Narrowing;
}

/**
 * How a statement reads a value:
 *
 * - `exact`: a number whose own comparisons are correct
 * - `double`: a number that is compared as the nearest double
 * - `float`: single or double precision
 * - `bits`: a number stored as bits
 * - `year`: a year; the database's own comparisons may expand two digits to a year
 * - `text`: characters in some encoding
 * - `plain`: a value that is written as ASCII text
 * - `digits`: a number that is read as its digits
 * - `bytes`: bytes that may be valid UTF-8
 * - `date`, `instant`: dates without and with a time
 */
export type Form =
  | "exact"
  | "double"
  | "float"
  | "bits"
  | "year"
  | "text"
  | "plain"
  | "digits"
  | "bytes"
  | "date"
  | "instant";

const numeric = (form: Form): ReadType => ({ type: "numeric", form });
const text = (form: Form): ReadType => ({ type: "hierarchy", form });

/** How strings are read if they may be longer than the part of a string that the server compares when it sorts. */
const longText: ReadType = {
  ...text("text"),
  narrowed: {
    grouping: false,
    order: false,
    reason: "strings of this type can be longer than the part that the server compares",
  },
};

const types: Readonly<Record<string, ReadType>> = {
  tinyint: numeric("exact"),
  smallint: numeric("exact"),
  mediumint: numeric("exact"),
  int: numeric("exact"),
  bigint: numeric("double"),
  float: numeric("float"),
  double: numeric("float"),
  bit: numeric("bits"),
  year: numeric("year"),
  char: text("text"),
  varchar: text("text"),
  tinytext: text("text"),
  text: text("text"),
  mediumtext: longText,
  longtext: longText,
  enum: text("text"),
  set: text("text"),
  json: { ...longText, form: "plain" },
  time: text("plain"),
  uuid: text("plain"),
  inet4: text("plain"),
  inet6: text("plain"),
  varbinary: text("bytes"),
  date: { type: "datetime", subtype: "date", form: "date" },
  datetime: { type: "datetime", subtype: "datetime", form: "instant" },
  timestamp: { type: "datetime", subtype: "datetime", form: "instant" },
};

/** Number of decimal digits that every double preserves. */
const exactDigits = 15;

/**
 * Returns how a native type such as `decimal(12,2) unsigned` is read. Undefined for types that the protocol cannot
 * represent: bytes of fixed length, large objects, geometries and vectors.
 */
export function readType(nativeType: string): ReadType | undefined {
  const [, name = "", precision] = /^(\w+)(?:\((\d+))?/.exec(nativeType.toLowerCase()) ?? [];
  if (name === "decimal" || name === "numeric")
    return numeric(Number(precision ?? 10) <= exactDigits ? "exact" : "double");
  return types[name];
}

/** Returns the kind of a number type, as in `Dialect.numberKind`. */
export function numberKind({
  nativeType,
}: {
  readonly nativeType: string;
}): "small" | "big" | "wide" | undefined {
  const { form } = readType(nativeType) ?? {};
  if (form === "exact") return "small";
  if (form !== "double") return undefined;
  return /^bigint|^(?:decimal|numeric)\(\d+(?:,0)?\)/i.test(nativeType) ? "big" : "wide";
}

/** Maximum digits of a decimal. With this number of digits, sums over 10^22 rows fit into the database's 65 digits. */
const summedDigits = 43;

/**
 * Returns whether sums should be computed in a type's own arithmetic, because they are exact and have more digits than
 * a double.
 */
export function isSummedWide(nativeType: string): boolean {
  const [, name, precision] = /^(bigint|decimal|numeric)(?:\((\d+))?/i.exec(nativeType) ?? [];
  if (name === undefined) return false;
  return name.toLowerCase() === "bigint" || Number(precision ?? 10) <= summedDigits;
}
