import {
  DataType as Arrow,
  DateUnit,
  Precision,
  TimeUnit,
  type Data,
  type Vector,
} from "apache-arrow";
import { readValue } from "../readValue.ts";
import type { ArrowColumn } from "./arrowColumn.ts";
import { areClean } from "./areClean.ts";
import type { Collector, ColumnSink, NumberCollector, TextCollector } from "./columnSink.ts";
import { storedNumbers, type PlainNumbers } from "./parquetNumbers.ts";

/** The rows of a vector to write, and the row of the sink at which they begin. */
export interface ArrowRows {
  readonly from: number;
  readonly count: number;
  readonly row: number;
  /** Returns the place of a row of the sink. */
  placeOf(row: number): string;
}

/** Returns a function that writes rows of a vector to the column at `place` of a sink. */
export function arrowFiller(
  vector: Vector,
  column: ArrowColumn,
  sink: ColumnSink,
  place: number,
): (rows: ArrowRows) => void {
  const collector = sink.collectors[place]!;
  const [data] = vector.data;
  const isWhole = vector.data.length === 1 && data?.offset === 0;
  const fill =
    isWhole && data && collector.type === column.type && !collector.forms.reading && !column.isWall
      ? collector.type === "hierarchy"
        ? textFiller({ vector, data, column, sink, collector })
        : numberFiller(data, collector)
      : undefined;
  if (!fill) {
    const valueOf = column.valuesOf(vector);
    return ({ from, count, row, placeOf }) => {
      for (let index = 0; index < count; index++)
        sink.setCell(row + index, place, valueOf(from + index), () => placeOf(row + index));
    };
  }
  const isWhole64 = column.isWhole && collector.type === "numeric" && Arrow.isInt(data!.type);
  return (rows) => {
    fill(rows);
    if (data && data.nullCount > 0) clearNulls(data, collector, rows);
    if (!isWhole64) return;
    const stored: ArrayLike<bigint> = data!.values;
    const { from, count, row, placeOf } = rows;
    for (let index = 0; index < count; index++) {
      const written = collector.values[row + index]!;
      if (!Number.isSafeInteger(written) && !Number.isNaN(written))
        sink.setCell(row + index, place, stored[from + index], () => placeOf(row + index));
    }
  };
}

type Fill = (rows: ArrowRows) => void;

function clearNulls(data: Data, collector: Collector, { from, count, row }: ArrowRows): void {
  const [values, none] =
    collector.type === "hierarchy"
      ? ([collector.codes, -1] as const)
      : ([collector.values, NaN] as const);
  for (let index = 0; index < count; index++)
    if (!data.getValid(from + index)) values[row + index] = none;
}

function numberFiller(
  { type, values }: Data,
  { values: target }: NumberCollector,
): Fill | undefined {
  const stored = storedOf(type);
  if (stored) {
    const { buffer, byteOffset, byteLength }: ArrayBufferView = values;
    const view = new DataView(buffer, byteOffset, byteLength);
    return ({ from, count, row }) =>
      stored.read(view, from * stored.sizeBytes, target.subarray(row, row + count));
  }
  const isPlain =
    (Arrow.isInt(type) && type.bitWidth < 64) ||
    (Arrow.isFloat(type) && type.precision !== Precision.HALF);
  if (!isPlain) return undefined;
  const numbers: ArrayLike<number> = values;
  return ({ from, count, row }) => {
    for (let index = 0; index < count; index++) {
      const value = numbers[from + index]!;
      target[row + index] = value - value === 0 ? value + 0 : NaN;
    }
  };
}

function storedOf(type: Data["type"]): PlainNumbers | undefined {
  if (Arrow.isInt(type) && type.bitWidth === 64)
    return type.isSigned ? storedNumbers.signed64 : storedNumbers.unsigned64;
  if (Arrow.isDate(type))
    return type.unit === DateUnit.DAY ? storedNumbers.days : storedNumbers.milliseconds;
  if (!Arrow.isTimestamp(type)) return undefined;
  return {
    [TimeUnit.SECOND]: storedNumbers.seconds,
    [TimeUnit.MILLISECOND]: storedNumbers.milliseconds,
    [TimeUnit.MICROSECOND]: storedNumbers.microseconds,
    [TimeUnit.NANOSECOND]: storedNumbers.nanoseconds,
  }[type.unit];
}

const unknown = -2;

interface TextOptions {
  readonly vector: Vector;
  readonly data: Data;
  readonly column: ArrowColumn;
  readonly sink: ColumnSink;
  readonly collector: TextCollector;
}

function textFiller({ vector, data, column, sink, collector }: TextOptions): Fill | undefined {
  const { codes: target, table, forms } = collector;
  const codeOfValue = (value: unknown): number => {
    const cell = readValue(value, "hierarchy", forms);
    return typeof cell === "string" ? collector.codeOf(cell) : -1;
  };
  if (Arrow.isDictionary(data.type)) {
    const { dictionary } = data;
    if (!dictionary || !Arrow.isUtf8(data.type.dictionary)) return undefined;
    const indices: ArrayLike<number | bigint> = data.values;
    const codeOf = new Int32Array(dictionary.length);
    let part = -1;
    return ({ from, count, row }) => {
      if (part !== sink.part) codeOf.fill(unknown);
      ({ part } = sink);
      for (let index = 0; index < count; index++) {
        const entry = Number(indices[from + index]!);
        if (codeOf[entry] === unknown && data.getValid(from + index))
          codeOf[entry] = codeOfValue(dictionary.get(entry));
        target[row + index] = codeOf[entry] ?? -1;
      }
    };
  }
  if (!Arrow.isUtf8(data.type)) return undefined;
  const bytes: Uint8Array = data.values;
  const offsets: Int32Array = data.valueOffsets;
  const valueOf = column.valuesOf(vector);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isPlain = !forms.nulls?.size;
  return ({ from, count, row }) => {
    const isClean = isPlain && areClean(view, offsets.subarray(from, from + count + 1), 0);
    for (let index = 0; index < count; index++) {
      const [start, end] = [offsets[from + index]!, offsets[from + index + 1]!];
      target[row + index] =
        isClean && end + 3 <= bytes.length
          ? table.codeOf(view, start, end - start)
          : codeOfValue(valueOf(from + index));
    }
  };
}
