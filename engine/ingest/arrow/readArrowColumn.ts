import { DataType } from "apache-arrow";
import type { ArrowPiece } from "./arrowPiece.ts";
import { isArrowText } from "./arrowType.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { type ColumnPlace, type FoundColumn, nullBatchColumn } from "../decode/fitColumn.ts";
import { readArrowDictionary } from "./readArrowDictionary.ts";
import { readArrowNumbers } from "./readArrowNumbers.ts";
import { readArrowTexts } from "./readArrowTexts.ts";

/** Reads rows of a column of any type that the store supports. */
export function readArrowColumn(
  memory: DecodeMemory,
  piece: ArrowPiece,
  place: ColumnPlace,
): FoundColumn {
  const { type } = piece.data;
  if (DataType.isDictionary(type)) return readArrowDictionary(memory, piece, place);
  if (DataType.isNull(type)) return { column: nullBatchColumn("text", piece.count), isDate: false };
  if (isArrowText(type)) return readArrowTexts(memory, piece, place);
  return readArrowNumbers(memory, piece, place);
}
