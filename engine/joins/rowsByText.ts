import type { Dictionary } from "../column/dictionary.ts";
import { ambiguous, type JoinColumn } from "./joinColumn.ts";

/** A dictionary as one snapshot sees it: codes from 0 to below `textCount`. */
export interface JoinTexts {
  readonly texts: readonly string[];
  readonly textCount: number;
  codeOf(text: string): number | undefined;
  /** Where the texts are those of a column: what finds one without its string. */
  readonly dictionary?: Dictionary | undefined;
}

/**
 * Finds for each stored code of the left dictionary (0 is null) the row of the right table whose text is the same; -1 is none.
 * `rightCodes` are stored codes, one a row. Looks up the texts of the smaller side: O(right rows + left texts).
 * @throws {EngineError} JOIN_AMBIGUOUS when a text occurs twice in the right column
 */
export function rowsByText(
  left: JoinTexts,
  right: JoinTexts,
  rightCodes: ArrayLike<number>,
  column: JoinColumn,
): Int32Array {
  const rowByCode = new Int32Array(right.textCount + 1).fill(-1);
  for (let row = 0; row < rightCodes.length; row++) {
    const code = rightCodes[row];
    if (code === 0) continue;
    if (rowByCode[code] >= 0) throw ambiguous(column, right.texts[code - 1]);
    rowByCode[code] = row;
  }
  const rows = new Int32Array(left.textCount + 1).fill(-1);
  if (left.textCount < right.textCount) {
    const find = finderOf(right, left);
    for (let code = 0; code < left.textCount; code++) {
      const found = find(code);
      if (found !== undefined && found < right.textCount) rows[code + 1] = rowByCode[found + 1];
    }
  } else {
    const find = finderOf(left, right);
    for (let code = 0; code < right.textCount; code++) {
      if (rowByCode[code + 1] < 0) continue;
      const found = find(code);
      if (found !== undefined && found < left.textCount) rows[found + 1] = rowByCode[code + 1];
    }
  }
  return rows;
}

/** Makes the function that finds, among texts, the one that has a code on the other side. */
function finderOf(among: JoinTexts, others: JoinTexts): (code: number) => number | undefined {
  const [own, other] = [among.dictionary, others.dictionary];
  if (own && other?.isIndexed) return (code) => own.codeOfOther(other, code);
  return (code) => among.codeOf(others.texts[code]);
}
