import type { AnswerColumn } from "../../plan/bindPlan.ts";
import type { Answer, BatchColumn } from "../../types.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";

/**
 * Converts output columns to batch columns. A text column gets a dictionary of the strings that occur. `made` contains
 * the strings that the query computed, by output.
 */
export function* presentAnswer(
  columns: readonly Float64Array[],
  answer: readonly AnswerColumn[],
  version: number,
  scannedRowCount: number,
  made: readonly ComputedTexts[] = [],
): Generator<undefined, Answer> {
  const presented: BatchColumn[] = [];
  for (const [index, values] of columns.entries()) {
    const { type, text, dictionary } = answer[index];
    const own = made[index];
    const textCount = own?.length ?? text?.textCount ?? 0;
    if (type !== "text") presented.push({ type, values });
    else if (own || showsMany(values.length, textCount))
      presented.push(yield* presentTexts(values, own ?? text?.texts ?? [], textCount));
    else presented.push(presentFewTexts(values, dictionary ?? text?.texts ?? []));
  }
  return { rowCount: columns[0].length, columns: presented, version, scannedRowCount };
}

/** Number of rows of strings that can be presented in a millisecond or two. */
const rowsPerStep = 8192;

/**
 * Maximum number of dictionary strings per row of an answer for which all strings are created, and looked up in an
 * array by code. With more strings per row, only the strings in the answer are created, and looked up in a map.
 */
const textsPerRow = 8;

/** Returns whether an answer with this many rows needs the JavaScript strings of the whole dictionary. */
export function showsMany(rowCount: number, textCount: number): boolean {
  return rowCount * textsPerRow >= textCount;
}

function presentFewTexts(
  stored: Float64Array,
  texts: { slice(fromCode: number, untilCode: number): readonly string[] },
): BatchColumn {
  const dictionary: string[] = [];
  const places = new Map<number, number>([[0, -1]]);
  const codes = Int32Array.from(stored, (code) => {
    let place = places.get(code);
    if (place === undefined) {
      const [text] = texts.slice(code - 1, code);
      places.set(code, (place = dictionary.push(text) - 1));
    }
    return place;
  });
  return { type: "text", codes, dictionary };
}

function* presentTexts(
  stored: Float64Array,
  texts: readonly string[],
  textCount: number,
): Generator<undefined, BatchColumn> {
  const codes = new Int32Array(stored.length);
  const dictionary: string[] = [];
  const places = new Int32Array(textCount + 1);
  places[0] = -1;
  places.fill(-2, 1);
  for (let row = 0; row < codes.length; row++) {
    const code = stored[row];
    if (places[code] === -2) places[code] = dictionary.push(texts[code - 1]) - 1;
    codes[row] = places[code];
    if (row % rowsPerStep === rowsPerStep - 1) yield;
  }
  return { type: "text", codes, dictionary };
}
