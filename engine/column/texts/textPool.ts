import { compareBytes, type TextBytesView } from "./compareBytes.ts";
import { decodeTexts } from "./decodeTexts.ts";
import { growBuffer, openBuffer } from "./growBuffer.ts";
import { hashBytes, padded, paddingBytes } from "./hashTexts.ts";
import { matchBytes, type TextMatch } from "./matchBytes.ts";
import { orderTexts } from "./orderTexts.ts";
import type { PackedTexts } from "./packedTexts.ts";

const probeLimit = 64;
/**
 * Growth factors of the slot table. A large factor avoids most of the rehashing of small tables; a small factor avoids
 * nearly unused pages of large tables.
 */
const slotGrowth = { few: 4, many: 2 } as const;
const manySlots = 2 ** 20;
/** Number of strings whose look-ups are prefetched together. */
const textsAhead = 64;
/** The largest possible end offset. Offsets have 32 bits. */
const largestBytes = 2 ** 32 - 1;

/**
 * Distinct strings as bytes. Finding a known string costs one hash and one comparison of bytes, and creates no
 * JavaScript string.
 */
export class TextPool {
  #bytes: Uint8Array;
  #view: DataView;
  #ends: Uint32Array;
  #hashes: Int32Array;
  /**
   * Slots, indexed by the low bits of a hash (masked by `length - 1`). A slot contains the remaining bits of the hash,
   * with code plus one in place of the low bits; 0 is free. Linear probing visits at most `probeLimit` slots. The
   * length is a power of two, and at most half of the slots are used.
   */
  #slots: Int32Array;
  /**
   * Codes of strings for which no slot was free, which happens only if the strings were chosen to collide. This map is
   * safe from such collisions, because V8 hashes its keys with a random seed.
   */
  readonly #crowded = new Map<string, number>();
  #count = 0;
  /** Scratch memory for `touch`. */
  readonly #ahead = new Uint32Array(textsAhead);
  hasLoneSurrogates = false;

  /** Creates a pool with space for `expectedCount` strings before it must grow. */
  constructor(expectedCount = 64) {
    const room = Math.max(64, expectedCount);
    this.#bytes = new Uint8Array(openBuffer(room * 16), 0, room * 16);
    this.#view = viewOf(this.#bytes);
    this.#ends = new Uint32Array(openBuffer(room * 4), 0, room);
    this.#hashes = openWords(room);
    this.#slots = openWords(2 ** Math.ceil(Math.log2(room * 2 + 1)));
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Returns the code of the string at `from` in `source`, and adds the string if it is new. The `paddingBytes` after
   * the string must be readable.
   */
  intern(
    source: DataView,
    from: number,
    length: number,
    hash = hashBytes(source, from, length),
  ): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0; probe < probeLimit; probe++) {
      const slot = (hash + probe) & mask;
      const found = slots[slot];
      if (found === 0) {
        const added = this.#add(source, from, length, hash);
        slots[slot] = (hash & ~mask) | (added + 1);
        if (this.#count * 2 > slots.length) this.#rehash();
        return added;
      }
      if (((found ^ hash) & ~mask) !== 0) continue;
      const code = (found & mask) - 1;
      if (this.#isText(code, source, from, length)) return code;
    }
    const key = keyOf(source, from, length);
    const known = this.#crowded.get(key);
    if (known !== undefined) return known;
    const added = this.#add(source, from, length, hash);
    this.#crowded.set(key, added);
    return added;
  }

  /** Returns the code of a string, which is passed as in `intern`; -1 if the string is unknown. */
  find(
    source: DataView,
    from: number,
    length: number,
    hash = hashBytes(source, from, length),
  ): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0; probe < probeLimit; probe++) {
      const found = slots[(hash + probe) & mask];
      if (found === 0) return -1;
      if (((found ^ hash) & ~mask) !== 0) continue;
      const code = (found & mask) - 1;
      if (this.#isText(code, source, from, length)) return code;
    }
    return this.#crowded.get(keyOf(source, from, length)) ?? -1;
  }

