import type { Column } from "../column/column.ts";
import { decodeCodes, decodeNumbers } from "../column/segment/decodeSegment.ts";
import type { Dictionary } from "../column/texts/dictionary.ts";
import type { Memory } from "../memory/memory.ts";
import type { BatchColumn } from "../types.ts";

/** Reads one row group of a column in memory as a batch column. The tail counts as the last row group. */
export function readBatchColumn(memory: Memory, column: Column, rowGroup: number): BatchColumn {
  const { type } = column.definition;
  const segment = rowGroup < column.sealedCount ? column.sealed(rowGroup) : column.tail();
  if (type !== "text")
    return { type, values: segment ? decodeNumbers(memory, segment) : new Float64Array(0) };
  const stored = segment ? decodeCodes(memory, segment) : new Int32Array(0);
  return { type, ...ownTexts(stored, column.dictionary) };
}

/** Returns a dictionary of only the strings that occur, so that no other string is converted to a JavaScript string. */
function ownTexts(
  stored: Int32Array,
  known: Dictionary | undefined,
): { readonly codes: Int32Array; readonly dictionary: readonly string[] } {
  const dictionary: string[] = [];
  const places = new Map<number, number>([[0, -1]]);
  const codes = stored.map((code) => {
    let place = places.get(code);
    if (place === undefined) {
      const [text] = known?.slice(code - 1, code) ?? [];
      places.set(code, (place = dictionary.push(text) - 1));
    }
    return place;
  });
  return { codes, dictionary };
}
