/** The values of a page in Parquet's encoding DELTA_BINARY_PACKED. */
export interface DeltaValues {
  /** Two 32-bit words per value, low word first. */
  readonly words: Int32Array;
  /** Offset at which the values end. */
  readonly end: number;
}

/**
 * Decodes `count` values from their differences, modulo 2^64. Source:
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/
 * @throws {RangeError} if the bytes are damaged
 */
export function readDelta(bytes: Uint8Array, count: number): DeltaValues {
  const words = new Int32Array(count * 2);
  const reader = new DeltaReader(bytes);
  const blockSize = reader.varint();
  const miniblockCount = reader.varint();
  reader.varint();
  const perMiniblock = blockSize / miniblockCount;
  if (!(perMiniblock >= 8 && perMiniblock % 8 === 0)) throw damaged();
  reader.zigzag();
  let { low, high } = reader;
  if (count > 0) {
    words[0] = low;
    words[1] = high;
  }
  let written = 1;
  while (written < count) {
    reader.zigzag();
    const { low: leastLow, high: leastHigh } = reader;
    const widths = reader.take(miniblockCount);
    for (let miniblock = 0; miniblock < miniblockCount && written < count; miniblock++) {
      const width = bytes[widths + miniblock];
      if (width > 64) throw damaged();
      const start = reader.take((perMiniblock / 8) * width);
      const last = Math.min(written + perMiniblock, count);
      for (let bit = 0; written < last; written++, bit += width) {
        const restLow = reader.bits(start, bit, Math.min(width, 32));
        const restHigh = width > 32 ? reader.bits(start, bit + 32, width - 32) : 0;
        const sum = (low >>> 0) + (leastLow >>> 0) + restLow;
        low = sum | 0;
        high = (high + leastHigh + restHigh + Math.floor(sum / 2 ** 32)) | 0;
        words[written * 2] = low;
        words[written * 2 + 1] = high;
      }
    }
  }
  return { words, end: reader.position };
}

class DeltaReader {
  position = 0;
  low = 0;
  high = 0;
  readonly #view: DataView;
  readonly #length: number;

  constructor(bytes: Uint8Array) {
    // Words are read past the end, so padding is needed.
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes);
    this.#view = new DataView(padded.buffer);
    this.#length = bytes.length;
  }

  /** Reads an unsigned number of at most 31 bits. */
  varint(): number {
    this.#long();
    if (this.high !== 0 || this.low < 0) throw damaged();
    return this.low;
  }

  /** Reads a 64-bit number in zigzag encoding, whose lowest bit is the sign, into `low` and `high`. */
  zigzag(): void {
    this.#long();
    const sign = -(this.low & 1);
    this.low = ((this.low >>> 1) | (this.high << 31)) ^ sign;
    this.high = (this.high >>> 1) ^ sign;
  }

  /** Skips bytes, and returns the offset at which the skipped bytes start. */
  take(sizeBytes: number): number {
    const start = this.position;
    this.position += sizeBytes;
    if (this.position > this.#length) throw damaged();
    return start;
  }

  /** Reads `width` bits, at most 32, as an unsigned number. */
  bits(start: number, bit: number, width: number): number {
    if (width === 0) return 0;
    const at = start + (bit >>> 3);
    const shift = bit & 7;
    let word = this.#view.getUint32(at, true) >>> shift;
    if (shift + width > 32) word |= this.#view.getUint8(at + 4) << (32 - shift);
    return width === 32 ? word >>> 0 : word & ((1 << width) - 1);
  }

  #long(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.position >= this.#length || shift > 63) throw damaged();
      const byte = this.#view.getUint8(this.position++);
      const part = byte & 0x7f;
      if (shift < 32) low |= part << shift;
      if (shift > 32) high |= part << (shift - 32);
      else if (shift === 28) high |= part >>> 4;
      if (byte < 0x80) break;
    }
    this.low = low;
    this.high = high;
  }
}

function damaged(): RangeError {
  return new RangeError("the differences between values are damaged");
}