  /**
   * Returns the codes that the first `count` strings of another pool have in this pool, found by their hashes; -1 for
   * unknown strings.
   */
  findAll(other: TextPool, count: number): Int32Array {
    const codes = new Int32Array(count);
    const view = other.#view;
    const ends = other.#ends;
    const hashes = other.#hashes;
    for (let code = 0, start = 0; code < count; code++) {
      if (code % textsAhead === 0) this.#touch(hashes, code);
      const end = ends[code];
      codes[code] = this.find(view, start, end - start, hashes[code]);
      start = end;
    }
    return codes;
  }

  /** Creates the JavaScript strings of a range of codes. */
  decode(fromCode: number, untilCode: number): string[] {
    return decodeTexts(this.range(fromCode, untilCode));
  }

  /** Returns the strings of a range of codes. The bytes are valid until the next string is added. */
  range(fromCode: number, untilCode: number): Omit<PackedTexts, "hashes"> {
    const start = fromCode === 0 ? 0 : this.#ends[fromCode - 1];
    const ends = new Int32Array(untilCode - fromCode);
    for (let index = 0; index < ends.length; index++)
      ends[index] = this.#ends[fromCode + index] - start;
    const bytes = this.#bytes.subarray(start, untilCode === 0 ? 0 : this.#ends[untilCode - 1]);
    return { bytes, ends, hasLoneSurrogates: this.hasLoneSurrogates };
  }

