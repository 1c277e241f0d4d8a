import { type Data, DataType } from "apache-arrow";
import type { EngineError } from "../../errors.ts";
import { arrowBlockRows, type ArrowPiece, bytesOf, placeLevels } from "./arrowPiece.ts";
import { arrowType, isArrowText } from "./arrowType.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { type ColumnPlace, type FoundColumn, nullBatchColumn } from "../decode/fitColumn.ts";
import { joinPlaces } from "./joinPlaces.ts";
import { placeArrowTexts } from "./placeArrowTexts.ts";
import { readArrowNumbers } from "./readArrowNumbers.ts";
import { type TextPlaces, TextReader } from "../decode/textReader.ts";
import { arrowData, shortArrowBuffer, unreadableArrow } from "./unreadableArrow.ts";

/** Reads the values that the indices of a column select. Strings to which no row refers are not read. */
export function readArrowDictionary(
  memory: DecodeMemory,
  piece: ArrowPiece,
  place: ColumnPlace,
): FoundColumn {
  const { type, dictionary } = piece.data;
  if (!DataType.isDictionary(type) || !dictionary)
    throw unreadableArrow(`the column ${place.name} has no dictionary`);
  if (DataType.isNull(type.dictionary))
    return { column: nullBatchColumn("text", piece.count), isDate: false };
  const chunks = dictionary.data.filter(({ length }) => length > 0);
  if (isArrowText(type.dictionary)) return readTextDictionary(memory, piece, chunks, place);
  const entries = chunks.map((data) => {
    memory.release();
    return readArrowNumbers(memory, { data, start: 0, count: data.length }, place);
  });
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const flat = new Float64Array(size);
  let filled = 0;
  for (const { column } of entries)
    if (column.type !== "text") {
      flat.set(column.values, filled);
      filled += column.values.length;
    }
  memory.release();
  const placed = memory.place(flat);
  memory.keep();
  const values = memory.buffers.doubles(piece.count);
  for (const { from, rows, levels, indices } of indexBlocks(memory, piece, place)) {
    const to = memory.take(rows * 8);
    if (memory.decoders.gatherDoubles(placed, size, indices, levels, rows, to) < rows)
      throw outsideDictionary(place);
    values.set(memory.doubles(to, rows), from);
  }
  const columnType = arrowType(type.dictionary) === "datetime" ? "datetime" : "number";
  return {
    column: { type: columnType, values },
    isDate: entries.length > 0 && entries.every(({ isDate }) => isDate),
  };
}

function readTextDictionary(
  memory: DecodeMemory,
  piece: ArrowPiece,
  chunks: readonly Data[],
  place: ColumnPlace,
): FoundColumn {
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  const reader = new TextReader(memory, arrowData, place.name, Math.min(size, piece.count));
  const known = memory.takeZeros(size * 4);
  let first = 0;
  const placed = chunks.map((data): TextPlaces => {
    const { length } = data;
    const levels = placeLevels(memory, data, 0, length);
    if (levels !== 0) {
      const isValue = memory.bytes(levels, length);
      const codes = memory.words(known + first * 4, length);
      for (let entry = 0; entry < length; entry++) if (isValue[entry] === 0) codes[entry] = 1;
    }
    first += length;
    return placeArrowTexts(memory, { data, start: 0, count: length });
  });
  const places = joinPlaces(memory, placed, chunks);
  memory.keep();
  const codes = memory.buffers.words(piece.count);
  for (const { from, rows, levels, indices } of indexBlocks(memory, piece, place)) {
    const found = reader.readIndexed(places, known, size, indices, levels, rows);
    codes.set(memory.words(found, rows), from);
  }
  return { column: reader.finish(codes), isDate: false };
}

interface IndexBlock {
  readonly from: number;
  readonly rows: number;
  readonly levels: number;
  /** Address of the 32-bit indices. */
  readonly indices: number;
}

/** Copies the indices of a piece to the memory, block by block. A block is valid until the next block is requested. */
function* indexBlocks(
  memory: DecodeMemory,
  { data, start, count }: ArrowPiece,
  place: ColumnPlace,
): Generator<IndexBlock> {
  const { type } = data;
  if (!DataType.isDictionary(type)) return;
  const { isSigned } = type.indices;
  const bitWidth: number = type.indices.bitWidth;
  const sizeBytes = bitWidth / 8;
  const stored = bytesOf(data.values);
  if (stored.length < (start + count) * sizeBytes) throw shortArrowBuffer(place);
  for (let from = 0; from < count; from += arrowBlockRows) {
    memory.release();
    const rows = Math.min(arrowBlockRows, count - from);
    const first = start + from;
    const levels = placeLevels(memory, data, first, rows);
    const narrow = memory.place(stored.subarray(first * sizeBytes, (first + rows) * sizeBytes));
    let indices = narrow;
    if (bitWidth !== 32) {
      indices = memory.take(rows * 4);
      const name =
        bitWidth === 64 ? "widenIndices64" : `widenIndices${bitWidth}${isSigned ? "" : "u"}`;
      memory.decoders[name as "widenIndices8"](narrow, rows, indices);
    }
    yield { from, rows, levels, indices };
  }
}

function outsideDictionary({ name }: ColumnPlace): EngineError {
  return unreadableArrow(`the column ${name} refers to an entry that its dictionary does not have`);
}
