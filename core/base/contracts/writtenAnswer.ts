/** The media types of the host's responses: JSON, and Arrow IPC streams. */
export const jsonType = "application/json";
export const arrowType = "application/vnd.apache.arrow.stream";
export type MediaType = typeof jsonType | typeof arrowType;

/**
 * A response that is written in chunks while it is sent. Handlers resolve to it instead of a JSON value. A failure
 * before the third chunk becomes an ordinary error response. A later failure closes the connection, so that a truncated
 * response never looks complete.
 */
export class WrittenAnswer {
  readonly mediaType: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
  /** Headers of the response in addition to its content type. */
  readonly headers: Readonly<Record<string, string>>;
  /** Number of cells in the response; 0 if the response contains no rows. */
  readonly cellCount: number;
  /** What the answer leaves out and its format cannot say, as sentences. */
  readonly warnings: readonly string[];

  constructor(
    mediaType: string,
    chunks: AsyncIterable<string | Uint8Array>,
    headers: Readonly<Record<string, string>> = {},
    cellCount = 0,
    warnings: readonly string[] = [],
  ) {
    this.mediaType = mediaType;
    this.chunks = chunks;
    this.headers = headers;
    this.cellCount = cellCount;
    this.warnings = warnings;
  }
}
