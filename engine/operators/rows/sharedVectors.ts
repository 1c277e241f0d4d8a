/**
 * The vectors that equal expressions share. Expressions are numbered: equal expressions have equal numbers, and the
 * text of an expression refers to its parts by their numbers. Numbering is therefore linear in the number of distinct
 * parts.
 */
export class SharedVectors<Vector> {
  readonly #numberByObject = new Map<object, number>();
  readonly #numberByText = new Map<string, number>();
  readonly #vectors = new Map<string, Vector>();

  /**
   * Returns the vector of an expression in a form, such as its codes, and compiles it if there is none. Keys, filters
   * and aggregates thus compute equal expressions once for each set of active rows.
   */
  share(form: string, of: object, compile: () => Vector): Vector {
    const key = `${form} ${this.#numberOf(of)}`;
    const known = this.#vectors.get(key);
    if (known !== undefined) return known;
    const compiled = compile();
    this.#vectors.set(key, compiled);
    return compiled;
  }

  #numberOf(of: object): number {
    const known = this.#numberByObject.get(of);
    if (known !== undefined) return known;
    // Tables are compared by identity.
    const text = ArrayBuffer.isView(of) ? `table ${this.#numberByObject.size}` : this.#textOf(of);
    const number = this.#numberByText.get(text) ?? this.#numberByText.size;
    this.#numberByText.set(text, number);
    this.#numberByObject.set(of, number);
    return number;
  }

  #textOf(of: object): string {
    if (of instanceof Set) return `set ${[...of].map((part) => this.#partOf(part)).join()}`;
    const parts = Object.entries(of).map(([name, part]) => `${name}:${this.#partOf(part)}`);
    return `${Array.isArray(of) ? "list" : "object"} ${parts.join()}`;
  }

  #partOf(part: unknown): string {
    if (typeof part === "object" && part !== null) return `#${this.#numberOf(part)}`;
    if (typeof part === "string") return JSON.stringify(part);
    return Object.is(part, -0) ? "-0" : String(part);
  }
}
