import { compareText } from "./compareText.ts";

/** The order of a dictionary's texts by code point. `ranks[code]` is a text's place, `codes[rank]` the text at a place. */
export interface TextOrder {
  readonly ranks: Int32Array;
  readonly codes: Int32Array;
}

/** The distinct texts of one column; a text's code is its place of arrival and never changes. */
export class Dictionary {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  #order: TextOrder | undefined;
  #memoryBytes = 0;

  get size(): number {
    return this.#texts.length;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  codeOf(text: string): number | undefined {
    return this.#codes.get(text);
  }

  /** Returns the code of a text, a new one when the text is new. */
  encode(text: string): number {
    const known = this.#codes.get(text);
    if (known !== undefined) return known;
    const code = this.#texts.length;
    this.#codes.set(text, code);
    this.#texts.push(text);
    this.#memoryBytes += dictionaryEntryBytes(text);
    return code;
  }

  /** Returns the order of the texts by code point; sorts once for each size of the dictionary. */
  order(): TextOrder {
    const size = this.#texts.length;
    if (this.#order?.codes.length === size) return this.#order;
    const codes = new Int32Array(new SharedArrayBuffer(size * 4));
    const ranks = new Int32Array(new SharedArrayBuffer(size * 4));
    for (let code = 0; code < size; code++) codes[code] = code;
    const texts = this.#texts;
    codes.sort((left, right) => compareText(texts[left], texts[right]));
    for (let rank = 0; rank < size; rank++) ranks[codes[rank]] = rank;
    this.#order = { ranks, codes };
    return this.#order;
  }
}

/** Estimates what one entry costs: the text, the map's slot and the array's slot. */
export function dictionaryEntryBytes(text: string): number {
  return text.length * 2 + 64;
}
