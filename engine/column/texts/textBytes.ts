import { putCodePoint } from "./decodeTexts.ts";
import { paddingBytes } from "./hashTexts.ts";

/** Encodes one string at a time as UTF-8, always at the start of the same buffer, for look-ups in a `TextPool`. */
export class TextBytes {
  #bytes = new Uint8Array(256);
  view = new DataView(this.#bytes.buffer);

  /**
   * Writes a string to the start of `view` and returns its length in bytes. A lone surrogate takes three bytes, as in
   * `PackedTexts`.
   */
  write(text: string): number {
    if (text.length * 3 + paddingBytes > this.#bytes.length) {
      this.#bytes = new Uint8Array(text.length * 6 + paddingBytes);
      this.view = new DataView(this.#bytes.buffer);
    }
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      if (unit >= 0x80) return this.#writeRest(text, index);
      bytes[index] = unit;
    }
    return text.length;
  }

  #writeRest(text: string, from: number): number {
    let at = from;
    for (let index = from; index < text.length; index++) {
      const point = text.codePointAt(index) ?? 0;
      if (point > 0xffff) index++;
      at = putCodePoint(this.#bytes, at, point);
    }
    return at;
  }
}
