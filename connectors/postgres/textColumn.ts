import { randomInt } from "node:crypto";
import type { BatchColumn } from "../../plugins/protocol/index.ts";

/**
 * Maximum number of slots to probe. A string without a slot is stored in the map, so that colliding strings cannot make
 * the table slow.
 */
const mostProbes = 32;
const firstSlots = 1024;
const seed = randomInt(2 ** 31);

/**
 * Maximum number of strings, and of their bytes, that are kept for the next batch. In a column with more strings, few
 * strings repeat.
 */
const mostKept = 2 ** 16;
const mostKeptBytes = 2 ** 21;

/**
 * The strings of one column as codes. If a string has occurred before, even in an earlier batch, its bytes are
 * compared, and no new JavaScript string is created.
 */
export class TextColumn {
  #codes = new Int32Array(1024);
  #rowCount = 0;
  /** Distinct strings of the current batch. Not used while codes are positions in the list of known strings. */
  #dictionary: string[] = [];
  #known: string[] = [];
  /**
   * Whether codes are positions in the array of known strings. If so, that array is the dictionary, and batches with
   * the same strings share it.
   */
  #isShared = false;
  /** Whether a batch uses the array of known strings. The array must then not change. */
  #isLent = false;
  #usedCount = 0;
  /** Position of a known string plus one; 0 for a free slot. */
  #slots = new Int32Array(firstSlots);
  /**
   * Hash of each known string, by position. `#ends` contains the end of the string's bytes. `#codeOf` contains the
   * string's code in the current batch plus one, or 0 if the batch does not contain the string.
   */
  #hashes = new Int32Array(firstSlots);
  #ends = new Int32Array(firstSlots);
  #codeOf = new Int32Array(firstSlots);
  #bytes = Buffer.alloc(firstSlots * 8);
  #beyond = new Map<string, number>();

  addNull(): void {
    this.#add(-1);
  }

  /** Adds a string, given as UTF-8 bytes, to the batch. Returns the number of bytes by which the batch grows. */
  add(source: Buffer, start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ source[at]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = (hash + probe) & mask;
      const place = this.#slots[slot]! - 1;
      if (place < 0) return this.#addNew(source, start, end, hash, slot);
      if (this.#hashes[place] === hash && this.#equals(place, source, start, end))
        return this.#addKnown(place);
    }
    const known = this.#beyond.get(source.toString("utf8", start, end));
    if (known !== undefined) return this.#addKnown(known);
    return this.#addNew(source, start, end, hash, -1);
  }

  /** Returns the values that were added since the last call. */
  take(): BatchColumn {
    const codes = this.#codes.slice(0, this.#rowCount);
    const dictionary = this.#isShared ? this.#known : this.#dictionary;
    const { length } = this.#known;
    this.#isLent ||= this.#isShared;
    this.#isShared = 2 * this.#usedCount >= length;
    this.#rowCount = this.#usedCount = 0;
    this.#dictionary = [];
    this.#codeOf.fill(0);
    if (length > mostKept || this.#endOf(length - 1) > mostKeptBytes) {
      this.#known = [];
      this.#isLent = false;
      this.#slots.fill(0);
      this.#beyond.clear();
    }
    return { type: "hierarchy", codes, dictionary };
  }

  #add(code: number): void {
    if (this.#rowCount === this.#codes.length) this.#codes = grown(this.#codes);
    this.#codes[this.#rowCount++] = code;
  }

  /** Adds a known string to the batch. Returns the number of bytes by which the batch grows. */
  #addKnown(place: number): number {
    const code = this.#codeOf[place]! - 1;
    if (code >= 0) {
      this.#add(code);
      return 4;
    }
    const text = this.#known[place]!;
    const added = this.#isShared ? place : this.#dictionary.push(text) - 1;
    this.#codeOf[place] = added + 1;
    this.#usedCount++;
    this.#add(added);
    return 4 + 2 * text.length;
  }

  #endOf(place: number): number {
    return place < 0 ? 0 : this.#ends[place]!;
  }

  #equals(place: number, source: Buffer, start: number, end: number): boolean {
    const from = this.#endOf(place - 1);
    if (this.#ends[place]! - from !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at++) if (bytes[from + at - start] !== source[at]) return false;
    return true;
  }

  // oxlint-disable-next-line max-params -- called per value: an object would be allocated for each
  #addNew(source: Buffer, start: number, end: number, hash: number, slot: number): number {
    const place = this.#known.length;
    if (place === this.#hashes.length) {
      [this.#hashes, this.#ends] = [grown(this.#hashes), grown(this.#ends)];
      this.#codeOf = grown(this.#codeOf);
    }
    const from = this.#endOf(place - 1);
    const until = from + end - start;
    if (until > this.#bytes.length) {
      const bytes = Buffer.alloc(Math.max(until, 2 * this.#bytes.length));
      this.#bytes.copy(bytes, 0, 0, from);
      this.#bytes = bytes;
    }
    source.copy(this.#bytes, from, start, end);
    this.#hashes[place] = hash;
    this.#ends[place] = until;
    this.#codeOf[place] = 0;
    const text = source.toString("utf8", start, end);
    if (this.#isLent) [this.#known, this.#isLent] = [[...this.#known], false];
    this.#known.push(text);
    if (slot >= 0) this.#slots[slot] = place + 1;
    else this.#beyond.set(text, place);
    if (2 * place > this.#slots.length) this.#spread();
    return this.#addKnown(place);
  }

  /** Doubles the number of slots, and enters the known strings again. */
  #spread(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let place = 0; place < this.#known.length; place++)
      for (let probe = 0; probe <= mostProbes; probe++) {
        const slot = (this.#hashes[place]! + probe) & mask;
        if (probe === mostProbes) this.#beyond.set(this.#known[place]!, place);
        else if (this.#slots[slot] === 0) {
          this.#slots[slot] = place + 1;
          break;
        }
      }
  }
}

function grown(values: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * values.length);
  longer.set(values);
  return longer;
}
