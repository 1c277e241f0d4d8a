import type { Dictionary } from "../column/texts/dictionary.ts";
import { ambiguous, type JoinColumn } from "./joinColumn.ts";

/** The part of a dictionary that belongs to a snapshot: the strings with codes below `textCount`. */
export interface JoinTexts {
  readonly dictionary: Dictionary;
  readonly textCount: number;
}

/**
 * For each stored code of the left dictionary (0 is null), finds the stored code of the equal string in the right
 * dictionary; 0 if there is none. Looks up the strings of the smaller dictionary by their bytes. Takes O(strings).
 */
export function matchCodes(left: JoinTexts, right: JoinTexts): Int32Array {
  const matched = new Int32Array(left.textCount + 1);
  if (left.textCount < right.textCount) {
    const found = right.dictionary.codesOf(left.dictionary, left.textCount);
    for (let code = 0; code < left.textCount; code++) {
      const other = found[code];
      if (other >= 0 && other < right.textCount) matched[code + 1] = other + 1;
    }
  } else {
    const found = left.dictionary.codesOf(right.dictionary, right.textCount);
    for (let code = 0; code < right.textCount; code++) {
      const other = found[code];
      if (other >= 0 && other < left.textCount) matched[other + 1] = code + 1;
    }
  }
  return matched;
}

/**
 * For each stored code of the left dictionary (0 is null), finds the row of the right table with the equal string, plus
 * 1; 0 if there is none. `rightCodes` are stored codes, one per row. `matched` is the result of `matchCodes`. Takes
 * O(right rows + left strings).
 * @throws {EngineError} JOIN_AMBIGUOUS if a string occurs twice in the right column
 */
export function placesByText(
  matched: Int32Array,
  right: JoinTexts,
  rightCodes: ArrayLike<number>,
  column: JoinColumn,
): Uint32Array {
  const placeByCode = new Uint32Array(right.textCount + 1);
  for (let row = 0; row < rightCodes.length; row++) {
    const code = rightCodes[row];
    if (code === 0) continue;
    if (placeByCode[code] > 0) throw ambiguous(column, right.dictionary.slice(code - 1, code)[0]);
    placeByCode[code] = row + 1;
  }
  return Uint32Array.from(matched, (code) => placeByCode[code]);
}
