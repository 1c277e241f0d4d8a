import { backslash, quote } from "../../base/index.ts";

/** Number of bytes at which a chunk is full. Larger strings do not fit into V8's young generation. */
const chunkBytes = 2 ** 16;
/** Size of a buffer, in which the last row of a chunk usually still fits. */
const usualBytes = chunkBytes + 2 ** 12;
const mostWhole = 1e9;
const zero = 0x30;
const tilde = 0x7e;
const none = Buffer.alloc(0);

/** The buffer of the most recent writer, which the next writer reuses. */
let spare: Buffer | undefined;

/**
 * Writes JSON in chunks into reused buffers, so that strings and numbers leave no garbage. When a host answers many
 * large queries at once, collecting the strings of their rows costs more than writing them. A new buffer per chunk
 * would make V8 collect its whole heap.
 */
export class JsonWriter {
  #bytes: Buffer = none;
  #length = 0;
  #isAscii = true;

  /** Whether the written text is large enough to be returned as a chunk. */
  get isFull(): boolean {
    return this.#length >= chunkBytes;
  }

  /** Returns the text that was written since the last call. */
  take(): string {
    const [bytes, length] = [this.#bytes, this.#length];
    const chunk = bytes.toString(this.#isAscii ? "latin1" : "utf8", 0, length);
    if (bytes.length === usualBytes) spare = bytes;
    this.#bytes = none;
    this.#length = 0;
    this.#isAscii = true;
    return chunk;
  }

  /** Writes JSON that is pure ASCII. */
  ascii(json: string): void {
    this.#reserve(json.length);
    const bytes = this.#bytes;
    const start = this.#length;
    for (let index = 0; index < json.length; index++) bytes[start + index] = json.charCodeAt(index);
    this.#length = start + json.length;
  }

  /** Writes JSON that may contain any character. */
  json(json: string): void {
    // A UTF-16 code unit takes up to three bytes.
    this.#reserve(3 * json.length);
    const sizeBytes = this.#bytes.write(json, this.#length);
    this.#length += sizeBytes;
    if (sizeBytes !== json.length) this.#isAscii = false;
  }

  /** Writes a string as `JSON.stringify` does. */
  text(value: string): void {
    this.#reserve(value.length + 2);
    const bytes = this.#bytes;
    let end = this.#length;
    bytes[end++] = quote;
    for (let index = 0; index < value.length; index++) {
      const unit = value.charCodeAt(index);
      if (unit < 0x20 || unit > tilde || unit === quote || unit === backslash)
        return this.json(JSON.stringify(value));
      bytes[end++] = unit;
    }
    bytes[end++] = quote;
    this.#length = end;
  }

  /** Writes a finite number. */
  number(value: number): void {
    if (!(Number.isInteger(value) && value >= 0 && value < mostWhole))
      return this.ascii(String(value));
    let end = this.#length + 1;
    for (let left = value; left >= 10; left = Math.floor(left / 10)) end++;
    this.#reserve(end - this.#length);
    this.#length = end;
    let left = value | 0;
    do {
      const tens = (left / 10) | 0;
      this.#bytes[--end] = zero + left - 10 * tens;
      left = tens;
    } while (left > 0);
  }

  #reserve(sizeBytes: number): void {
    const wanted = this.#length + sizeBytes;
    if (wanted <= this.#bytes.length) return;
    if (this.#length === 0 && spare && wanted <= spare.length) {
      this.#bytes = spare;
      spare = undefined;
      return;
    }
    const bytes = Buffer.allocUnsafeSlow(
      this.#length === 0 && wanted <= usualBytes ? usualBytes : 2 * wanted,
    );
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }
}
