import { randomInt } from "node:crypto";
import type { Utf8Texts } from "../../protocol/index.ts";

/** Number of bytes after a string that must be readable. */
export const paddingBytes = 3;

/** Maximum number of slots to probe, so that strings that collide cannot slow the table down. */
const mostProbes = 32;
const seed = randomInt(2 ** 31);

/**
 * Distinct strings of a column as UTF-8, numbered in order of first appearance. Looking up a string creates no
 * JavaScript string.
 */
export class TextTable {
  // A file may have ten thousand columns, so a table starts small.
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  #ends = new Int32Array(32);
  #hashes = new Int32Array(32);
  /** Code plus one, at an index that the low bits of the hash select; 0 is free. At most half of the slots are used. */
  #slots = new Int32Array(128);
  /** Codes of strings for which no slot was free. */
  readonly #crowded = new Map<string, number>();
  #count = 0;
  #usedBytes = 0;

  /** Number of strings. */
  get count(): number {
    return this.#count;
  }

  /** Total length of all strings in bytes. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** The strings. The arrays are valid until the next string is added. */
  get texts(): Utf8Texts {
    return {
      bytes: this.#bytes.subarray(0, this.#usedBytes),
      ends: this.#ends.subarray(0, this.#count),
    };
  }

  /** Removes all strings. */
  clear(): void {
    if (this.#count === 0) return;
    this.#slots.fill(0);
    this.#crowded.clear();
    this.#count = this.#usedBytes = 0;
  }

  /**
   * Returns the code of the string of `length` bytes at `from`, and adds the string if it is new. The `paddingBytes`
   * after the string must be readable.
   */
  codeOf(source: DataView, from: number, length: number): number {
    let hash = seed ^ length;
    const tail = length & 3;
    const end = from + length - tail;
    let at = from;
    // The processor computes two independent hashes at the same time.
    for (let other = seed; at + 8 <= end; at += 8) {
      hash = mixed(hash, source.getInt32(at, true));
      other = mixed(other, source.getInt32(at + 4, true));
      if (at + 16 > end) hash = mixed(hash, other);
    }
    if (at < end) hash = mixed(hash, source.getInt32(at, true));
    if (tail > 0) hash = mixed(hash, source.getInt32(end, true) & ((1 << (tail * 8)) - 1));
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash ^= hash >>> 13;
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = (hash + probe) & mask;
      const code = slots[slot]! - 1;
      if (code < 0) {
        slots[slot] = this.#count + 1;
        return this.#add(source, from, length, hash);
      }
      if (this.#hashes[code] === hash && this.#isAt(code, source, from, length)) return code;
    }
    const key = Buffer.from(source.buffer, source.byteOffset + from, length).toString("latin1");
    const known = this.#crowded.get(key);
    if (known !== undefined) return known;
    this.#crowded.set(key, this.#count);
    return this.#add(source, from, length, hash);
  }

  #isAt(code: number, source: DataView, from: number, length: number): boolean {
    const start = code === 0 ? 0 : this.#ends[code - 1]!;
    if (this.#ends[code]! - start !== length) return false;
    const view = this.#view;
    let at = 0;
    for (; at + 4 <= length; at += 4)
      if (view.getInt32(start + at, true) !== source.getInt32(from + at, true)) return false;
    for (; at < length; at++)
      if (view.getUint8(start + at) !== source.getUint8(from + at)) return false;
    return true;
  }

  #add(source: DataView, from: number, length: number, hash: number): number {
    const code = this.#count++;
    if (code === this.#ends.length) {
      this.#ends = grown(this.#ends);
      this.#hashes = grown(this.#hashes);
    }
    const used = this.#usedBytes;
    if (used + length + paddingBytes > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.#bytes.length, used + length) * 2);
      bytes.set(this.#bytes.subarray(0, used));
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    // Copies whole words. The next string overwrites the bytes that are written past the end.
    for (let at = 0; at < length; at += 4)
      this.#view.setInt32(used + at, source.getInt32(from + at, true), true);
    this.#usedBytes = this.#ends[code] = used + length;
    this.#hashes[code] = hash;
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return code;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    this.#slots = slots;
    this.#crowded.clear();
    for (let code = 0; code < this.#count; code++) {
      let probe = 0;
      const hash = this.#hashes[code]!;
      while (probe < mostProbes && slots[(hash + probe) & mask] !== 0) probe++;
      if (probe < mostProbes) slots[(hash + probe) & mask] = code + 1;
      else {
        const start = code === 0 ? 0 : this.#ends[code - 1]!;
        const text = Buffer.from(this.#bytes.buffer, start, this.#ends[code]! - start);
        this.#crowded.set(text.toString("latin1"), code);
      }
    }
  }
}

function mixed(hash: number, word: number): number {
  const next = Math.imul(hash ^ word, 0x9e3779b1);
  return next ^ (next >>> 15);
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
