import { arrowBlockRows, type ArrowPiece, placeLevels } from "./arrowPiece.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import type { ColumnPlace, FoundColumn } from "../decode/fitColumn.ts";
import { placeArrowTexts } from "./placeArrowTexts.ts";
import { TextReader } from "../decode/textReader.ts";
import { arrowData } from "./unreadableArrow.ts";

/** Reads a column of strings without a dictionary. */
export function readArrowTexts(
  memory: DecodeMemory,
  { data, start, count }: ArrowPiece,
  place: ColumnPlace,
): FoundColumn {
  const reader = new TextReader(memory, arrowData, place.name, count);
  const codes = memory.buffers.words(count);
  for (let from = 0; from < count; from += arrowBlockRows) {
    memory.release();
    const rows = Math.min(arrowBlockRows, count - from);
    const levels = placeLevels(memory, data, start + from, rows);
    const places = placeArrowTexts(memory, { data, start: start + from, count: rows });
    codes.set(memory.words(reader.read(places, levels, rows), rows), from);
  }
  return { column: reader.finish(codes), isDate: false };
}
