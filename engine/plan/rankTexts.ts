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

const numbers = new WeakMap<TextOrder, Float64Array>();

/**
 * Returns a table of the ranks of an order by stored code, with NaN for null. The table exists as long as the order.
 */
export function ranksByCode(order: TextOrder): Float64Array {
  const known = numbers.get(order);
  if (known) return known;
  const { ranks } = order;
  const table = new Float64Array(new SharedArrayBuffer((ranks.length + 1) * 8));
  table[0] = NaN;
  for (let code = 0; code < ranks.length; code++) table[code + 1] = ranks[code];
  numbers.set(order, table);
  return table;
}
