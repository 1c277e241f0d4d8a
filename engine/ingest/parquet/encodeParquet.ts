import { parquetMetadata } from "hyparquet";
import type { FileMetaData, SchemaElement } from "hyparquet";
import { EngineError } from "../../errors.ts";
import { awaitBytes } from "../decode/arrivingBytes.ts";
import type { ColumnBuffers } from "../decode/columnBuffers.ts";
import { openDecodeMemory } from "../decode/decodeMemory.ts";
import { fitColumn, nullBatchColumn } from "../decode/fitColumn.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { FilledColumn } from "../../types.ts";
import { logicalType } from "./parquetTypes.ts";
import {
  columnType,
  parquetFile,
  type ParquetColumn,
  readColumn,
  unreadable,
} from "./readColumn.ts";
import { valueLimit } from "../decode/valueLimit.ts";

export interface ParquetOptions {
  /** The columns to read. If absent, all columns are read. */
  readonly columns?: readonly FilledColumn[];
  /** Index of the first row group to encode. Every `partCount`-th row group after it is also encoded. */
  readonly part?: number;
  readonly partCount?: number;
  /** Allocates the arrays to which column values are written. If absent, each array is allocated separately. */
  readonly buffers?: ColumnBuffers;
}

/**
 * Encodes row groups of a Parquet file to columns. Integers, floats, decimals and booleans (0 and 1) become numbers;
 * dates and timestamps become datetimes, truncated to milliseconds; strings, enums, JSON and UUIDs become strings. NaN,
 * infinities and whole numbers beyond 2^53 are rejected. Nested columns, times of day and intervals are not supported.
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
    throw new EngineError("INGEST_UNREADABLE", [parquetFile, message], { cause: error });
  }
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

/**
 * The footer that this thread read last. It is kept because each row group of a file is a separate task, and each task
 * needs the footer.
 */
let lastFooter: { readonly bytes: Uint8Array; readonly metadata: FileMetaData } | undefined;

function readFooter(bytes: Uint8Array): FileMetaData {
  const { length } = bytes;
  if (length < 12) throw unreadable("it is too short");
  const tail = new DataView(bytes.buffer, bytes.byteOffset + length - 8, 8);
  const size = tail.getUint32(0, true);
  if (tail.getUint32(4, true) !== 0x31524150) throw unreadable("its last bytes are not PAR1");
  if (size + 12 > length) throw unreadable("its footer is longer than the file");
  awaitBytes(length - size - 8, length);
  // This copy is needed because the bytes may be shared and strings are decoded from them.
  const footer = bytes.slice(length - size - 8);
  if (lastFooter && Buffer.compare(lastFooter.bytes, footer) === 0) return lastFooter.metadata;
  try {
    const metadata = parquetMetadata(footer, { geoparquet: false });
    lastFooter = { bytes: footer, metadata };
    return metadata;
  } catch (cause) {
    throw new EngineError(
      "INGEST_UNREADABLE",
      [
        parquetFile,
        `its footer is damaged (${cause instanceof Error ? cause.message : String(cause)})`,
      ],
      { cause },
    );
  }
}

/** Returns the direct children of the root, without deeper descendants. */
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
): readonly ParquetColumn[] {
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
        "convert it to numbers, text or timestamps, or leave it out",
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
