import { EngineError } from "../errors.ts";
import type { Expression } from "../types.ts";
import type { Cell } from "./scalarFunction.ts";

/**
 * Maximum UTF-16 units of distinct strings that one expression may compute, in addition to twice the units of its
 * input.
 */
export const computedTextUnits = 2 ** 26;

/** Numbers distinct strings in order of arrival, with stored codes from 1; 0 is null. */
export class TextInterner {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #source: string;
  readonly #mostUnits: number;
  #units = 0;

  /**
   * Creates an interner. `mostUnits` limits the total length of the distinct strings in UTF-16 units. The error for
   * exceeding this limit names `source`.
   */
  constructor(source: string, mostUnits: number) {
    this.#source = source;
    this.#mostUnits = mostUnits;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** UTF-16 units of all distinct strings. */
  get units(): number {
    return this.#units;
  }

  /**
   * Returns the stored code of a string; 0 for null.
   * @throws {EngineError} QUERY_TEXTS_LARGE
   */
  codeOf(cell: Cell): number {
    if (typeof cell !== "string") return 0;
    const known = this.#codes.get(cell);
    if (known !== undefined) return known;
    this.#units += cell.length;
    if (this.#units > this.#mostUnits)
      throw new EngineError("QUERY_TEXTS_LARGE", [this.#source, this.#mostUnits]);
    const code = this.#texts.push(cell);
    this.#codes.set(cell, code);
    return code;
  }
}

/** Returns the name of an expression for error messages: the name of its function, if it is a call. */
export function nameOfExpression(expression: Expression): string {
  return expression.kind === "call" ? expression.function : "an expression";
}
