import type { TextMatch } from "./matchBytes.ts";
import { mergeOrders } from "./mergeOrders.ts";
import type { PackedTexts } from "./packedTexts.ts";
import { packTexts } from "./packTexts.ts";
import { hashTexts } from "./hashTexts.ts";
import { TextPool } from "./textPool.ts";
import { TextBytes } from "./textBytes.ts";

/**
 * The strings of a dictionary ordered by code point. `ranks[code]` is the position of a string in this order, and
 * `codes[rank]` is the code of the string at a position.
 */
export interface TextOrder {
  readonly ranks: Int32Array;
  readonly codes: Int32Array;
}

/**
 * The distinct strings of one column. Codes are assigned in order of arrival and never change. The first look-up
 * creates a pool that contains the strings as UTF-8 bytes. JavaScript strings are created on demand.
 */
export class Dictionary {
  /** The JavaScript strings created so far. They are the strings of the lowest codes. */
  readonly #texts: string[];
  /** All strings as bytes. The first look-up creates this pool. */
  #pool: TextPool | undefined;
  readonly #bytes = new TextBytes();
  #order: TextOrder | undefined;
  #firstBytes = 0;

  /** Creates a dictionary of distinct strings, in the order of their codes. */
  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
    for (const text of texts) this.#firstBytes += dictionaryEntryBytes(text);
  }

  get size(): number {
    return this.#pool?.count ?? this.#texts.length;
  }

  /**
   * All JavaScript strings, by code. The array is never replaced. Each read first appends the strings that are new
   * since the last read, at about 100 ns each.
   */
  get texts(): readonly string[] {
    const { size } = this;
    if (this.#pool && this.#texts.length < size)
      for (const text of this.#pool.decode(this.#texts.length, size)) this.#texts.push(text);
    return this.#texts;
  }

  /** Creates the JavaScript strings of all codes, in short steps. */
  *makeStrings(): Generator<undefined, void> {
    while (this.#pool && this.#texts.length < this.size) {
      const from = this.#texts.length;
      for (const text of this.#pool.decode(from, Math.min(this.size, from + textsPerStep)))
        this.#texts.push(text);
      yield;
    }
  }

  /** Builds the index for look-ups and ordering, in short steps. */
  *makeIndex(): Generator<undefined, void> {
    if (this.#pool) return;
    const pool = new TextPool(this.#texts.length);
    for (let code = 0; code < this.#texts.length; code += textsPerStep) {
      indexTexts(pool, this.#texts.slice(code, code + textsPerStep));
      yield;
    }
    // Another caller may have built the index in the meantime.
    this.#pool ??= pool;
  }

  /** Returns the strings of a range of codes. Unlike `texts`, does not keep the JavaScript strings that it creates. */
  slice(fromCode: number, untilCode: number): readonly string[] {
    if (!this.#pool || untilCode <= this.#texts.length)
      return this.#texts.slice(fromCode, untilCode);
    return this.#pool.decode(fromCode, untilCode);
  }

  /**
   * Returns the bytes of the strings of a range of codes, which are valid until the next string is added. Undefined if
   * only the JavaScript strings exist.
   */
  packed(fromCode: number, untilCode: number): Omit<PackedTexts, "hashes"> | undefined {
    return this.#pool?.range(fromCode, untilCode);
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
   * Returns the codes that the first `count` strings of another dictionary have in this dictionary, found by their
   * bytes; -1 for unknown strings.
   */
  codesOf(other: Dictionary, count: number): Int32Array {
    return this.#lookup().findAll(other.#lookup(), count);
  }

  /** Whether the strings are available as bytes. If not, look-ups, matches and ordering first build the index. */
  get isIndexed(): boolean {
    return this.#pool !== undefined;
  }

  /**
   * Tests the first `count` strings without creating JavaScript strings. The result is 1 for each stored code whose
   * string passes; undefined if bytes cannot decide, see `matchBytes`.
   */
  match(count: number, match: TextMatch, part: string): Uint8Array | undefined {
    return this.#lookup().match(count, match, part);
  }

  /** Returns the code of a string. Adds the string if it is new. */
  encode(text: string): number {
    return this.#encode(this.#lookup(), text);
  }

  /** Returns the code of each given string. Adds unknown strings. */
  merge(texts: PackedTexts): Int32Array {
    return this.#lookup().merge(texts);
  }

  /** Like `merge`, but writes to `codes` and yields after every `textsPerStep` strings. */
  mergeInSteps(texts: PackedTexts, codes: Int32Array, textsPerStep: number): Generator<void, void> {
    return this.#lookup().mergeInSteps(texts, codes, textsPerStep);
  }

  /** Whether the order of all strings is known, because no string was added since the last call of `order`. */
  get isOrdered(): boolean {
    return this.#order?.codes.length === this.size;
  }

  /**
   * Returns the order of the strings by code point. Sorts the strings that were added since the last call and merges
   * them into the order, or sorts all strings if many are new. Takes about 30 ns per string.
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

/** Number of strings that can be packed, or converted to JavaScript strings, in a fraction of a millisecond. */
const textsPerStep = 4096;
/** Number of strings to encode together. They are joined to one JavaScript string, whose length is limited. */
const textsAtOnce = 16_384;
const none = new Int32Array(0);
/** Merging one string costs as much as sorting this many strings. */
const sortedShare = 5;

/**
 * Bytes per entry in addition to its characters: in the pool, in the array, and for the header of the JavaScript
 * string.
 */
const entryBytes = 56;

/** Estimates the memory of one entry: its bytes, its JavaScript string and its bookkeeping. */
export function dictionaryEntryBytes(text: string): number {
  return text.length * 2 + entryBytes;
}

/** Returns an upper bound of the memory that packed strings take if all of them are new. */
export function packedTextsBytes({ bytes, ends }: Pick<PackedTexts, "bytes" | "ends">): number {
  return bytes.length * 2 + ends.length * entryBytes;
}
