/** Values in order of registration. Each key has only one value. */
export class Registered<Value> {
  readonly values: Value[] = [];
  readonly #indices = new Map<string, number>();

  /** Returns the index of the value for a key. Creates the value if the key is new. */
  register(key: string, create: () => Value): number {
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const index = this.values.push(create()) - 1;
    this.#indices.set(key, index);
    return index;
  }
}
