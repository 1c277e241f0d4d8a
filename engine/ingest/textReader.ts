import { isUtf8 } from "node:buffer";
import { EngineError } from "../errors.ts";
import type { EncodedVector } from "./messages.ts";
import { paddingBytes, TextPool } from "../column/textPool.ts";

/** Bytes in which texts lie, with `paddingBytes` readable behind them. */
export interface TextSource {
  readonly view: DataView;
  readonly length: number;
}

/** Makes sure that words may be read behind the end of bytes; copies them when they may not. */
export function openSource(bytes: Uint8Array): TextSource {
  const { buffer, byteOffset, length } = bytes;
  if (byteOffset + length + paddingBytes <= buffer.byteLength)
    return { view: new DataView(buffer, byteOffset, length + paddingBytes), length };
  const padded = new Uint8Array(length + paddingBytes);
  padded.set(bytes);
  return { view: new DataView(padded.buffer), length };
}

/** Texts that room is made for before they come: a file may promise more than it holds. */
const largestRoom = 2 ** 17;

/** Interns texts of a file for one column of one batch. */
export class TextReader {
  readonly #what: string;
  readonly #pool: TextPool;

  /** `what` is the kind of file, for messages; `expectedCount` texts are about as many as will come. */
  constructor(what: string, expectedCount = 0) {
    this.#what = what;
    this.#pool = new TextPool(Math.min(expectedCount, largestRoom));
  }

  /** Returns the code of the text from `start` to `end` of `source`. */
  read(source: TextSource, start: number, end: number): number {
    if (!(start >= 0 && end >= start && end <= source.length))
      throw new EngineError("INGEST_UNREADABLE", [this.#what, "a text lies outside of its buffer"]);
    return this.#pool.intern(source.view, start, end - start);
  }

  /** Gives the column away. The texts are UTF-8 when all of them together are, and none starts within a character. */
  finish(codes: Int32Array<ArrayBuffer>): EncodedVector {
    const texts = this.#pool.pack();
    const { bytes, ends } = texts;
    if (!isUtf8(bytes) || ends.some((end) => end < bytes.length && (bytes[end] & 0xc0) === 0x80))
      throw new EngineError("INGEST_UNREADABLE", [this.#what, "a text is not UTF-8"]);
    return { type: "text", codes, texts };
  }
}
