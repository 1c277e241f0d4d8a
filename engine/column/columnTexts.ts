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

/** Texts that enter a dictionary before others have a turn: some milliseconds. */
const textsPerStep = 16_384;

/**
 * The texts of a column: its dictionary while memory holds it, and meanwhile the rows that wait for it. The column's
 * memory is charged with them.
 */
export class ColumnTexts {
  readonly #memory: Memory;
  readonly #isText: boolean;
  #dictionary: Dictionary | undefined;
  /**
   * While the dictionary is not loaded: the texts that came after the saved ones, and rows that could not be encoded.
   */
  #newTexts: readonly string[] = [];
  #waiting: WaitingRows[] = [];
  #chargedBytes = 0;

  /** A column that is new begins with an empty dictionary, one of a file without any. */
  constructor(memory: Memory, isText: boolean, isNew: boolean) {
    this.#memory = memory;
    this.#isText = isText;
    if (isText && isNew) this.#dictionary = new Dictionary();
  }

  /** Present for a text, once it is loaded. */
  get dictionary(): Dictionary | undefined {
    return this.#dictionary;
  }

  get chargedBytes(): number {
    return this.#chargedBytes;
  }

  /** Whether rows can be encoded: always for other types than text. */
  get isLoaded(): boolean {
    return !this.#isText || this.#dictionary !== undefined;
  }

  /** Keeps a copy of rows until the dictionary is loaded. */
  wait(added: AddedBatchColumn | undefined, rowCount: number): void {
    const rows = { added: added && copyRows(added), rowCount };
    this.#charge(waitingBytes(rows));
    this.#waiting.push(rows);
  }

  /** Takes the saved texts. Returns the rows that waited; the caller adds them. */
  load(dictionary: Dictionary): readonly WaitingRows[] {
    this.#dictionary = dictionary;
    for (const text of this.#newTexts) dictionary.encode(text);
    this.#newTexts = [];
    const waiting = this.#waiting.splice(0);
    this.#charge(dictionary.memoryBytes - this.#chargedBytes);
    return waiting;
  }

  /** Gives back the dictionary, whose first `savedCount` texts a file holds. */
  evict(savedCount: number): void {
    if (!this.#dictionary) return;
    this.#newTexts = this.#dictionary.slice(savedCount, this.#dictionary.size);
    this.#dictionary = undefined;
    this.#charge(textBytes(this.#newTexts) - this.#chargedBytes);
  }

  /** Drops the texts after the first `count`, and returns whether there were any. Earlier readers keep theirs. */
  truncate(count: number): boolean {
    if (!this.#dictionary || this.#dictionary.size === count) return false;
    const before = this.#dictionary.memoryBytes;
    this.#dictionary = new Dictionary(this.#dictionary.slice(0, count));
    this.#charge(this.#dictionary.memoryBytes - before);
    return true;
  }

  /** Charges nothing more; readers keep their dictionary. */
  close(): void {
    this.#charge(-this.#chargedBytes);
  }

  /** Returns the values of encoded rows as the column stores them; texts enter the dictionary. */
  store(added: BatchColumn | EncodedBatchColumn): Float64Array | Int32Array {
    if (added.type !== "text") return added.values;
    if ("texts" in added) return storeCodes(added.codes, this.merge(added.texts));
    const dictionary = this.#dictionary!;
    const before = dictionary.memoryBytes;
    const codes = translate(added, dictionary);
    this.#charge(dictionary.memoryBytes - before);
    return codes;
  }

  /** Enters texts into the dictionary. Returns their codes. */
  merge(texts: PackedTexts): Int32Array {
    const dictionary = this.#dictionary!;
    const before = dictionary.memoryBytes;
    const codes = dictionary.merge(texts);
    this.#charge(dictionary.memoryBytes - before);
    return codes;
  }

  /** Enters texts into the dictionary and writes their codes; yields now and then. */
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
 * Translates a batch's codes into stored codes (the dictionary's code plus one, 0 is null); only texts that occur enter
 * the dictionary.
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
