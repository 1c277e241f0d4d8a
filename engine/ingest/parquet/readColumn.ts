import type { RowGroup, SchemaElement } from "hyparquet";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";
import { EngineError } from "../../errors.ts";
import type { FilledColumn } from "../../types.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { type ColumnPlace, fitColumn, type FoundColumn } from "../decode/fitColumn.ts";
import { TextReader } from "../decode/textReader.ts";
import { readPages, type ParquetPage } from "./parquetPages.ts";
import type { LogicalType } from "./parquetTypes.ts";
import {
  placeStored,
  readIndices,
  readStored,
  readTextPlaces,
  type TextBlock,
} from "./parquetValues.ts";

/** The name of the format in error messages. */
export const parquetFile = "Parquet file";

/** A column of the file, and the store's column that receives its values. */
export interface ParquetColumn {
  readonly element: SchemaElement;
  readonly logical: LogicalType;
  readonly given: FilledColumn | undefined;
}

/** Returns the type of the batch column for values of a logical type. */
export function columnType({ kind }: LogicalType): EncodedBatchColumn["type"] {
  return kind === "text" ? "text" : kind === "datetime" ? "datetime" : "number";
}

/**
 * Reads the values of one column in one row group and converts them to the column that receives them.
 * @throws {EngineError} INGEST_UNREADABLE, INGEST_CELL
 */
export function readColumn(
  memory: DecodeMemory,
  bytes: Uint8Array,
  group: RowGroup,
  { element, logical, given }: ParquetColumn,
  place: ColumnPlace,
  rowCount: number,
): EncodedBatch["columns"][number] {
  const chunk = group.columns.find(
    ({ meta_data: data }) =>
      data?.path_in_schema.length === 1 && data.path_in_schema[0] === element.name,
  );
  if (!chunk?.meta_data || chunk.file_path)
    throw unreadable(
      `the column ${place.name} of a row group is missing, encrypted or in another file`,
    );
  const isOptional = element.repetition_type === "OPTIONAL";
  memory.clear();
  const pages = readPages(memory, bytes, chunk.meta_data, isOptional, rowCount);
  const found =
    logical.kind === "text"
      ? readTexts(memory, pages, element, logical, rowCount)
      : readNumbers(memory, pages, element, logical, place, rowCount);
  return fitColumn(found, given, place);
}

type Pages = ReturnType<typeof readPages>;
type NumberType = Exclude<LogicalType, { kind: "text" }>;

function readNumbers(
  memory: DecodeMemory,
  pages: Pages,
  element: SchemaElement,
  logical: NumberType,
  place: ColumnPlace,
  rowCount: number,
): FoundColumn {
  const { decoders, take, doubles } = memory;
  const values = memory.buffers.doubles(rowCount);
  let entries = 0;
  let entryCount = 0;
  let start = 0;
  for (const page of pages) {
    const { rowCount: pageRows, valueCount, levels } = page;
    const pagePlace = { ...place, firstRow: place.firstRow + start };
    if (page.isDictionary) {
      entries = readDoubles(memory, page, element, logical, pagePlace);
      entryCount = valueCount;
      continue;
    }
    let found: number;
    if (isIndexed(page.encoding)) {
      const indices = readIndices(memory, page);
      found = take(valueCount * 8);
      if (decoders.gatherDoubles(entries, entryCount, indices, 0, valueCount, found) < valueCount)
        throw new RangeError("a value refers to an entry that its dictionary does not have");
    } else found = readDoubles(memory, page, element, logical, pagePlace);
    if (levels !== 0) {
      const spread = take(pageRows * 8);
      decoders.spreadDoubles(found, levels, pageRows, spread);
      found = spread;
    }
    values.set(doubles(found, pageRows), start);
    start += pageRows;
  }
  return {
    column: { type: columnType(logical) as "number" | "datetime", values },
    isDate: logical.isDate,
  };
}

/** Converts a page's stored values to doubles, and returns their address. */
function readDoubles(
  memory: DecodeMemory,
  page: ParquetPage,
  element: SchemaElement,
  { read, decoder }: NumberType,
  place: ColumnPlace,
): number {
  const { bytes, valueCount, levels, rowCount } = page;
  if (decoder && page.encoding === "PLAIN" && bytes.length >= valueCount * decoder.sizeBytes) {
    const to = memory.take(valueCount * 8);
    const { name, power = 1 } = decoder;
    const done = memory.decoders[name](bytes.byteOffset, 0, valueCount, to, power);
    if (done === valueCount) return to;
  }
  const rows = levels === 0 ? undefined : rowsOf(memory.bytes(levels, rowCount), valueCount);
  const stored = readStored(memory, page, element);
  return memory.place(read(stored, valueCount, { ...place, ...(rows && { rows }) }));
}

function readTexts(
  memory: DecodeMemory,
  pages: Pages,
  element: SchemaElement,
  logical: Extract<LogicalType, { kind: "text" }>,
  rowCount: number,
): FoundColumn {
  const { decoders, take, takeZeros, words } = memory;
  const blocksOf = (page: ParquetPage, rowsPerBlock?: number): Iterable<TextBlock> =>
    logical.isPlain && page.encoding === "PLAIN"
      ? readTextPlaces(memory, page, rowsPerBlock)
      : [placeStored(memory, logical.read(readStored(memory, page, element)))];
  let reader: TextReader | undefined;
  const codes = memory.buffers.words(rowCount);
  let dictionary: TextBlock | undefined;
  let known = 0;
  let entryCount = 0;
  let start = 0;
  for (const page of pages) {
    const { rowCount: pageRows, valueCount, levels } = page;
    reader ??= new TextReader(
      memory,
      parquetFile,
      element.name,
      page.isDictionary ? valueCount : rowCount,
    );
    if (page.isDictionary) {
      [dictionary] = blocksOf(page, valueCount);
      known = takeZeros(valueCount * 4);
      entryCount = valueCount;
      continue;
    }
    let found: number;
    if (isIndexed(page.encoding)) {
      if (!dictionary) throw new RangeError("a column has no dictionary");
      const indices = readIndices(memory, page);
      found = reader.readIndexed(dictionary, known, entryCount, indices, 0, valueCount);
    } else {
      found = take(valueCount * 4);
      let to = found;
      for (const block of blocksOf(page)) {
        reader.read(block, 0, block.count, to);
        to += block.count * 4;
      }
    }
    if (levels !== 0) {
      const spread = take(pageRows * 4);
      decoders.spreadCodes(found, levels, pageRows, spread);
      found = spread;
    }
    codes.set(words(found, pageRows), start);
    start += pageRows;
  }
  return {
    column: (reader ?? new TextReader(memory, parquetFile, element.name)).finish(codes),
    isDate: false,
  };
}

function isIndexed(encoding: string): boolean {
  return encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
}

/** Returns the row of each stored value. */
function rowsOf(levels: Uint8Array, valueCount: number): Int32Array {
  const rows = new Int32Array(valueCount);
  let index = 0;
  for (let row = 0; row < levels.length; row++) if (levels[row] !== 0) rows[index++] = row;
  return rows;
}

/** Returns the error for a file that violates its format. */
export function unreadable(reason: string): EngineError {
  return new EngineError("INGEST_UNREADABLE", [parquetFile, reason]);
}
