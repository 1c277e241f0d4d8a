import { randomInt } from "node:crypto";
import type { BatchColumn } from "../../plugins/protocol/index.ts";

/** Slots that are looked at before a text goes to the map: nobody makes the table slow with texts that collide. */
const mostProbes = 32;
const firstSlots = 1024;
const seed = randomInt(2 ** 31);

/** Texts of one column as codes. A text that was met before costs no string: its bytes are compared. */
export class TextColumn {
  #codes = new Int32Array(1024);
  #rowCount = 0;
  #dictionary: string[] = [];
  /** A code and one; 0 for a free slot. */
  #slots = new Int32Array(firstSlots);
  /** By code: hash, and start and end of the bytes. */
  #hashes = new Int32Array(firstSlots);
  #ends = new Int32Array(firstSlots);
  #bytes = Buffer.alloc(firstSlots * 8);
  #beyond = new Map<string, number>();

  addNull(): void {
    this.#add(-1);
  }

  /** Adds the text of UTF-8 bytes; returns the bytes that it takes. */
  add(source: Buffer, start: number, end: number): number {
    let hash = seed;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ source[at]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = (hash + probe) & mask;
      const code = this.#slots[slot]! - 1;
      if (code < 0) return this.#addNew(source, start, end, hash, slot);
      if (this.#hashes[code] === hash && this.#equals(code, source, start, end)) {
        this.#add(code);
        return 4;
      }
    }
    const text = source.toString("utf8", start, end);
    const known = this.#beyond.get(text);
    if (known !== undefined) {
      this.#add(known);
      return 4;
    }
    this.#beyond.set(text, this.#dictionary.length);
    return this.#addNew(source, start, end, hash, -1);
  }

  /** Returns the values since the last call. */
  take(): BatchColumn {
    const [codes, dictionary] = [this.#codes.slice(0, this.#rowCount), this.#dictionary];
    this.#rowCount = 0;
    this.#dictionary = [];
    this.#slots.fill(0);
    this.#beyond.clear();
    return { type: "hierarchy", codes, dictionary };
  }

  #add(code: number): void {
    if (this.#rowCount === this.#codes.length) this.#codes = grown(this.#codes);
    this.#codes[this.#rowCount++] = code;
  }

  #equals(code: number, source: Buffer, start: number, end: number): boolean {
    const from = code === 0 ? 0 : this.#ends[code - 1]!;
    if (this.#ends[code]! - from !== end - start) return false;
    const bytes = this.#bytes;
    for (let at = start; at < end; at++) if (bytes[from + at - start] !== source[at]) return false;
    return true;
  }

  #addNew(source: Buffer, start: number, end: number, hash: number, slot: number): number {
    const code = this.#dictionary.length;
    if (code === this.#hashes.length)
      [this.#hashes, this.#ends] = [grown(this.#hashes), grown(this.#ends)];
    const from = code === 0 ? 0 : this.#ends[code - 1]!;
    const until = from + end - start;
    if (until > this.#bytes.length) {
      const bytes = Buffer.alloc(Math.max(until, 2 * this.#bytes.length));
      this.#bytes.copy(bytes, 0, 0, from);
      this.#bytes = bytes;
    }
    source.copy(this.#bytes, from, start, end);
    this.#hashes[code] = hash;
    this.#ends[code] = until;
    const text = source.toString("utf8", start, end);
    this.#dictionary.push(text);
    if (slot >= 0) this.#slots[slot] = code + 1;
    if (2 * code > this.#slots.length) this.#spread();
    this.#add(code);
    return 4 + 2 * text.length;
  }

  /** Doubles the slots. */
  #spread(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let code = 0; code < this.#dictionary.length; code++)
      for (let probe = 0; probe <= mostProbes; probe++) {
        const slot = (this.#hashes[code]! + probe) & mask;
        if (probe === mostProbes) this.#beyond.set(this.#dictionary[code]!, code);
        else if (this.#slots[slot] === 0) {
          this.#slots[slot] = code + 1;
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
