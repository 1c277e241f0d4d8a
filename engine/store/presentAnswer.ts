import type { MadeTexts } from "../operators/laneGroups.ts";
import type { AnswerColumn } from "../plan/bindPlan.ts";
import type { Answer, Vector } from "../types.ts";

/** Turns output columns into vectors; a text gets the dictionary of the texts that occur. `made` are the texts that the query made, by output. */
export function presentAnswer(
  columns: readonly Float64Array[],
  answer: readonly AnswerColumn[],
  version: number,
  scannedRowCount: number,
  made: readonly MadeTexts[] = [],
): Answer {
  const vectors = columns.map((values, index): Vector => {
    const { type, text } = answer[index];
    if (type !== "text") return { type, values };
    const own = made[index];
    if (own) return presentText(values, own, own.length);
    return presentText(values, text?.texts ?? [], text?.textCount ?? 0);
  });
  return { rowCount: columns[0].length, columns: vectors, version, scannedRowCount };
}

/** Answers of few rows find the texts that occur in a map, others in an array by code. */
const textsPerRow = 8;

function presentText(stored: Float64Array, texts: readonly string[], textCount: number): Vector {
  const codes = new Int32Array(stored.length);
  const dictionary: string[] = [];
  if (stored.length * textsPerRow < textCount) {
    const places = new Map<number, number>([[0, -1]]);
    for (let row = 0; row < codes.length; row++) {
      const code = stored[row];
      let place = places.get(code);
      if (place === undefined) places.set(code, (place = dictionary.push(texts[code - 1]) - 1));
      codes[row] = place;
    }
    return { type: "text", codes, dictionary };
  }
  const places = new Int32Array(textCount + 1);
  places[0] = -1;
  places.fill(-2, 1);
  for (let row = 0; row < codes.length; row++) {
    const code = stored[row];
    if (places[code] === -2) places[code] = dictionary.push(texts[code - 1]) - 1;
    codes[row] = places[code];
  }
  return { type: "text", codes, dictionary };
}
