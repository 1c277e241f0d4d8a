import { compileRow } from "./compileRow.ts";
import type { BoundRows } from "./boundValue.ts";
import { stringReader } from "./packStrings.ts";
import type { Cell } from "./scalarFunction.ts";
import { computedTextUnits, makerOf, TextInterner } from "./textInterner.ts";

/**
 * UTF-16 units of texts that one expression may compute row by row. The limit is above the one for dictionaries, whose
 * own texts are bounded.
 */
export const mostRowTextUnits = computedTextUnits * 4;

/**
 * Computes an expression over texts of several columns, or from numbers to texts, row by row. Its texts get codes in
 * the order in which they come; two evaluators give different codes.
 */
export class RowEvaluator {
  readonly #interner: TextInterner;
  readonly #run: () => Cell;
  readonly #pause: () => void;
  #vectors: readonly ArrayLike<number>[] = [];
  #row = 0;

  /** Calls `pause` before each row: a row of string functions can take milliseconds. */
  constructor({ expression, type, inputs }: BoundRows, pause: () => void) {
    this.#pause = pause;
    this.#interner = new TextInterner(makerOf(expression), mostRowTextUnits);
    this.#run = compileRow(expression, (name, join) => this.#reader(inputs, name, join), type);
  }

  /** The texts made so far; stored code `code` stands for `texts[code - 1]`. */
  get texts(): readonly string[] {
    return this.#interner.texts;
  }

  /** Computes a number or datetime a row. `vectors` are by input: doubles, or stored codes of a text. */
  writeNumbers(
    vectors: readonly ArrayLike<number>[],
    rowCount: number,
    numbers: { [row: number]: number },
  ): void {
    this.#vectors = vectors;
    for (this.#row = 0; this.#row < rowCount; this.#row++) {
      this.#pause();
      numbers[this.#row] = Number(this.#run() ?? NaN);
    }
  }

  /** Computes a text a row and writes its stored code, 0 for null. */
  writeCodes(
    vectors: readonly ArrayLike<number>[],
    rowCount: number,
    codes: { [row: number]: number },
  ): void {
    this.#vectors = vectors;
    for (this.#row = 0; this.#row < rowCount; this.#row++) {
      this.#pause();
      codes[this.#row] = this.#interner.codeOf(this.#run());
    }
  }

  #reader(inputs: BoundRows["inputs"], name: string, join: string | undefined): () => Cell {
    const index = inputs.findIndex((input) => input.name === name && input.join === join);
    const { of } = inputs[index];
    if (of.kind !== "text") return () => this.#vectors[index][this.#row];
    const { texts, packed } = of;
    if (packed) {
      const read = stringReader(packed);
      return () => read(this.#vectors[index][this.#row]);
    }
    return () => texts[this.#vectors[index][this.#row] - 1] ?? null;
  }
}
