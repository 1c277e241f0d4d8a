import { Dictionary, type TextOrder } from "../column/texts/dictionary.ts";
import type { BoundText } from "../expressions/boundValue.ts";
import { keptByTexts } from "../expressions/keptByTexts.ts";

/**
 * Orders the strings of a bound text expression by code point, using their bytes. A column's dictionary caches its
 * order; other orders are cached with the strings.
 */
export function rankTexts(text: BoundText): TextOrder {
  if (text.dictionary) return text.dictionary.order();
  const { texts, textCount } = text;
  return keptByTexts(texts, textCount, "order", function* () {
    const dictionary = new Dictionary(texts.slice(0, textCount));
    yield* dictionary.makeIndex();
    const order = dictionary.order();
    return { value: order, sizeBytes: order.codes.byteLength + order.ranks.byteLength };
  });
}
