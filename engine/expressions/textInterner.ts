import { EngineError } from "../errors.ts";
import type { Expression } from "../types.ts";
import type { Cell } from "./scalarFunction.ts";

/** UTF-16 units of distinct texts that one expression may compute, beyond twice the units of its input. */
export const computedTextUnits = 2 ** 26;

/** Numbers distinct texts in the order of arrival: stored codes from 1; 0 is null. */
export class TextInterner {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #maker: string;
  readonly #mostUnits: number;
  #units = 0;

  /** `mostUnits` bounds the texts of all codes together; `maker` is named when they are longer. */
  constructor(maker: string, mostUnits: number) {
    this.#maker = maker;
    this.#mostUnits = mostUnits;
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** UTF-16 units of all texts together. */
  get units(): number {
    return this.#units;
  }

  /** @throws {EngineError} QUERY_TEXTS_LARGE */
  codeOf(cell: Cell): number {
    if (typeof cell !== "string") return 0;
    const known = this.#codes.get(cell);
    if (known !== undefined) return known;
    this.#units += cell.length;
    if (this.#units > this.#mostUnits)
      throw new EngineError("QUERY_TEXTS_LARGE", [this.#maker, this.#mostUnits]);
    const code = this.#texts.push(cell);
    this.#codes.set(cell, code);
    return code;
  }
}

/** Returns the name of an expression in errors: its function, where it is a call. */
export function makerOf(expression: Expression): string {
  return expression.kind === "call" ? expression.function : "an expression";
}
