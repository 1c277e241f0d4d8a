import { parquetMetadata } from "hyparquet";
import type { FileMetaData, RowGroup, SchemaElement } from "hyparquet";
import { EngineError } from "../errors.ts";
import { type ColumnPlace, fitColumn, type FoundColumn, nullVector } from "./fitColumn.ts";
import type { EncodedBatch, EncodedVector, IngestColumn } from "./messages.ts";
import { readPages } from "./parquetPages.ts";
import { logicalType, type LogicalType } from "./parquetTypes.ts";
import { readIndices, readStored, type StoredBytes } from "./parquetValues.ts";
import { TextReader } from "./textReader.ts";
import { valueLimit } from "./valueLimit.ts";

const what = "Parquet file";

export interface ParquetOptions {
  /** Columns to take; without them all. */
  readonly columns?: readonly IngestColumn[];
  /** Takes every `partCount`-th row group from `part` on. */
  readonly part?: number;
  readonly partCount?: number;
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
  readonly given: IngestColumn | undefined;
}

function readGroups(
  bytes: Uint8Array,
  { columns, part = 0, partCount = 1 }: ParquetOptions,
): EncodedBatch[] {
  const { schema, row_groups: groups } = readFooter(bytes);
  const targets = matchElements(topLevel(schema), columns);
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
        columns: targets.map((target, position) =>
          readColumn(
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
        const empty = { vector: nullVector(vectorType(logical), 0), isDate: false };
        return fitColumn(empty, given, { name: element.name, position, firstRow });
      }),
    });
  return batches;
}

