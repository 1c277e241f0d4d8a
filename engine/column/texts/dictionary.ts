import type { TextMatch } from "./matchBytes.ts";
import { mergeOrders } from "./mergeOrders.ts";
import type { PackedTexts } from "./packedTexts.ts";
import { packTexts } from "./packTexts.ts";
import { hashTexts } from "./hashTexts.ts";
import { TextPool } from "./textPool.ts";
import { TextBytes } from "./textBytes.ts";

/**
 * The order of a dictionary's texts by code point. `ranks[code]` is a text's place, `codes[rank]` the text at a place.
 */
export interface TextOrder {
  readonly ranks: Int32Array;
  readonly codes: Int32Array;
}

/**
 * The distinct texts of one column; codes count texts in the order of arrival and never change. Texts that were looked
 * up are UTF-8 bytes in a pool. Strings are created on demand.
 */
export class Dictionary {
  /** Strings of the first texts. */
  readonly #texts: string[];
  /** All texts, from when one is looked up for the first time. */
  #pool: TextPool | undefined;
  readonly #bytes = new TextBytes();
  #order: TextOrder | undefined;
  #firstBytes = 0;

  /** Begins with distinct texts, in the order of their codes. */
  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    for (const text of texts) this.#firstBytes += dictionaryEntryBytes(text);
  }

  get size(): number {
    return this.#pool?.count ?? this.#texts.length;
  }

  /**
   * All texts by code: one array, at whose end the strings of new texts are added when this is asked for. About 100 ns
   * a new text.
   */
  get texts(): readonly string[] {
    const { size } = this;
    if (this.#pool && this.#texts.length < size)
      for (const text of this.#pool.decode(this.#texts.length, size)) this.#texts.push(text);
    return this.#texts;
  }

  /** Makes the strings of all texts, in short steps. */
  *makeStrings(): Generator<undefined, void> {
    while (this.#pool && this.#texts.length < this.size) {
      const from = this.#texts.length;
      for (const text of this.#pool.decode(from, Math.min(this.size, from + textsPerStep)))
        this.#texts.push(text);
      yield;
    }
  }

  /** Builds the index by which texts are looked up and ordered, in short steps. */
  *makeIndex(): Generator<undefined, void> {
    if (this.#pool) return;
    const pool = new TextPool(this.#texts.length);
    for (let code = 0; code < this.#texts.length; code += textsPerStep) {
      indexTexts(pool, this.#texts.slice(code, code + textsPerStep));
      yield;
    }
    // Others may have made it meanwhile.
    this.#pool ??= pool;
  }

  /** The texts of a range of codes; unlike those of `texts`, strings that are made for it are not kept. */
  slice(fromCode: number, untilCode: number): readonly string[] {
    if (!this.#pool || untilCode <= this.#texts.length)
      return this.#texts.slice(fromCode, untilCode);
    return this.#pool.decode(fromCode, untilCode);
  }

  get memoryBytes(): number {
    return this.#pool ? this.#pool.textBytes * 2 + this.#pool.count * entryBytes : this.#firstBytes;
  }

  codeOf(text: string): number | undefined {
    const pool = this.#lookup();
    const length = this.#bytes.write(text);
    const code = pool.find(this.#bytes.view, 0, length);
    return code < 0 ? undefined : code;
  }

  /**
   * Finds the codes here of the first `count` texts of another dictionary, by their bytes; -1 where a text is not
   * known.
   */
  codesOf(other: Dictionary, count: number): Int32Array {
    return this.#lookup().findAll(other.#lookup(), count);
  }

  /**
   * Whether texts are there as bytes, so that they can be looked up, matched and ordered without an index being made
   * first.
   */
  get isIndexed(): boolean {
    return this.#pool !== undefined;
  }

  /**
   * Tests the first `count` texts without making strings, 1 for each stored code that passes; undefined where it takes
   * strings, see `matchBytes`.
   */
  match(count: number, match: TextMatch, part: string): Uint8Array | undefined {
    return this.#lookup().match(count, match, part);
  }

  /** Returns the code of a text, a new one when the text is new. */
  encode(text: string): number {
    return this.#encode(this.#lookup(), text);
  }

  /** Returns the code of each given text. Adds unknown texts. */
  merge(texts: PackedTexts): Int32Array {
    return this.#lookup().merge(texts);
  }

  /** Merges like `merge`, writes to `codes`, and yields every `textsPerStep` texts. */
  mergeInSteps(texts: PackedTexts, codes: Int32Array, textsPerStep: number): Generator<void, void> {
    return this.#lookup().mergeInSteps(texts, codes, textsPerStep);
  }

  /** Whether the order is known: nothing came since it was asked for. */
  get isOrdered(): boolean {
    return this.#order?.codes.length === this.size;
  }

  /**
   * Returns the order of the texts by code point; sorts the texts that are new since the last call and merges them in,
   * or all where many are new. About 30 ns a text.
   */
  order(): TextOrder {
    const { size } = this;
    if (this.#order?.codes.length === size) return this.#order;
    const pool = this.#lookup();
    const before = this.#order?.codes ?? none;
    const known = (size - before.length) * sortedShare < size ? before : none;
    const codes = new Int32Array(new SharedArrayBuffer(size * 4));
    const ranks = new Int32Array(new SharedArrayBuffer(size * 4));
    mergeOrders(known, pool.order(known.length), (left, right) => pool.compare(left, right), codes);
    for (let rank = 0; rank < size; rank++) ranks[codes[rank]] = rank;
    this.#order = { ranks, codes };
    return this.#order;
  }

  #lookup(): TextPool {
    if (this.#pool) return this.#pool;
    const pool = new TextPool(this.#texts.length);
    for (let code = 0; code < this.#texts.length; code += textsAtOnce) {
      indexTexts(pool, this.#texts.slice(code, code + textsAtOnce));
    }
    this.#pool = pool;
    return pool;
  }

  #encode(pool: TextPool, text: string): number {
    const length = this.#bytes.write(text);
    const before = pool.count;
    const code = pool.intern(this.#bytes.view, 0, length);
    if (code === before && !pool.hasLoneSurrogates) pool.hasLoneSurrogates = !text.isWellFormed();
    return code;
  }
}

function indexTexts(pool: TextPool, texts: readonly string[]): void {
  const packed = packTexts(texts);
  pool.merge({ ...packed, hashes: hashTexts(packed.bytes, packed.ends) });
}

/** Texts that are packed, or whose strings are made, in a fraction of a millisecond or so. */
const textsPerStep = 4096;
/** Strings that become bytes together: a few bytes each, and together no more than a string can have. */
const textsAtOnce = 16_384;
const none = new Int32Array(0);
/** A text that is merged costs as much as some that are sorted. */
const sortedShare = 5;

/** Bytes of an entry besides its text: in the pool, in the array, and the head of its string. */
const entryBytes = 56;

/** Estimates what one entry costs: its bytes, its string, and its places. */
export function dictionaryEntryBytes(text: string): number {
  return text.length * 2 + entryBytes;
}

/** Bounds what packed texts cost when all of them are new. */
export function packedTextsBytes({ bytes, ends }: PackedTexts): number {
  return bytes.length * 2 + ends.length * entryBytes;
}
