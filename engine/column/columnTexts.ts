import type { Memory } from "../memory/memory.ts";
import type { BatchColumn } from "../types.ts";
import { storeCodes } from "./columnFill.ts";
import type { EncodedBatchColumn } from "./encodedBatchColumn.ts";
import { Dictionary } from "./texts/dictionary.ts";
import type { PackedTexts } from "./texts/packedTexts.ts";
import {
  copyRows,
  textBytes,
  waitingBytes,
  type AddedBatchColumn,
  type WaitingRows,
} from "./waitingRows.ts";

/** Number of strings to add to a dictionary before yielding to other work. Adding them takes a few milliseconds. */
const textsPerStep = 16_384;

/**
 * The strings of a column: its dictionary if the dictionary is in memory, otherwise the rows that wait for it. The
 * dictionary and the waiting rows count toward the memory budget.
 */
export class ColumnTexts {
  readonly #memory: Memory;
  readonly #isText: boolean;
  #dictionary: Dictionary | undefined;
  /**
   * Strings that were added after the saved strings, and rows that are not yet encoded. Used only while the dictionary
   * is not loaded.
   */
  #newTexts: readonly string[] = [];
  #waiting: WaitingRows[] = [];
  #chargedBytes = 0;

  /**
   * Creates the strings of a column. A new column starts with an empty dictionary; the dictionary of a saved column
   * must be loaded.
   */
  constructor(memory: Memory, isText: boolean, isNew: boolean) {
    this.#memory = memory;
    this.#isText = isText;
    if (isText && isNew) this.#dictionary = new Dictionary();
  }

  /** The dictionary of a text column; undefined for other types, and while the dictionary is not loaded. */
  get dictionary(): Dictionary | undefined {
    return this.#dictionary;
  }

  get chargedBytes(): number {
    return this.#chargedBytes;
  }

  /** Whether rows can be encoded. Always true for types other than text. */
  get isLoaded(): boolean {
    return !this.#isText || this.#dictionary !== undefined;
  }

  /** Keeps a copy of the rows until the dictionary is loaded. */
  wait(added: AddedBatchColumn | undefined, rowCount: number): void {
    const rows = { added: added && copyRows(added), rowCount };
    this.#charge(waitingBytes(rows));
    this.#waiting.push(rows);
  }

  /** Sets the loaded dictionary. Returns the waiting rows, which the caller must append. */
  load(dictionary: Dictionary): readonly WaitingRows[] {
    this.#dictionary = dictionary;
    for (const text of this.#newTexts) dictionary.encode(text);
    this.#newTexts = [];
    const waiting = this.#waiting.splice(0);
    this.#charge(dictionary.memoryBytes - this.#chargedBytes);
    return waiting;
  }

  /**
   * Removes the dictionary from memory. Its first `savedCount` strings are in a file; later strings are kept in memory.
   */
  evict(savedCount: number): void {
    if (!this.#dictionary) return;
    this.#newTexts = this.#dictionary.slice(savedCount, this.#dictionary.size);
    this.#dictionary = undefined;
    this.#charge(textBytes(this.#newTexts) - this.#chargedBytes);
  }

  /**
   * Removes all strings after the first `count` and returns whether there were any. Earlier readers keep their
   * dictionary.
   */
  truncate(count: number): boolean {
    if (!this.#dictionary || this.#dictionary.size === count) return false;
    const before = this.#dictionary.memoryBytes;
    this.#dictionary = new Dictionary(this.#dictionary.slice(0, count));
    this.#charge(this.#dictionary.memoryBytes - before);
    return true;
  }

  /** Removes its memory from the memory budget. Readers keep their dictionary. */
  close(): void {
    this.#charge(-this.#chargedBytes);
  }

  /**
   * Returns the values of encoded rows in the form that the column stores. Adds the strings of these rows to the
   * dictionary.
   */
  store(added: BatchColumn | EncodedBatchColumn): Float64Array | Int32Array {
    if (added.type !== "text") return added.values;
    if ("texts" in added) return storeCodes(added.codes, this.merge(added.texts));
    const dictionary = this.#dictionary!;
    const before = dictionary.memoryBytes;
    const codes = translate(added, dictionary);
    this.#charge(dictionary.memoryBytes - before);
    return codes;
  }

  /** Adds strings to the dictionary and returns their codes. */
  merge(texts: PackedTexts): Int32Array {
    const dictionary = this.#dictionary!;
    const before = dictionary.memoryBytes;
    const codes = dictionary.merge(texts);
    this.#charge(dictionary.memoryBytes - before);
    return codes;
  }

  /** Adds strings to the dictionary and writes their codes to `codes`. Yields regularly. */
  *encode(texts: PackedTexts, codes: Int32Array): Generator<void, void> {
    const dictionary = this.#dictionary!;
    const merging = dictionary.mergeInSteps(texts, codes, textsPerStep);
    for (;;) {
      const before = dictionary.memoryBytes;
      const { done } = merging.next();
      this.#charge(dictionary.memoryBytes - before);
      if (done) return;
      yield;
    }
  }

  #charge(sizeBytes: number): void {
    this.#chargedBytes += sizeBytes;
    this.#memory.charge(sizeBytes);
  }
}

/**
 * Translates a batch's codes to stored codes (dictionary code plus one; 0 is null). Only strings that rows use are
 * added to the dictionary.
 */
function translate(
  added: Extract<BatchColumn, { type: "text" }>,
  dictionary: Dictionary,
): Int32Array {
  const known = new Int32Array(added.dictionary.length);
  const stored = new Int32Array(added.codes.length);
  for (let row = 0; row < stored.length; row++) {
    const code = added.codes[row];
    if (code < 0) continue;
    if (known[code] === 0) known[code] = dictionary.encode(added.dictionary[code]) + 1;
    stored[row] = known[code];
  }
  return stored;
}