function readFooter(bytes: Uint8Array): FileMetaData {
  const { length } = bytes;
  if (length < 12) throw unreadable("it is too short");
  const tail = new DataView(bytes.buffer, bytes.byteOffset + length - 8, 8);
  const size = tail.getUint32(0, true);
  if (tail.getUint32(4, true) !== 0x31524150) throw unreadable("its last bytes are not PAR1");
  if (size + 12 > length) throw unreadable("its footer is longer than the file");
  try {
    // A copy, since the bytes may be shared and texts are decoded from them.
    return parquetMetadata(bytes.slice(length - size - 8), { geoparquet: false });
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
  columns: readonly IngestColumn[] | undefined,
): readonly Target[] {
  const places =
    columns?.map((given) => ({ place: placeOf(elements, given.source ?? given.name), given })) ??
    elements.map((_, place) => ({ place, given: undefined }));
  return places.map(({ place, given }) => {
    const element = elements[place];
    if (placeOf(elements, element.name) !== place)
      throw unreadable(`it has two columns ${JSON.stringify(element.name)}`);
    const logical = logicalType(element);
    if (typeof logical === "string")
      throw new EngineError("INGEST_UNSUPPORTED", [
        element.name.slice(0, 100),
        logical,
        "turn it into numbers, texts or timestamps, or leave it out",
      ]);
    return { element, logical, given };
  });
}

function placeOf(elements: readonly SchemaElement[], name: string): number {
  const place = elements.findIndex((element) => element.name === name);
  if (place >= 0) return place;
  const names = elements.slice(0, 100).map((element) => JSON.stringify(element.name.slice(0, 100)));
  throw unreadable(
    `it has no column ${JSON.stringify(name.slice(0, 100))}; it has ${names.join(", ")}`,
  );
}

function vectorType({ kind }: LogicalType): EncodedVector["type"] {
  return kind === "text" ? "text" : kind === "datetime" ? "datetime" : "number";
}

function readColumn(
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
  const pages = readPages(bytes, chunk.meta_data, isOptional, rowCount);
  const found =
    logical.kind === "text"
      ? readTexts(pages, element, logical, rowCount)
      : readNumbers(pages, element, logical, place, rowCount);
  return fitColumn(found, given, place);
}

type Pages = ReturnType<typeof readPages>;

function readNumbers(
  pages: Pages,
  element: SchemaElement,
  logical: Exclude<LogicalType, { kind: "text" }>,
  place: ColumnPlace,
  rowCount: number,
): FoundColumn {
  let values: Float64Array<ArrayBuffer> | undefined;
  let dictionary = new Float64Array(0);
  let start = 0;
  for (const page of pages) {
    if (page.isDictionary) {
      dictionary = logical.read(readStored(page, element), page.valueCount, place);
      continue;
    }
    const { rowCount: pageRows, valueCount, levels } = page;
    const indices = isIndexed(page.encoding) ? readIndices(page) : undefined;
    const rows = levels && rowsOf(levels, valueCount);
    const pagePlace = { ...place, firstRow: place.firstRow + start, ...(rows && { rows }) };
    const stored = indices
      ? gather(dictionary, indices)
      : logical.read(readStored(page, element), valueCount, pagePlace);
    if (!rows && pageRows === rowCount) values = stored;
    else {
      values ??= new Float64Array(rowCount);
      if (rows) {
        values.fill(NaN, start, start + pageRows);
        for (let index = 0; index < valueCount; index++)
          values[start + rows[index]] = stored[index];
      } else values.set(stored, start);
    }
    start += pageRows;
  }
  values ??= new Float64Array(rowCount);
  return {
    vector: { type: vectorType(logical) as "number" | "datetime", values },
    isDate: logical.isDate,
  };
}

function readTexts(
  pages: Pages,
  element: SchemaElement,
  logical: Extract<LogicalType, { kind: "text" }>,
  rowCount: number,
): FoundColumn {
  let reader: TextReader | undefined;
  const codes = new Int32Array(rowCount);
  let dictionary: StoredBytes | undefined;
  /** Code plus one of each entry that was met. */
  let known = new Int32Array(0);
  let start = 0;
  for (const page of pages) {
    reader ??= new TextReader(what, page.isDictionary ? page.valueCount : rowCount);
    if (page.isDictionary) {
      dictionary = logical.read(readStored(page, element));
      known = new Int32Array(page.valueCount);
      continue;
    }
    const { rowCount: pageRows, valueCount, levels } = page;
    const rows = levels && rowsOf(levels, valueCount);
    if (rows) codes.fill(-1, start, start + pageRows);
    if (isIndexed(page.encoding)) {
      const indices = readIndices(page);
      for (let index = 0; index < valueCount; index++) {
        const entry = indices[index];
        if (!dictionary || !(entry >= 0 && entry < known.length)) throw outsideDictionary();
        if (known[entry] === 0)
          known[entry] =
            reader.read(dictionary.source, dictionary.starts[entry], dictionary.ends[entry]) + 1;
        codes[start + (rows ? rows[index] : index)] = known[entry] - 1;
      }
    } else {
      const { source, starts, ends } = logical.read(readStored(page, element));
      for (let index = 0; index < valueCount; index++)
        codes[start + (rows ? rows[index] : index)] = reader.read(
          source,
          starts[index],
          ends[index],
        );
    }
    start += pageRows;
  }
  return { vector: (reader ?? new TextReader(what)).finish(codes), isDate: false };
}

function isIndexed(encoding: string): boolean {
  return encoding === "RLE_DICTIONARY" || encoding === "PLAIN_DICTIONARY";
}

/** The row of each stored value. */
function rowsOf(levels: Int32Array, valueCount: number): Int32Array {
  const rows = new Int32Array(valueCount);
  let index = 0;
  for (let row = 0; row < levels.length; row++) if (levels[row] !== 0) rows[index++] = row;
  return rows;
}

function gather(dictionary: Float64Array, indices: Int32Array): Float64Array<ArrayBuffer> {
  const values = new Float64Array(indices.length);
  for (let index = 0; index < indices.length; index++) {
    const entry = indices[index];
    if (!(entry >= 0 && entry < dictionary.length)) throw outsideDictionary();
    values[index] = dictionary[entry];
  }
  return values;
}

function outsideDictionary(): RangeError {
  return new RangeError("a value names an entry that its dictionary lacks");
}

function unreadable(reason: string): EngineError {
  return new EngineError("INGEST_UNREADABLE", [what, reason]);
}
