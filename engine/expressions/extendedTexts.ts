import type { Dictionary } from "../column/texts/dictionary.ts";

/** The strings of a dictionary, followed by other strings. JavaScript strings are created on demand. */
export class ExtendedTexts {
  readonly #dictionary: Dictionary;
  readonly #knownCount: number;
  readonly #added: readonly string[];
  #texts: readonly string[] | undefined;

  constructor(dictionary: Dictionary, knownCount: number, added: readonly string[]) {
    this.#dictionary = dictionary;
    this.#knownCount = knownCount;
    this.#added = added;
  }

  get textCount(): number {
    return this.#knownCount + this.#added.length;
  }

  /** All strings. Each read returns the same array. */
  get texts(): readonly string[] {
    return (this.#texts ??= this.#dictionary.texts.slice(0, this.#knownCount).concat(this.#added));
  }

  /** Creates the JavaScript strings of the dictionary, in short steps. */
  makeStrings(): Generator<undefined, void> {
    return this.#dictionary.makeStrings();
  }

  /** Returns the strings of a range of codes, without creating others. */
  slice(fromCode: number, untilCode: number): readonly string[] {
    const count = this.#knownCount;
    return [
      ...this.#dictionary.slice(Math.min(fromCode, count), Math.min(untilCode, count)),
      ...this.#added.slice(Math.max(0, fromCode - count), Math.max(0, untilCode - count)),
    ];
  }
}
