import { Dictionary, type TextOrder } from "../column/texts/dictionary.ts";
import type { BoundText } from "../expressions/boundValue.ts";
import { keptByTexts } from "../expressions/keptByTexts.ts";
import { makeStrings } from "../expressions/makeStrings.ts";
import { keyOf } from "../expressions/mapTexts.ts";

/**
 * Orders the strings of a bound text expression by code point, using their bytes. A column's dictionary caches its
 * order; other orders are cached with the strings.
 */
export function rankTexts(text: BoundText): TextOrder {
  if (text.dictionary) return text.dictionary.order();
  const { textCount } = text;
  return keptByTexts(keyOf(text), textCount, "order", function* () {
    yield* makeStrings(text);
    const { texts } = text;
    const dictionary = new Dictionary(texts.slice(0, textCount));
    yield* dictionary.makeIndex();
    const order = dictionary.order();
    return { value: order, sizeBytes: order.codes.byteLength + order.ranks.byteLength };
  });
}
