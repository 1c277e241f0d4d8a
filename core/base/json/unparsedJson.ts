/**
 * A member of a body that was left as JSON, because whoever reads it can decode the bytes faster. Only the rows of a
 * large push are left.
 */
export class UnparsedJson {
  /** The JSON in UTF-8. It may be invalid, and so may the UTF-8. */
  readonly bytes: Uint8Array;
  readonly #parse: () => Promise<unknown>;

  constructor(bytes: Uint8Array, parse: () => Promise<unknown>) {
    this.bytes = bytes;
    this.#parse = parse;
  }

  /**
   * Parses the JSON, in slices.
   * @throws {ApiError} REQUEST_NOT_JSON
   */
  parse(): Promise<unknown> {
    return this.#parse();
  }
}
