import { randomInt } from "node:crypto";

/** A set of distinct strings, numbered in order of first appearance. */
export interface Dictionary {
  /** Returns the code of a string, and adds the string if it is new. */
  codeOf(text: string): number;
  /** The strings, by code: `dictionary[code]`. */
  readonly dictionary: readonly string[];
}

export interface DictionaryOptions {
  /** The hash function. Only tests replace it. */
  readonly hashOf?: (text: string) => number;
}

/**
 * Number of strings in the first table. Further strings go to one of `shardCount` tables, because growing a large table
 * blocks the process.
 */
const firstCount = 65_536;
const shardCount = 256;
/**
 * Maximum number of slots to probe before a string is stored in a map instead. Strings that collide can therefore not
 * slow the table down.
 */
const mostProbes = 32;

/**
 * Creates an empty dictionary. Looking up a string takes a third of the time that a `Map` takes, because a `Map` hashes
 * each new string object.
 */
export function createDictionary({ hashOf = hashText }: DictionaryOptions = {}): Dictionary {
  const dictionary: string[] = [];
  const first = new TextTable(dictionary, hashOf);
  const shards: TextTable[] = [];
  return {
    dictionary,
    codeOf(text) {
      const hash = hashOf(text);
      if (first.count < firstCount) return first.codeOf(text, hash);
      const known = first.find(text, hash);
      if (known >= 0) return known;
      if (shards.length === 0)
        for (let shard = 0; shard < shardCount; shard++)
          shards.push(new TextTable(dictionary, hashOf));
      return shards[hash >>> 24]!.codeOf(text, hash);
    },
  };
}

/**
 * A hash table with open addressing over the strings of a dictionary. Each slot contains a code plus one, and the hash.
 */
class TextTable {
  readonly #dictionary: string[];
  readonly #hashOf: (text: string) => number;
  /** Strings for which no slot was free. */
  readonly #crowded = new Map<string, number>();
  #slots = new Int32Array(128);
  count = 0;

  constructor(dictionary: string[], hashOf: (text: string) => number) {
    this.#dictionary = dictionary;
    this.#hashOf = hashOf;
  }

  /** Returns the code of a string, or -1 if it is not in the table. */
  find(text: string, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = ((hash + probe) & mask) * 2;
      const code = slots[slot]! - 1;
      if (code < 0) return -1;
      if (slots[slot + 1] === hash && this.#dictionary[code] === text) return code;
    }
    return this.#crowded.get(text) ?? -1;
  }

  /** Returns the code of a string, and adds the string if it is new. */
  codeOf(text: string, hash: number): number {
    const known = this.find(text, hash);
    if (known >= 0) return known;
    const code = this.#dictionary.length;
    this.#dictionary.push(text);
    this.count++;
    if (this.count * 4 > this.#slots.length) this.#grow();
    this.#place(text, hash, code);
    return code;
  }

  #place(text: string, hash: number, code: number): void {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    for (let probe = 0; probe < mostProbes; probe++) {
      const slot = ((hash + probe) & mask) * 2;
      if (slots[slot] !== 0) continue;
      slots[slot] = code + 1;
      slots[slot + 1] = hash;
      return;
    }
    this.#crowded.set(text, code);
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(before.length * 4);
    for (let slot = 0; slot < before.length; slot += 2) {
      const code = before[slot]! - 1;
      if (code >= 0) this.#place(this.#dictionary[code]!, before[slot + 1]!, code);
    }
    // The larger table may have a free slot for these strings. They must then move to it, because a search ends at the
    // first free slot.
    const crowded = [...this.#crowded];
    this.#crowded.clear();
    for (const [text, code] of crowded) this.#place(text, this.#hashOf(text), code);
  }
}

const seed = randomInt(2 ** 31);

/** Hashes a string with Murmur mixing of each character, starting from a random seed. */
function hashText(text: string): number {
  let hash = seed ^ text.length;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return hash;
}
