import { compileRow } from "./compileRow.ts";
import type { BoundRows } from "./boundValue.ts";
import { stringReader } from "./packStrings.ts";
import type { Cell } from "./scalarFunction.ts";
import { computedTextUnits, nameOfExpression, TextInterner } from "./textInterner.ts";

/**
 * Maximum UTF-16 units of the strings that one expression may compute row by row. It is higher than
 * `computedTextUnits`, the limit for strings computed once per dictionary entry. To that limit, twice the dictionary's
 * own units are added.
 */
export const mostRowTextUnits = computedTextUnits * 4;

/**
 * Evaluates an expression row by row if it reads several text columns or converts numbers to strings. Its result
 * strings are numbered in order of first appearance, so two evaluators assign different codes.
 */
export class RowEvaluator {
  readonly #interner: TextInterner;
  readonly #run: () => Cell;
  readonly #pause: () => void;
  #vectors: readonly ArrayLike<number>[] = [];
  #row = 0;

  /** Calls `pause` before each row, because string functions can take milliseconds per row. */
  constructor({ expression, type, inputs }: BoundRows, pause: () => void) {
    this.#pause = pause;
    this.#interner = new TextInterner(nameOfExpression(expression), mostRowTextUnits);
    this.#run = compileRow(expression, (name, join) => this.#reader(inputs, name, join), type);
  }

  /** The strings computed so far: stored code `code` stands for `texts[code - 1]`. */
  get texts(): readonly string[] {
    return this.#interner.texts;
  }

  /** Computes a number or datetime per row. `vectors` are the inputs in order: doubles, or stored codes of strings. */
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

  /** Computes a string per row and writes its stored code; 0 is null. */
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
