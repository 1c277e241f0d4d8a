import { EngineError } from "../../errors.ts";
import { putCodePoint } from "../../column/texts/decodeTexts.ts";
import { decoderSlackBytes } from "../../kernels/decoders.ts";
import type { DecodeMemory } from "../decode/decodeMemory.ts";
import { scaleDecimal } from "./scaleDecimal.ts";
import type { TextReader } from "../decode/textReader.ts";

const quote = 34;
const backslash = 92;

/** Maximum number of significant digits: two parts of nine digits each. */
const digitLimit = 18;

/** Initial size of the scratch memory. Most strings with escapes are shorter. */
const usualScratchBytes = 2 ** 16;

/**
 * A cursor over JSON in UTF-8, in the memory of a thread. Each `read` method starts at `position` and moves it to the
 * end of the value.
 */
export class JsonText {
  /** The JSON, followed by zeros. JSON contains no zero byte, so reading stops there. */
  readonly bytes: Uint8Array;
  /** Address of the JSON, and its length in bytes. */
  readonly address: number;
  readonly length: number;
  position = 0;
  /**
   * Location of the string that was read last, without quotes or escapes: `textLength` bytes of `textBytes`, starting
   * at `textFrom`.
   */
  textBytes: Uint8Array;
  textFrom = 0;
  textLength = 0;
  /** Whether the string that was read last contains a lone surrogate. */
  isLone = false;
  readonly #view: DataView;
  readonly #memory: DecodeMemory;
  #scratch: Uint8Array;
  /** Location of one string in the form that `TextReader` reads: start, 0, end, and then its code. */
  readonly #place: Int32Array;

  /** Creates a cursor. A byte order mark is skipped. */
  constructor(memory: DecodeMemory, text: Uint8Array) {
    this.#memory = memory;
    this.address = memory.place(text);
    this.bytes = memory.bytes(this.address, text.length + decoderSlackBytes);
    this.bytes.fill(0, text.length);
    this.#view = new DataView(this.bytes.buffer, this.address, this.bytes.length);
    this.textBytes = this.bytes;
    this.length = text.length;
    this.#scratch = memory.bytes(memory.take(usualScratchBytes), usualScratchBytes);
    this.#place = memory.words(memory.takeZeros(12), 3);
    if (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) this.position = 3;
  }

  /** Scratch memory for unescaped strings. */
  get scratch(): Uint8Array {
    return this.#scratch;
  }

  /** Skips white space and returns the next byte; 0 at the end. */
  next(): number {
    const { bytes } = this;
    let at = this.position;
    let byte = bytes[at];
    while (byte <= 32 && (byte === 32 || byte === 10 || byte === 13 || byte === 9))
      byte = bytes[++at];
    this.position = at;
    return byte;
  }

  /**
   * Reads a number that starts at `position`. Returns an infinity if the number is too large for a double, and never
   * returns NaN.
   */
  readNumber(): number {
    const { bytes } = this;
    const start = this.position;
    const isNegative = bytes[start] === 45;
    let at = isNegative ? start + 1 : start;
    let high = 0;
    let low = 0;
    let digits = 0;
    let digit = bytes[at] - 48;
    if (digit === 0) {
      digit = bytes[++at] - 48;
      if (digit >= 0 && digit <= 9)
        throw this.malformed(at, "a number must not start with 0 before another digit");
    } else {
      if (!(digit >= 0 && digit <= 9)) throw this.unexpected(start);
      while (digit >= 0 && digit <= 9) {
        if (digits < 9) high = high * 10 + digit;
        else if (digits < digitLimit) low = low * 10 + digit;
        digits++;
        digit = bytes[++at] - 48;
      }
    }
    let exponent = 0;
    if (bytes[at] === 46) {
      const point = ++at;
      digit = bytes[at] - 48;
      while (digit >= 0 && digit <= 9) {
        if (digits < 9) high = high * 10 + digit;
        else if (digits < digitLimit) low = low * 10 + digit;
        if (digits > 0 || digit > 0) digits++;
        digit = bytes[++at] - 48;
      }
      if (at === point) throw this.malformed(at, "a number needs a digit after its decimal point");
      exponent = point - at;
    }
    if ((bytes[at] | 32) === 101) {
      const sign = bytes[++at];
      if (sign === 45 || sign === 43) at++;
      const first = at;
      let power = 0;
      digit = bytes[at] - 48;
      while (digit >= 0 && digit <= 9) {
        if (power < 100_000) power = power * 10 + digit;
        digit = bytes[++at] - 48;
      }
      if (at === first) throw this.malformed(at, "a number needs a digit in its exponent");
      exponent += sign === 45 ? -power : power;
    }
    this.position = at;
    if (digits <= digitLimit) {
      const value = scaleDecimal(high, low, digits > 9 ? digits - 9 : 0, exponent);
      if (value === value) return isNegative ? -value : value;
    }
    return Number(this.#latin1(start, at));
  }

  /** Reads a string whose opening quote is at `position`. Its decoded bytes are in `textBytes`. */
  readString(): void {
    const view = this.#view;
    const start = this.position + 1;
    let at = start;
    for (;;) {
      const word = view.getInt32(at, true);
      const quotes = word ^ 0x22222222;
      const backslashes = word ^ 0x5c5c5c5c;
      // Finds the first byte that is a quote, a backslash or below 32 by setting its highest bit. See Hacker's Delight,
      // 6-1.
      const found =
        (((quotes - 0x01010101) & ~quotes) |
          ((backslashes - 0x01010101) & ~backslashes) |
          ((word - 0x20202020) & ~word)) &
        0x80808080;
      if (found !== 0) {
        at += (31 - Math.clz32(found & -found)) >> 3;
        break;
      }
      at += 4;
    }
    if (this.bytes[at] === quote) {
      this.textBytes = this.bytes;
      this.textFrom = start;
      this.textLength = at - start;
      this.isLone = false;
      this.position = at + 1;
    } else this.#readEscaped(start, at);
  }

  /** Skips the literal `word`. */
  readLiteral(word: "null" | "true" | "false"): void {
    const { bytes, position } = this;
    for (let index = 0; index < word.length; index++)
      if (bytes[position + index] !== word.charCodeAt(index)) throw this.unexpected(position);
    this.position = position + word.length;
  }

  /** Sets a string, which later calls treat as the string that was read last. */
  write(text: string): void {
    const scratch =
      this.#scratch.length < text.length * 3 ? this.#grow(text.length * 3, 0) : this.#scratch;
    let length = 0;
    for (const character of text)
      length = putCodePoint(scratch, length, character.codePointAt(0) ?? 0);
    this.#setText(length, false);
  }

  /** Returns the code of the string that was read last. */
  intern(texts: TextReader): number {
    const place = this.#place;
    place[1] = this.textLength;
    const { byteOffset } = place;
    texts.read(
      {
        source: this.textBytes.byteOffset + this.textFrom,
        sizeBytes: this.textLength,
        starts: byteOffset,
        ends: byteOffset + 4,
      },
      0,
      1,
      byteOffset + 8,
    );
    return place[2];
  }

  /** Returns the error for an unexpected byte at a position. */
  unexpected(at: number): EngineError {
    if (at >= this.length)
      return this.malformed(this.length, "it ends too early; send the whole array");
    const byte = this.bytes[at];
    const shown = byte > 32 && byte < 127 ? String.fromCharCode(byte) : `byte ${byte}`;
    const rest = this.#latin1(at, Math.min(at + 8, this.length));
    if (/^(-?Inf|NaN)/.test(rest))
      return this.malformed(at, "NaN and infinities are not JSON; send null");
    return this.malformed(at, `unexpected ${shown}`);
  }

  malformed(at: number, reason: string): EngineError {
    if (at >= this.length)
      return this.#malformedAt(this.length, "it ends too early; send the whole array");
    return this.#malformedAt(at, reason);
  }

  #malformedAt(at: number, reason: string): EngineError {
    return new EngineError("INGEST_MALFORMED", ["JSON", at, reason]);
  }

