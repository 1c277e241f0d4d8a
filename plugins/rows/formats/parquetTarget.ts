import type { ColumnDecoder, DecodedArray } from "hyparquet/src/types.js";
import { readValue } from "../readValue.ts";
import { areClean } from "./areClean.ts";
import type { Collector, ColumnSink, NumberCollector, TextCollector } from "./columnSink.ts";
import type { ParquetColumn } from "./parquetColumn.ts";
import { plainNumbers, type PlainNumbers } from "./parquetNumbers.ts";
import type { ParquetValues } from "./parquetValues.ts";
import { paddingBytes } from "./textTable.ts";

/** Writes the values of a flat column to its collector. */
export interface ParquetTarget {
  /**
   * Reads the next `count` values, which are not null, and writes them to consecutive rows from `row` on.
   * @throws {Error} if fewer values remain
   */
  write(values: ParquetValues, count: number, row: number): void;
  /**
   * Moves the values of the rows from `row` on to the rows that `isPresent` marks with 1. The other rows become null.
   */
  spread(isPresent: Int32Array, row: number): void;
}

/**
 * Creates the target for the column at `place` in the sink. Its wanted type must be the type in the file. `placeOf`
 * returns the place of a row of the sink.
 */
export function parquetTarget(
  column: ParquetColumn,
  decoder: ColumnDecoder,
  sink: ColumnSink,
  { place, placeOf }: { readonly place: number; placeOf(row: number): string },
): ParquetTarget {
  const collector = sink.collectors[place]!;
  const writeCell = (value: unknown, row: number) =>
    sink.setCell(row, place, column.valueOf(value), () => placeOf(row));
  const writeCells = (values: ParquetValues, count: number, row: number) => {
    const read = values.read(count);
    for (let index = 0; index < count; index++) writeCell(read[index], row + index);
  };
  const options = { column, decoder, sink, writeCell, writeCells };
  const write =
    collector.type === "hierarchy"
      ? collector.forms.reading
        ? writeCells
        : textWriter(collector, options)
      : numberWriter(collector, options);
  return { write, spread: (isPresent, row) => spread(collector, isPresent, row) };
}

type Write = ParquetTarget["write"];

interface WriterOptions {
  readonly column: ParquetColumn;
  readonly decoder: ColumnDecoder;
  readonly sink: ColumnSink;
  /** Converts and writes one value. */
  readonly writeCell: (value: unknown, row: number) => void;
  /** Writes the values of any page one by one. */
  readonly writeCells: Write;
}

function numberWriter(
  { type, values: target, forms }: NumberCollector,
  { column, decoder, writeCell, writeCells }: WriterOptions,
): Write {
  const plain: PlainNumbers | undefined = column.isWall
    ? undefined
    : plainNumbers(decoder.element, type, column.scale);
  let known: DecodedArray | undefined;
  let numbers = new Float64Array();
  /** Whether an entry of the dictionary would lose digits. Its first row is then refused. */
  let isWrong = false;
  return (values, count, row) => {
    if (values.codes) {
      const { codes } = values;
      if (codes.dictionary !== known) {
        known = codes.dictionary;
        isWrong = false;
        const entries: ArrayLike<unknown> = known;
        numbers = Float64Array.from(entries, (entry) => {
          const cell = readValue(column.valueOf(entry), type, forms);
          isWrong ||= cell === undefined;
          return typeof cell === "number" && cell - cell === 0 ? cell + 0 : NaN;
        });
      }
      if (isWrong) {
        writeCells(values, count, row);
        return;
      }
      const read = codes.read(count);
      for (let index = 0; index < count; index++) target[row + index] = numbers[read[index]!]!;
    } else if (plain && values.plain) {
      const { view, from } = values.plain(count, plain.sizeBytes);
      const written = target.subarray(row, row + count);
      plain.read(view, from, written);
      if (!column.isWhole || !plain.wholeAt) return;
      for (let index = 0; index < count; index++)
        if (!Number.isSafeInteger(written[index]))
          writeCell(plain.wholeAt(view, from + index * plain.sizeBytes), row + index);
    } else writeCells(values, count, row);
  };
}

/** Marks an entry of a dictionary whose code is not known yet. */
const unknown = -2;
/** Bytes of the length before each string. */
const lengthBytes = 4;

function textWriter(
  collector: TextCollector,
  { column, decoder: { element, type }, sink, writeCells }: WriterOptions,
): Write {
  const { codes: target, table, forms } = collector;
  const isText =
    type === "BYTE_ARRAY" &&
    (element.converted_type === "UTF8" || element.logical_type?.type === "STRING");
  const isPlainText = isText && !forms.nulls?.size;
  let known: DecodedArray | undefined;
  let part = -1;
  let codeOf = new Int32Array();
  return (values, count, row) => {
    if (values.codes) {
      const { codes } = values;
      const { dictionary } = codes;
      if (dictionary !== known) codeOf = new Int32Array(dictionary.length);
      if (dictionary !== known || part !== sink.part) codeOf.fill(unknown);
      known = dictionary;
      ({ part } = sink);
      const read = codes.read(count);
      for (let index = 0; index < count; index++) {
        const entry = read[index]!;
        if (codeOf[entry] === unknown) {
          const cell = readValue(column.valueOf(dictionary[entry]), "hierarchy", forms);
          codeOf[entry] = typeof cell === "string" ? collector.codeOf(cell) : -1;
        }
        target[row + index] = codeOf[entry]!;
      }
    } else if (isPlainText && values.plainTexts) {
      const { view, limits } = values.plainTexts(count);
      const isClean = areClean(view, limits, lengthBytes);
      for (let index = 0; index < count; index++) {
        const start = limits[index]! + lengthBytes;
        const end = limits[index + 1]!;
        target[row + index] =
          isClean && end + paddingBytes <= view.byteLength
            ? table.codeOf(view, start, end - start)
            : collector.codeOf(decoded(view, start, end));
      }
    } else writeCells(values, count, row);
  };
}

const decoder = new TextDecoder();

/** Decodes a string as hyparquet does, which replaces invalid bytes and drops a byte order mark. */
function decoded(view: DataView, from: number, to: number): string {
  return decoder.decode(new Uint8Array(view.buffer, view.byteOffset + from, to - from));
}

function spread(collector: Collector, isPresent: Int32Array, row: number): void {
  let from = row - 1;
  for (const present of isPresent) from += present;
  const [values, none] =
    collector.type === "hierarchy"
      ? ([collector.codes, -1] as const)
      : ([collector.values, NaN] as const);
  for (let index = isPresent.length - 1; index >= 0; index--)
    values[row + index] = isPresent[index] ? values[from--]! : none;
}