  /** Returns the codes that are at least `fromCode`, ordered by the code points of their strings. */
  order(fromCode: number): Int32Array {
    return orderTexts(this.#texts, fromCode, this.#count);
  }

  /** Compares two strings by code point. Returns a negative number, 0 or a positive number. */
  compare(left: number, right: number): number {
    return compareBytes(this.#texts, left, right);
  }

  /** Tests the first `count` strings; see `matchBytes`. */
  match(count: number, match: TextMatch, part: string): Uint8Array | undefined {
    return matchBytes(this.#texts, count, match, part);
  }

  get #texts(): TextBytesView {
    return { bytes: this.#bytes, ends: this.#ends };
  }

  /** Total bytes of all strings. */
  get textBytes(): number {
    return this.#count === 0 ? 0 : this.#ends[this.#count - 1];
  }

  /**
   * Returns the code of each given string, and adds unknown strings. Adds the strings of a batch to the dictionary of a
   * column.
   */
  merge(texts: PackedTexts): Int32Array {
    const codes = new Int32Array(texts.ends.length);
    this.#mergeRange(texts, padded(texts.bytes), codes, 0, codes.length);
    return codes;
  }

  /** Like `merge`, but writes to `codes` and yields after every `textsPerStep` strings. */
  *mergeInSteps(
    texts: PackedTexts,
    codes: Int32Array,
    textsPerStep: number,
  ): Generator<void, void> {
    const source = padded(texts.bytes);
    for (let from = 0; from < codes.length; from += textsPerStep) {
      if (from > 0) yield;
      this.#mergeRange(texts, source, codes, from, Math.min(codes.length, from + textsPerStep));
    }
  }

  #mergeRange(
    { ends, hashes, hasLoneSurrogates }: PackedTexts,
    source: DataView,
    codes: Int32Array,
    from: number,
    until: number,
  ): void {
    if (hasLoneSurrogates) this.hasLoneSurrogates = true;
    let start = from === 0 ? 0 : ends[from - 1];
    for (let code = from; code < until; code++) {
      if (code % textsAhead === 0) this.#touch(hashes, code);
      codes[code] = this.intern(source, start, ends[code] - start, hashes[code]);
      start = ends[code];
    }
  }

  /** Transfers the strings out of the pool, which must not be used afterwards. */
  pack(): PackedTexts {
    const count = this.#count;
    return {
      bytes: this.#bytes.slice(0, this.textBytes + paddingBytes).subarray(0, this.textBytes),
      ends: Int32Array.from(this.#ends.subarray(0, count)),
      hashes: this.#hashes.slice(0, count),
      hasLoneSurrogates: this.hasLoneSurrogates,
    };
  }

  /**
   * Reads in advance the memory that the next look-ups need, so that the processor waits for memory once instead of
   * once per string.
   */
  #touch(hashes: Int32Array, from: number): void {
    const count = Math.min(textsAhead, hashes.length - from);
    const slots = this.#slots;
    const mask = slots.length - 1;
    const known = this.#ahead;
    let knownCount = 0;
    for (let index = 0; index < count; index++) {
      const hash = hashes[from + index];
      const found = slots[hash & mask];
      known[knownCount] = (found & mask) - 1;
      if (found !== 0 && ((found ^ hash) & ~mask) === 0) knownCount++;
    }
    let sum = 0;
    for (let index = 0; index < knownCount; index++) known[index] = this.#ends[known[index]];
    for (let index = 0; index < knownCount; index++) sum ^= this.#bytes[known[index]];
    // Using the sum prevents the compiler from removing the reads.
    known[0] = sum;
  }

  #isText(code: number, source: DataView, from: number, length: number): boolean {
    let at = code === 0 ? 0 : this.#ends[code - 1];
    if (this.#ends[code] - at !== length) return false;
    const view = this.#view;
    const tail = length & 3;
    const end = from + length - tail;
    let other = from;
    for (; other < end; other += 4, at += 4)
      if (view.getInt32(at, true) !== source.getInt32(other, true)) return false;
    if (tail === 0) return true;
    const mask = (1 << (tail * 8)) - 1;
    return ((view.getInt32(at, true) ^ source.getInt32(other, true)) & mask) === 0;
  }

  #add(source: DataView, from: number, length: number, hash: number): number {
    const code = this.#count++;
    const start = code === 0 ? 0 : this.#ends[code - 1];
    if (start + length + paddingBytes > this.#bytes.length) this.#growBytes(start, start + length);
    if (code === this.#ends.length) {
      const usedBytes = code * 4;
      const ends = growBuffer(this.#ends.buffer, usedBytes, usedBytes * 2);
      this.#ends = new Uint32Array(ends, 0, code * 2);
      const hashes = growBuffer(this.#hashes.buffer, usedBytes, usedBytes * 2);
      this.#hashes = new Int32Array(hashes, 0, code * 2);
    }
    const view = this.#view;
    // Copies whole words. The next string overwrites the bytes that are written past the end.
    for (let index = 0; index < length; index += 4)
      view.setInt32(start + index, source.getInt32(from + index, true), true);
    this.#ends[code] = start + length;
    this.#hashes[code] = hash;
    return code;
  }

  #growBytes(usedBytes: number, needed: number): void {
    if (needed > largestBytes) throw new RangeError("strings of more than 4 GB");
    const bytes = growBuffer(this.#bytes.buffer, usedBytes, needed + 1024);
    this.#bytes = new Uint8Array(bytes, 0, bytes.byteLength);
    this.#view = viewOf(this.#bytes);
  }

  #rehash(): void {
    const { length } = this.#slots;
    const slots = openWords(length * slotGrowth[length < manySlots ? "few" : "many"]);
    // If a page is read before it is written, the operating system maps it twice, and the second mapping interrupts all
    // processors.
    slots.fill(0);
    const mask = slots.length - 1;
    const hashes = this.#hashes;
    this.#crowded.clear();
    let sum = 0;
    for (let code = 0; code < this.#count; code++) {
      if (code % textsAhead === 0) {
        const until = Math.min(code + textsAhead, this.#count);
        for (let next = code; next < until; next++) sum ^= slots[hashes[next] & mask];
      }
      const hash = hashes[code];
      let probe = 0;
      while (probe < probeLimit && slots[(hash + probe) & mask] !== 0) probe++;
      if (probe < probeLimit) slots[(hash + probe) & mask] = (hash & ~mask) | (code + 1);
      else {
        const start = code === 0 ? 0 : this.#ends[code - 1];
        this.#crowded.set(keyOf(this.#view, start, this.#ends[code] - start), code);
      }
    }
    // Using the sum prevents the compiler from removing the reads.
    this.#ahead[0] = sum;
    this.#slots = slots;
  }
}

function openWords(count: number): Int32Array {
  return new Int32Array(openBuffer(count * 4), 0, count);
}

/** Returns a view of fixed length, because views that grow with their buffer are slower. */
function viewOf({ buffer, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, 0, byteLength);
}

function keyOf({ buffer, byteOffset }: DataView, from: number, length: number): string {
  return Buffer.from(buffer, byteOffset + from, length).toString("latin1");
}
