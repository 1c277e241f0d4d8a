import type { Column, DataType } from "../../plugins/protocol/index.ts";

/** How values of a native type are read. */
export type Reading =
  /** Integers that are exact as doubles. */
  | { readonly kind: "small" }
  /** 64-bit integers. */
  | { readonly kind: "whole" }
  /** 128-bit or 256-bit integers. */
  | { readonly kind: "huge" }
  | { readonly kind: "float" }
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  /** Dates without a time of day. */
  | { readonly kind: "date" }
  /** Datetimes with a precision of one second. */
  | { readonly kind: "datetime" }
  /** Datetimes with fractions of a second. `precision` is the number of decimal digits. */
  | { readonly kind: "ticks"; readonly precision: number }
  /** Strings whose bytes may be invalid UTF-8. */
  | { readonly kind: "text"; readonly isDictionary: boolean }
  /** Strings that are padded with U+0000. */
  | { readonly kind: "padded" }
  | { readonly kind: "uuid" }
  /** Lists and structures. Their values are read as JSON. */
  | { readonly kind: "nested" }
  /** All other types. Their values are read in the server's text form. */
  | { readonly kind: "other" };

const wrapper = /^(Nullable|LowCardinality)\((.*)\)$/s;
const simpleState = /^SimpleAggregateFunction\((?:[^(),]|\([^()]*\))*, (.*)\)$/s;

/**
 * Returns how values of a ClickHouse type such as `LowCardinality(Nullable(String))` are read. Undefined for states of
 * aggregate functions, because the states are not values.
 */
export function readingOf(nativeType: string): Reading | undefined {
  const { type, isDictionary } = unwrapped(nativeType);
  const name = /^\w+/.exec(type)?.[0] ?? "";
  if (/^U?Int(8|16|32)$/.test(name)) return { kind: "small" };
  if (/^U?Int64$/.test(name)) return { kind: "whole" };
  if (/^U?Int(128|256)$/.test(name)) return { kind: "huge" };
  switch (name) {
    case "Float32":
    case "Float64":
    case "BFloat16":
      return { kind: "float" };
    case "Decimal": {
      const [precision = 76, scale = 0] = numbersOf(type);
      return { kind: "decimal", precision, scale };
    }
    case "Date":
    case "Date32":
      return { kind: "date" };
    case "DateTime":
      return { kind: "datetime" };
    case "DateTime64":
      return { kind: "ticks", precision: numbersOf(type)[0] ?? 3 };
    case "String":
      return { kind: "text", isDictionary };
    case "FixedString":
      return { kind: "padded" };
    case "UUID":
      return { kind: "uuid" };
    case "Array":
    case "Map":
    case "Tuple":
    case "Nested":
    case "JSON":
    case "Point":
    case "Ring":
    case "LineString":
    case "MultiLineString":
    case "Polygon":
    case "MultiPolygon":
      return { kind: "nested" };
    case "AggregateFunction":
      return undefined;
    default:
      return { kind: "other" };
  }
}

/** Maximum digits of a decimal that a double always preserves. */
const doubleDigits = 15;

/** Returns the kind of a number type, as in `Dialect.numberKind`. */
export function numberKind({
  nativeType,
}: {
  readonly nativeType: string;
}): "small" | "big" | "wide" | undefined {
  const reading = readingOf(nativeType);
  if (reading?.kind === "small") return "small";
  if (reading?.kind === "whole" || reading?.kind === "huge") return "big";
  if (reading?.kind !== "decimal") return undefined;
  if (reading.precision <= doubleDigits) return "small";
  return reading.scale === 0 ? "big" : "wide";
}

/**
 * Returns whether a datetime type names no zone. ClickHouse then shows its values on the server's clock, on which they
 * were also inserted as strings.
 */
export function isUnzoned({ nativeType }: { readonly nativeType: string }): boolean {
  const { kind } = readingOf(nativeType) ?? {};
  return (kind === "datetime" || kind === "ticks") && !nativeType.includes("'");
}

/** Returns the logical type of values. Booleans become strings, as in the protocol's cells. */
export function typeOf({ kind }: Reading): { type: DataType; subtype?: Column["subtype"] } {
  switch (kind) {
    case "small":
    case "whole":
    case "huge":
    case "float":
    case "decimal":
      return { type: "numeric" };
    case "date":
      return { type: "datetime", subtype: "date" };
    case "datetime":
    case "ticks":
      return { type: "datetime" };
    case "nested":
    case "other":
    case "padded":
    case "text":
    case "uuid":
      return { type: "hierarchy" };
  }
}

function unwrapped(nativeType: string): { type: string; isDictionary: boolean } {
  let type = nativeType;
  let isDictionary = false;
  for (;;) {
    const wrapped = wrapper.exec(type);
    const inner = wrapped?.[2] ?? simpleState.exec(type)?.[1];
    if (inner === undefined) return { type, isDictionary };
    isDictionary ||= wrapped?.[1] === "LowCardinality";
    type = inner;
  }
}

function numbersOf(type: string): number[] {
  return Array.from(type.matchAll(/\d+(?=[,)\s])/g), ([digits]) => Number(digits));
}
