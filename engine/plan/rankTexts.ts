import { compareText } from "../column/compareText.ts";
import type { TextOrder } from "../column/dictionary.ts";
import type { BoundText } from "../expressions/boundValue.ts";
import type { PlanSource } from "./planSource.ts";

/** Orders the texts of a bound text by code point: a column's dictionary keeps its order, others are sorted here. */
export function rankTexts(text: BoundText, source: PlanSource): TextOrder {
  const column = source.columnOf(text);
  if (column?.dictionary) return column.dictionary.order();
  const { texts, textCount } = text;
  const codes = new Int32Array(new SharedArrayBuffer(textCount * 4));
  const ranks = new Int32Array(new SharedArrayBuffer(textCount * 4));
  for (let code = 0; code < textCount; code++) codes[code] = code;
  codes.sort((left, right) => compareText(texts[left], texts[right]));
  for (let rank = 0; rank < textCount; rank++) ranks[codes[rank]] = rank;
  return { ranks, codes };
}
