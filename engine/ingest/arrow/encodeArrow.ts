import type { Data } from "apache-arrow";
import { EngineError } from "../../errors.ts";
import { awaitBytes, awaitView, isArriving } from "../decode/arrivingBytes.ts";
import { createArrowPreamble } from "./arrowPreamble.ts";
import { arrowType } from "./arrowType.ts";
import { type ArrowMessage, checkArrow } from "./checkArrow.ts";
import type { ColumnBuffers } from "../decode/columnBuffers.ts";
import { type DecodeMemory, openDecodeMemory } from "../decode/decodeMemory.ts";
import { fitColumn, nullBatchColumn } from "../decode/fitColumn.ts";
import { type ArrowTarget, matchArrowFields } from "./matchArrowFields.ts";
import type { EncodedBatch } from "../../column/encodedBatch.ts";
import type { FilledColumn } from "../../types.ts";
import { type ArrowBatch, openFileBatch, openStreamBatch } from "./openArrowBatch.ts";
import { onePart } from "../decode/onePart.ts";
import { readArrowColumn } from "./readArrowColumn.ts";
import { arrowData, unreadableArrow } from "./unreadableArrow.ts";
import { valueLimit } from "../decode/valueLimit.ts";

/**
 * Number of rows of a record batch to encode together. It is small enough that the first rows can be passed on while
 * later rows are encoded, and large enough that one look-up of a string serves many rows.
 */
const defaultPieceRows = 131_072;

export interface ArrowOptions {
  /** The columns to read. If absent, all columns are read. */
  readonly columns?: readonly FilledColumn[];
  /**
   * Index of the first part to encode. Every `partCount`-th part after it is also encoded. A part is a piece of
   * `pieceRows` rows of a record batch. A compressed batch is a single part, because its buffers are decompressed as a
   * whole.
   */
  readonly part?: number;
  readonly partCount?: number;
  readonly pieceRows?: number;
  /** Allocates the arrays to which column values are written. If absent, each array is allocated separately. */
  readonly buffers?: ColumnBuffers;
}

/**
 * Encodes record batches of an Arrow IPC stream or file to columns. Integers, floats, decimals and booleans (0 and 1)
 * become numbers; dates and timestamps become datetimes, truncated to milliseconds; strings stay strings. Dictionaries
 * of these types are decoded. NaN, infinities and whole numbers beyond 2^53 are rejected.
 * @throws {EngineError} INGEST_UNREADABLE, INGEST_UNSUPPORTED with column and type, INGEST_CELL
 */
export function encodeArrow(
  bytes: Uint8Array,
  options: ArrowOptions = {},
): readonly EncodedBatch[] {
  try {
    return readBatches(bytes, options);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new EngineError("INGEST_UNREADABLE", [arrowData, message], { cause: error });
  }
}

function readBatches(
  bytes: Uint8Array,
  { columns, part = 0, partCount = 1, pieceRows = defaultPieceRows, buffers }: ArrowOptions,
): EncodedBatch[] {
  const memory = openDecodeMemory(buffers);
  const batches: EncodedBatch[] = [];
  const { isFile, messages } = checkArrow(bytes);
  let parts = 0;
  let firstRow = 0;
  let batchIndex = 0;
  const before = createArrowPreamble();
  const read = (messagesOf: readonly ArrowMessage[]) =>
    isFile ? openFileBatch(memory, bytes, batchIndex) : openStreamBatch(memory, bytes, messagesOf);
  const open = (...batch: readonly ArrowMessage[]) => {
    const needed = [...before.list(), ...batch];
    for (const { start, end, kind, isCompressed } of needed)
      if (kind === "dictionary" || isCompressed) awaitBytes(start, end);
    const opened = read(needed);
    const isThere = batch.every(({ isCompressed }) => isCompressed) || !isArriving();
    if (isThere || opened.children.every((data) => isInPlace(data, bytes.buffer))) return opened;
    // The library copies misaligned buffers, and may have copied them before their bytes arrived.
    awaitBytes(0, bytes.length);
    return read(needed);
  };
  for (const message of messages) {
    if (message.kind !== "batch") {
      before.add(message);
      continue;
    }
    const { rowCount, isCompressed } = message;
    if (!(rowCount >= 0 && rowCount <= valueLimit(bytes.length)))
      throw unreadableArrow(`a record batch claims to have ${rowCount} rows`);
    const firstPart = parts;
    const isWanted = (start: number) =>
      (firstPart + (isCompressed ? 0 : start / pieceRows)) % partCount === part;
    const starts = Array.from(
      { length: Math.max(1, Math.ceil(rowCount / pieceRows)) },
      (_, piece) => piece * pieceRows,
    );
    parts += isCompressed ? 1 : starts.length;
    const wanted = starts.filter(isWanted);
    if (wanted.length > 0) {
      const batch = open(message);
      if (batch.length !== rowCount)
        throw unreadableArrow(
          "a record batch has a different number of rows than its message says",
        );
      const targets = matchArrowFields(batch.fields, columns);
      if (rowCount * targets.length > valueLimit(bytes.length))
        throw unreadableArrow(
          `a record batch has ${rowCount} rows of ${targets.length} columns, more than its bytes can hold`,
        );
      const end = memory.keep();
      for (const start of wanted) {
        const count = Math.min(pieceRows, rowCount - start);
        const piece = { batch, start, count, firstRow: firstRow + start };
        const found = targets.map((target, position) => {
          memory.clear(end);
          return readTarget(memory, piece, target, position);
        });
        batches.push({ rowCount: count, firstRow: piece.firstRow, columns: found });
      }
    }
    // Later bytes may not have arrived yet.
    if (batches.length > 0 && partCount >= onePart) return batches;
    firstRow += rowCount;
    batchIndex++;
  }
  if (parts === 0 && part === 0) {
    const batch = open();
    const piece = { batch, start: 0, count: 0, firstRow };
    const found = matchArrowFields(batch.fields, columns).map((target, position) =>
      readTarget(memory, piece, target, position),
    );
    batches.push({ rowCount: 0, columns: found });
  }
  return batches;
}

interface BatchPiece {
  readonly batch: ArrowBatch;
  readonly start: number;
  readonly count: number;
  readonly firstRow: number;
}

function readTarget(
  memory: DecodeMemory,
  { batch, start, count, firstRow }: BatchPiece,
  { place: fieldIndex, given }: ArrowTarget,
  position: number,
): EncodedBatch["columns"][number] {
  const { name, type } = batch.fields[fieldIndex];
  const place = { name, position, firstRow };
  if (count === 0)
    return fitColumn(
      { column: nullBatchColumn(arrowType(type) ?? "text", 0), isDate: false },
      given,
      place,
    );
  const data = batch.children[fieldIndex];
  if (!data || data.length !== batch.length)
    throw unreadableArrow(`the column ${name} has a different length than its batch`);
  buffersOf(data).forEach(awaitView);
  return fitColumn(readArrowColumn(memory, { data, start, count }, place), given, place);
}

/** Returns all buffers of a column's values, except those of its dictionary. */
function buffersOf({
  values,
  valueOffsets,
  nullBitmap,
  typeIds,
  variadicBuffers,
  children,
}: Data): readonly ArrayBufferView[] {
  const own: readonly unknown[] = [values, valueOffsets, nullBitmap, typeIds, ...variadicBuffers];
  return [...own.filter((buffer) => ArrayBuffer.isView(buffer)), ...children.flatMap(buffersOf)];
}

const isInPlace = (data: Data, file: ArrayBufferLike) =>
  buffersOf(data).every(({ buffer, byteLength }) => buffer === file || byteLength === 0);
