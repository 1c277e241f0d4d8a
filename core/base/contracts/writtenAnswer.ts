/** Media types that an answer may have. */
export const jsonType = "application/json";
export const arrowType = "application/vnd.apache.arrow.stream";
export type MediaType = typeof jsonType | typeof arrowType;

/**
 * An answer that is written a chunk at a time, while it leaves: what a handler resolves to instead of a JSON value. A
 * failure in the first two chunks is answered as any other; one after them ends the connection, so that a cut answer
 * never looks whole.
 */
export class WrittenAnswer {
  readonly mediaType: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Headers of the answer besides its type. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cells of an answer of rows; 0 for others. */
  readonly cellCount: number;

  constructor(
    mediaType: string,
    chunks: AsyncIterable<string | Uint8Array>,
    headers: Readonly<Record<string, string>> = {},
    cellCount = 0,
  ) {
    this.mediaType = mediaType;
    this.chunks = chunks;
    this.headers = headers;
    this.cellCount = cellCount;
  }
}
