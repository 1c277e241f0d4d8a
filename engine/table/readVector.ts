import type { Column } from "../column/column.ts";
import { decodeCodes, decodeNumbers } from "../column/decodeSegment.ts";
import type { Memory } from "../memory/memory.ts";
import type { Vector } from "../types.ts";

/** Reads one row group of a column that memory holds as a vector of its own; the tail comes after the sealed row groups. */
export function readVector(memory: Memory, column: Column, rowGroup: number): Vector {
  const { type } = column.definition;
  const segment = rowGroup < column.sealedCount ? column.sealed(rowGroup) : column.tail();
  if (type !== "text")
    return { type, values: segment ? decodeNumbers(memory, segment) : new Float64Array(0) };
  const codes = segment ? decodeCodes(memory, segment) : new Int32Array(0);
  return {
    type,
    codes: codes.map((stored) => stored - 1),
    dictionary: column.dictionary?.texts ?? [],
  };
}
