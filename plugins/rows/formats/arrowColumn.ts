import {
  DataType as Arrow,
  DateUnit,
  TimeUnit,
  type DataType as ArrowType,
  type Vector,
} from "apache-arrow";
import type { Column } from "../../protocol/index.ts";

export interface ArrowColumn {
  readonly type: Column["type"];
  readonly subtype?: "date";
  /** Returns a function that reads the vector's value in a given row. */
  valuesOf(vector: Vector): (row: number) => unknown;
}

/** Returns the logical type of an Arrow type, and how to read its values. Nested values become JSON strings. */
export function arrowColumn(type: ArrowType): ArrowColumn {
  if (Arrow.isDictionary(type)) return arrowColumnOfDictionary(type.dictionary);
  if (Arrow.isTimestamp(type)) return { type: "datetime", valuesOf: instants(type.unit) };
  if (Arrow.isDate(type))
    return {
      type: "datetime",
      ...(type.unit === DateUnit.DAY && { subtype: "date" }),
      valuesOf: mapped((value) => new Date(Number(value))),
    };
  if (Arrow.isDecimal(type))
    return {
      type: "numeric",
      valuesOf: mapped((value) => Number(`${String(value)}e-${type.scale}`)),
    };
  if (Arrow.isInt(type) || Arrow.isFloat(type)) return { type: "numeric", valuesOf: mapped(same) };
  return { type: "hierarchy", valuesOf: mapped(textValue) };
}

/** Returns how to read a dictionary-encoded column. The library has already decoded its values. */
function arrowColumnOfDictionary(type: ArrowType): ArrowColumn {
  const column = arrowColumn(type);
  if (!Arrow.isTimestamp(type)) return column;
  return { type: "datetime", valuesOf: mapped((value) => new Date(Math.floor(Number(value)))) };
}

const same = (value: unknown): unknown => value;

function mapped(valueOf: (value: unknown) => unknown): ArrowColumn["valuesOf"] {
  return (vector) => (row) => {
    const value: unknown = vector.get(row);
    return value === null || value === undefined ? null : valueOf(value);
  };
}

/** Factors that convert a value to milliseconds: multiply by `times` and divide by `per`. */
const scales: Readonly<Record<TimeUnit, readonly [times: bigint, per: bigint]>> = {
  [TimeUnit.SECOND]: [1000n, 1n],
  [TimeUnit.MILLISECOND]: [1n, 1n],
  [TimeUnit.MICROSECOND]: [1n, 1000n],
  [TimeUnit.NANOSECOND]: [1n, 1_000_000n],
};

/** Converts stored integers to milliseconds, rounded down. A double cannot represent all microseconds exactly. */
function instants(unit: TimeUnit): ArrowColumn["valuesOf"] {
  const [times, per] = scales[unit];
  return (vector) => {
    const [data] = vector.data;
    const values: BigInt64Array | undefined = data?.values;
    return (row) => {
      if (!values || vector.get(row) === null) return null;
      const scaled = values[row]! * times;
      const rest = scaled % per;
      return new Date(Number((scaled - (rest < 0n ? rest + per : rest)) / per));
    };
  };
}

function textValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (
    typeof value === "object" &&
    value !== null &&
    "toJSON" in value &&
    typeof value.toJSON === "function"
  )
    return value.toJSON();
  return value;
}
