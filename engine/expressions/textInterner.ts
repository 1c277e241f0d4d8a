import type { Cell } from "./scalarFunction.ts";

/** Distinct texts as they come; the stored code of a text is its place of arrival plus one, 0 is null. */
export class TextInterner {
  readonly #codes = new Map<string, number>();
  readonly #texts: string[] = [];

  get texts(): readonly string[] {
    return this.#texts;
  }

  codeOf(cell: Cell): number {
    if (typeof cell !== "string") return 0;
    const known = this.#codes.get(cell);
    if (known !== undefined) return known;
    const code = this.#texts.push(cell);
    this.#codes.set(cell, code);
    return code;
  }
}
