import {
  DataType as Arrow,
  DateUnit,
  IntervalUnit,
  TimeUnit,
  UnionMode,
  Vector,
  type Data,
  type DataType as ArrowType,
} from "apache-arrow";
import type { Column } from "../../protocol/index.ts";
import { decimalOf, instantOfWall, textOfDay, textOfTime, textOfWall } from "./storedValues.ts";
import { safeDigits } from "./longNumbers.ts";

export interface ArrowColumn {
  readonly type: Column["type"];
  readonly subtype?: Column["subtype"];
  /** Whether the values are whole numbers that may lie beyond 2^53. */
  readonly isWhole?: boolean;
  /** Whether the values are times of a wall clock, which are read in the time zone of the settings. */
  readonly isWall?: boolean;
  /** Returns a function that reads the vector's value in a given row. */
  valuesOf(vector: Vector): (row: number) => unknown;
}

/** Where values are, and how they are read there. */
interface Place {
  /** Whether the values are in lists, structs, maps or unions, where days are written as strings. */
  readonly isNested: boolean;
  /** The zone of nested timestamps without a zone. Absent: UTC. */
  readonly timeZone: string | undefined;
}

/**
 * Returns the logical type of an Arrow type, and how to read its values. Nested values become JSON strings. Timestamps
 * without a zone are in `timeZone`. Absent: UTC.
 */
export function arrowColumn(given: ArrowType, timeZone: string | undefined): ArrowColumn {
  const type = Arrow.isDictionary(given) ? given.dictionary : given;
  const valuesOf = (vector: Vector) => partsReader(vector.data, { isNested: false, timeZone });
  if (Arrow.isTimestamp(type) && !type.timezone && timeZone !== undefined)
    return {
      type: "datetime",
      isWall: true,
      valuesOf(vector) {
        const read = valuesOf(vector);
        return (row) => textOfWall(read(row));
      },
    };
  if (Arrow.isTimestamp(type)) return { type: "datetime", valuesOf };
  if (Arrow.isDate(type)) {
    const isDay = type.unit === DateUnit.DAY;
    return { type: "datetime", ...(isDay && { subtype: "date" }), valuesOf };
  }
  if (Arrow.isDecimal(type)) {
    const isWhole = type.scale <= 0 && type.precision - type.scale > safeDigits;
    return { type: "numeric", ...(isWhole && { isWhole }), valuesOf };
  }
  if (Arrow.isInt(type) || Arrow.isFloat(type)) {
    const isWhole = Arrow.isInt(type) && type.bitWidth === 64;
    return { type: "numeric", ...(isWhole && { isWhole }), valuesOf };
  }
  // Durations are hours.
  if (Arrow.isDuration(type)) return { type: "numeric", subtype: "duration", valuesOf };
  return { type: "hierarchy", valuesOf };
}

type Read = (row: number) => unknown;

/** Reads the rows of several parts, one after another. */
function partsReader(parts: readonly Data[], place: Place): Read {
  const readers = parts.map((data) => reader(data, place));
  const [first] = readers;
  if (first && parts.length === 1) return first;
  return (row) => {
    let from = 0;
    for (const [index, data] of parts.entries()) {
      if (row < from + data.length) return readers[index]!(row - from);
      from += data.length;
    }
    return null;
  };
}

/** Returns how to read the rows of a part. Nulls are null. */
function reader(data: Data, place: Place): Read {
  const read = presentReader(data, place);
  return (row) => (data.getValid(row) ? read(row) : null);
}

/** Returns how to read rows that are not null. */
function presentReader(data: Data, place: Place): Read {
  const { type, children } = data;
  const { isNested, timeZone } = place;
  const parts = () => children.map((child) => reader(child, { isNested: true, timeZone }));
  if (Arrow.isDictionary(type)) {
    const indices: ArrayLike<number | bigint> = data.values;
    const entries = partsReader(data.dictionary?.data ?? [], place);
    return (row) => entries(Number(indices[row]!));
  }
  if (Arrow.isInt(type) && type.bitWidth === 64) {
    const values: BigInt64Array = data.values;
    return (row) => values[row];
  }
  if (Arrow.isDecimal(type)) return decimalReader(data, type.bitWidth, type.scale);
  if (Arrow.isTimestamp(type)) {
    const read = instantReader(data, type.unit);
    return isNested && !type.timezone ? (row) => instantOfWall(read(row), timeZone) : read;
  }
  if (Arrow.isDate(type) && type.unit === DateUnit.DAY) {
    const days: Int32Array = data.values;
    const dayOf = (row: number) => new Date(days[row]! * 86_400_000);
    return isNested ? (row) => textOfDay(dayOf(row)) : dayOf;
  }
  if (Arrow.isDate(type)) {
    const values: BigInt64Array = data.values;
    return (row) => validDate(Number(values[row]));
  }
  if (Arrow.isTime(type)) {
    const values: ArrayLike<number | bigint> = data.values;
    const digits = secondDigits[type.unit];
    return (row) => textOfTime(BigInt(values[row]!), digits);
  }
  if (Arrow.isDuration(type)) {
    const values: BigInt64Array = data.values;
    const digits = secondDigits[type.unit];
    return (row) => decimalOf(values[row]!, digits) / 3600;
  }
  if (Arrow.isInterval(type)) return intervalReader(data, type.unit);
  if (Arrow.isStruct(type)) {
    const readers = parts();
    const names = type.children.map(({ name }) => name);
    return (row) => Object.fromEntries(names.map((name, index) => [name, readers[index]!(row)]));
  }
  if (Arrow.isMap(type)) return mapReader(data, timeZone);
  if (Arrow.isList(type) || Arrow.isLargeList(type)) {
    const [entry] = parts();
    const offsets: ArrayLike<number | bigint> = data.valueOffsets;
    return (row) => listOf(entry!, Number(offsets[row]!), Number(offsets[row + 1]!));
  }
  if (Arrow.isFixedSizeList(type)) {
    const [entry] = parts();
    const { listSize } = type;
    return (row) => listOf(entry!, row * listSize, (row + 1) * listSize);
  }
  if (Arrow.isUnion(type)) {
    const readers = parts();
    const { typeIds } = data;
    const offsets: Int32Array = data.valueOffsets;
    const isDense = type.mode === UnionMode.Dense;
    return (row) => {
      const child = type.typeIdToChildIndex[typeIds[row]!] ?? 0;
      return readers[child]!(isDense ? offsets[row]! : row) ?? null;
    };
  }
  const vector = new Vector([data]);
  return (row) => {
    const value: unknown = vector.get(row);
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  };
}

