import { DataType } from "apache-arrow";
import { arrowDecoder, type ArrowDecoder } from "./arrowDecoder.ts";
import { arrowBlockRows, type ArrowPiece, bytesOf, placeLevels } from "./arrowPiece.ts";
import { arrowType } from "./arrowType.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import type { ColumnPlace, FoundColumn } from "../decode/fitColumn.ts";
import { readArrowSlowly } from "./readArrowSlowly.ts";
import { shortArrowBuffer } from "./unreadableArrow.ts";

/** Reads a column of numbers or datetimes. */
export function readArrowNumbers(
  memory: DecodeMemory,
  piece: ArrowPiece,
  place: ColumnPlace,
): FoundColumn {
  const { type } = piece.data;
  const decoder = arrowDecoder(type);
  const values =
    (decoder && decodeNumbers(memory, piece, decoder, place)) ?? readArrowSlowly(piece, place);
  const columnType = arrowType(type) === "datetime" ? "datetime" : "number";
  return {
    column: { type: columnType, values },
    isDate: DataType.isDate(type) && isWholeDays(values),
  };
}

/**
 * Decodes values block by block. Returns undefined if the kernel rejects a value. The caller then decodes slowly, and
 * the error names the value.
 */
function decodeNumbers(
  memory: DecodeMemory,
  { data, start, count }: ArrowPiece,
  { name, sizeBytes, power = 1 }: ArrowDecoder,
  place: ColumnPlace,
): Float64Array | undefined {
  const stored = bytesOf(data.values);
  if (stored.length < (start + count) * sizeBytes) throw shortArrowBuffer(place);
  const values = memory.buffers.doubles(count);
  for (let from = 0; from < count; from += arrowBlockRows) {
    memory.release();
    const rows = Math.min(arrowBlockRows, count - from);
    const first = start + from;
    const levels = placeLevels(memory, data, first, rows);
    const block = memory.place(stored.subarray(first * sizeBytes, (first + rows) * sizeBytes));
    const to = memory.take(rows * 8);
    if (memory.decoders[name](block, levels, rows, to, power) < rows) return undefined;
    values.set(memory.doubles(to, rows), from);
  }
  return values;
}

function isWholeDays(values: Float64Array): boolean {
  return values.every((value) => value !== value || value % 86_400_000 === 0);
}