  #readEscaped(start: number, escapeAt: number): void {
    const { bytes } = this;
    let scratch = this.#scratch;
    let count = escapeAt - start;
    if (scratch.length < count + 16) scratch = this.#grow(count + 16, 0);
    scratch.set(bytes.subarray(start, escapeAt));
    let at = escapeAt;
    let isLone = false;
    for (;;) {
      if (scratch.length < count + 16) scratch = this.#grow(count + 16, count);
      const byte = bytes[at];
      if (byte === quote) break;
      if (byte < 32)
        throw this.malformed(
          at,
          `a string contains the control byte ${byte}, which must be escaped`,
        );
      if (byte !== backslash) {
        scratch[count++] = byte;
        at++;
        continue;
      }
      const escaped = bytes[at + 1];
      if (escaped !== 117) {
        const plain = unescape(escaped);
        if (plain === 0)
          throw this.malformed(at + 1, "a string has an escape that JSON does not define");
        scratch[count++] = plain;
        at += 2;
        continue;
      }
      let point = this.#readHex(at + 2);
      at += 6;
      if (point >= 0xd800 && point < 0xdc00 && bytes[at] === backslash && bytes[at + 1] === 117) {
        const low = this.#readHex(at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
          point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
          at += 6;
        }
      }
      if (point >= 0xd800 && point < 0xe000) isLone = true;
      count = putCodePoint(scratch, count, point);
    }
    this.#setText(count, isLone);
    this.position = at + 1;
  }

  #readHex(from: number): number {
    let value = 0;
    for (let at = from; at < from + 4; at++) {
      const byte = this.bytes[at];
      const digit =
        byte >= 48 && byte <= 57
          ? byte - 48
          : (byte | 32) >= 97 && (byte | 32) <= 102
            ? (byte | 32) - 87
            : -1;
      if (digit < 0) throw this.malformed(at, "a string has \\u without four hexadecimal digits");
      value = value * 16 + digit;
    }
    return value;
  }

  #latin1(from: number, to: number): string {
    return Buffer.from(this.bytes.buffer, this.address + from, to - from).toString("latin1");
  }

  #setText(length: number, isLone: boolean): void {
    this.textBytes = this.#scratch;
    this.textFrom = 0;
    this.textLength = length;
    this.isLone = isLone;
  }

  /** Enlarges the scratch memory to twice the needed size. */
  #grow(needed: number, kept: number): Uint8Array {
    const larger = this.#memory.bytes(this.#memory.take(needed * 2), needed * 2);
    larger.set(this.#scratch.subarray(0, kept));
    this.#scratch = larger;
    return larger;
  }
}

/** Returns the character for the escape `\x`; 0 if there is no such escape. */
function unescape(byte: number): number {
  switch (byte) {
    case quote:
    case backslash:
    case 47:
      return byte;
    case 98:
      return 8;
    case 102:
      return 12;
    case 110:
      return 10;
    case 114:
      return 13;
    case 116:
      return 9;
    default:
      return 0;
  }
}
