import { parquetMetadata } from "hyparquet";
import type { FileMetaData, RowGroup, SchemaElement } from "hyparquet";
import { EngineError } from "../../errors.ts";
import { awaitBytes } from "../decode/arrivingBytes.ts";
import type { ColumnBuffers } from "../decode/columnBuffers.ts";
import { type DecodeMemory, openDecodeMemory } from "../decode/decodeMemory.ts";
import {
  type ColumnPlace,
  fitColumn,
  type FoundColumn,
  nullBatchColumn,
} from "../decode/fitColumn.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";
import type { FilledColumn } from "../../types.ts";
import { readPages, type ParquetPage } from "./parquetPages.ts";
import { logicalType, type LogicalType } from "./parquetTypes.ts";
import {
  placeStored,
  readIndices,
  readStored,
  readTextPlaces,
  type TextBlock,
} from "./parquetValues.ts";
import { TextReader } from "../decode/textReader.ts";
import { valueLimit } from "../decode/valueLimit.ts";

const what = "Parquet file";

export interface ParquetOptions {
  /** Columns to read; all when absent. */
  readonly columns?: readonly FilledColumn[];
  /** Takes every `partCount`-th row group from `part` on. */
  readonly part?: number;
  readonly partCount?: number;
  /** Where the values of columns go; arrays of their own without it. */
  readonly buffers?: ColumnBuffers;
}

/**
 * Encodes row groups of a Parquet file to columns. Integers, floats, decimals and booleans (0 and 1) are numbers; dates
 * and timestamps are datetimes, cut to milliseconds; texts, enums, JSON and UUIDs are texts. NaN, infinities and whole
 * numbers beyond 2^53 are refused. Nested columns, times of day and intervals have no place in the store.
 * @throws {EngineError} INGEST_UNREADABLE, INGEST_UNSUPPORTED with column and type, INGEST_CELL
 */
export function encodeParquet(
  bytes: Uint8Array,
  options: ParquetOptions = {},
): readonly EncodedBatch[] {
  try {
    return readGroups(bytes, options);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new EngineError("INGEST_UNREADABLE", [what, message], { cause: error });
  }
}

interface Target {
  readonly element: SchemaElement;
  readonly logical: LogicalType;
  readonly given: FilledColumn | undefined;
}

function readGroups(
  bytes: Uint8Array,
  { columns, part = 0, partCount = 1, buffers }: ParquetOptions,
): EncodedBatch[] {
  const { schema, row_groups: groups } = readFooter(bytes);
  const targets = matchElements(topLevel(schema), columns);
  const memory = openDecodeMemory(buffers);
  const batches: EncodedBatch[] = [];
  let firstRow = 0;
  groups.forEach((group, index) => {
    const rowCount = Number(group.num_rows);
    if (
      !Number.isSafeInteger(rowCount) ||
      rowCount < 0 ||
      rowCount * targets.length > valueLimit(bytes.length)
    )
      throw unreadable(
        `a row group has ${rowCount} rows of ${targets.length} columns; write smaller row groups`,
      );
    if (index % partCount === part)
      batches.push({
        rowCount,
        firstRow,
        columns: targets.map((target, position) =>
          readColumn(
            memory,
            bytes,
            group,
            target,
            { name: target.element.name, position, firstRow },
            rowCount,
          ),
        ),
      });
    firstRow += rowCount;
  });
  if (groups.length === 0 && part === 0)
    batches.push({
      rowCount: 0,
      columns: targets.map(({ element, logical, given }, position) => {
        const empty = { column: nullBatchColumn(columnType(logical), 0), isDate: false };
        return fitColumn(empty, given, { name: element.name, position, firstRow });
      }),
    });
  return batches;
}

/** The footer that this thread read last: the tasks of a file, one for each row group, all begin with it. */
let lastFooter: { readonly bytes: Uint8Array; readonly metadata: FileMetaData } | undefined;

function readFooter(bytes: Uint8Array): FileMetaData {
  const { length } = bytes;
  if (length < 12) throw unreadable("it is too short");
  const tail = new DataView(bytes.buffer, bytes.byteOffset + length - 8, 8);
  const size = tail.getUint32(0, true);
  if (tail.getUint32(4, true) !== 0x31524150) throw unreadable("its last bytes are not PAR1");
  if (size + 12 > length) throw unreadable("its footer is longer than the file");
  awaitBytes(length - size - 8, length);
  // A copy, since the bytes may be shared and texts are decoded from them.
  const footer = bytes.slice(length - size - 8);
  if (lastFooter && Buffer.compare(lastFooter.bytes, footer) === 0) return lastFooter.metadata;
  try {
    const metadata = parquetMetadata(footer, { geoparquet: false });
    lastFooter = { bytes: footer, metadata };
    return metadata;
  } catch (cause) {
    throw new EngineError(
      "INGEST_UNREADABLE",
      [what, `its footer is damaged (${cause instanceof Error ? cause.message : String(cause)})`],
      { cause },
    );
  }
}

/** The elements below the root, without what lies below them. */
function topLevel(schema: readonly SchemaElement[]): readonly SchemaElement[] {
  const elements: SchemaElement[] = [];
  let at = 1;
  const pass = (): void => {
    const count = schema[at++]?.num_children ?? 0;
    for (let child = 0; child < count; child++) pass();
  };
  while (at < schema.length) {
    elements.push(schema[at]);
    pass();
  }
  return elements;
}

function matchElements(
  elements: readonly SchemaElement[],
  columns: readonly FilledColumn[] | undefined,
): readonly Target[] {
  const places =
    columns?.map((given) => ({ place: placeOf(elements, given.source ?? given.name), given })) ??
    elements.map((_, place) => ({ place, given: undefined }));
  return places.map(({ place, given }) => {
    const element = elements[place];
    if (placeOf(elements, element.name) !== place)
      throw unreadable(`the column ${JSON.stringify(element.name)} appears twice; rename one`);
    const logical = logicalType(element);
    if (typeof logical === "string")
      throw new EngineError("INGEST_UNSUPPORTED", [
        element.name.slice(0, 100),
        logical,
        "convert it to numbers, texts or timestamps, or leave it out",
      ]);
    return { element, logical, given };
  });
}

function placeOf(elements: readonly SchemaElement[], name: string): number {
  const place = elements.findIndex((element) => element.name === name);
  if (place >= 0) return place;
  const names = elements.slice(0, 100).map((element) => JSON.stringify(element.name.slice(0, 100)));
  throw unreadable(
    `it has no column ${JSON.stringify(name.slice(0, 100))}; its columns: ${names.join(", ")}`,
  );
}

function columnType({ kind }: LogicalType): EncodedBatchColumn["type"] {
  return kind === "text" ? "text" : kind === "datetime" ? "datetime" : "number";
}

function readColumn(
  memory: DecodeMemory,
  bytes: Uint8Array,
  group: RowGroup,
  { element, logical, given }: Target,
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

/** Returns the address of the stored values of a page as doubles. */
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
      what,
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
    column: (reader ?? new TextReader(memory, what, element.name)).finish(codes),
    isDate: false,
  };
}

function isIndexed(encoding: string): boolean {
  return encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
}

/** The row of each stored value. */
function rowsOf(levels: Uint8Array, valueCount: number): Int32Array {
  const rows = new Int32Array(valueCount);
  let index = 0;
  for (let row = 0; row < levels.length; row++) if (levels[row] !== 0) rows[index++] = row;
  return rows;
}

function unreadable(reason: string): EngineError {
  return new EngineError("INGEST_UNREADABLE", [what, reason]);
}