function listOf(read: Read, from: number, to: number): readonly unknown[] {
  return Array.from({ length: to - from }, (_, index) => read(from + index));
}

function mapReader({ children, valueOffsets }: Data, timeZone: string | undefined): Read {
  const offsets: Int32Array = valueOffsets;
  const place: Place = { isNested: true, timeZone };
  const [keys, values] = (children[0]?.children ?? []).map((child) => reader(child, place));
  const keyOf = (row: number) => {
    const key = keys!(row);
    return key instanceof Date ? key.toISOString() : String(key);
  };
  return (row) => {
    const [from, to] = [offsets[row]!, offsets[row + 1]!];
    const entries = Array.from({ length: to - from }, (_, index) => index + from);
    return Object.fromEntries(entries.map((entry) => [keyOf(entry), values!(entry)]));
  };
}

/** Reads a decimal of 32 to 256 bits as the nearest double, or as a bigint if it has no decimals. */
function decimalReader(data: Data, bitWidth: number, scale: number): Read {
  const { buffer, byteOffset, byteLength }: ArrayBufferView = data.values;
  const view = new DataView(buffer, byteOffset, byteLength);
  const sizeBytes = bitWidth / 8;
  return (row) => {
    let unscaled = 0n;
    for (let at = sizeBytes - 4; at >= 0; at -= 4)
      unscaled = (unscaled << 32n) | BigInt(view.getUint32(row * sizeBytes + at, true));
    unscaled = BigInt.asIntN(bitWidth, unscaled);
    return scale > 0 ? decimalOf(unscaled, scale) : unscaled * 10n ** BigInt(-scale);
  };
}

/** Digits of a second in a unit of time. */
const secondDigits: Readonly<Record<TimeUnit, number>> = {
  [TimeUnit.SECOND]: 0,
  [TimeUnit.MILLISECOND]: 3,
  [TimeUnit.MICROSECOND]: 6,
  [TimeUnit.NANOSECOND]: 9,
};

/** Factors that convert a value to milliseconds: multiply by `times` and divide by `per`. */
const scales: Readonly<Record<TimeUnit, readonly [times: bigint, per: bigint]>> = {
  [TimeUnit.SECOND]: [1000n, 1n],
  [TimeUnit.MILLISECOND]: [1n, 1n],
  [TimeUnit.MICROSECOND]: [1n, 1000n],
  [TimeUnit.NANOSECOND]: [1n, 1_000_000n],
};

/** Converts stored integers to milliseconds, rounded down. A double cannot represent all microseconds exactly. */
function instantReader(data: Data, unit: TimeUnit): Read {
  const [times, per] = scales[unit];
  const values: BigInt64Array = data.values;
  return (row) => {
    const scaled = values[row]! * times;
    const rest = scaled % per;
    return validDate(Number((scaled - (rest < 0n ? rest + per : rest)) / per));
  };
}

/** Dates beyond the years that JavaScript has become null. */
function validDate(ms: number): Date | null {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Reads an interval as an ISO 8601 duration. */
function intervalReader(data: Data, unit: IntervalUnit): Read {
  const values: Int32Array = data.values;
  switch (unit) {
    case IntervalUnit.YEAR_MONTH:
      return (row) => `P${values[row]}M`;
    case IntervalUnit.DAY_TIME:
      return (row) => `P${values[2 * row]}DT${decimalOf(BigInt(values[2 * row + 1]!), 3)}S`;
    case IntervalUnit.MONTH_DAY_NANO:
      return (row) => {
        const nanos = (BigInt(values[4 * row + 3]!) << 32n) | BigInt(values[4 * row + 2]! >>> 0);
        return `P${values[4 * row]}M${values[4 * row + 1]}DT${decimalOf(nanos, 9)}S`;
      };
  }
}
