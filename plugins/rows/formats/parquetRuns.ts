/** Maximum bits of a number that four bytes contain, whatever bit of the first byte it begins at. */
const mostWordBits = 25;

/**
 * Reads integers in Parquet's hybrid of runs and packed bits, block by block. A run of any length takes no memory.
 * Source: github.com/apache/parquet-format, Encodings.md, "Run Length Encoding / Bit-Packing Hybrid".
 */
export class ParquetRuns {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #bitWidth: number;
  #at: number;
  /** Number of values that remain in a run, and the value that they all have. */
  #repeatedCount = 0;
  #repeated = 0;
  /**
   * Number of packed values that remain, the bit at which the next of them begins, and the byte at which the bits
   * begin.
   */
  #packedCount = 0;
  #packedBit = 0;
  #packedStart = 0;

  /**
   * Opens the numbers in a range of bytes.
   * @throws {Error} for a width of more than 32 bits, or an end beyond the bytes
   */
  constructor(bytes: Uint8Array, from: number, end: number, bitWidth: number) {
    if (!(from >= 0 && from <= end && end <= bytes.length))
      throw new Error("a page declares more bytes than it has");
    if (bitWidth > 32)
      throw new Error(`a page has numbers of ${bitWidth} bits, above the maximum of 32`);
    this.#bytes = bytes;
    this.#at = from;
    this.#end = end;
    this.#bitWidth = bitWidth;
  }

  /**
   * Returns the next `count` numbers.
   * @throws {Error} if fewer numbers remain
   */
  read(count: number): Int32Array {
    const numbers = new Int32Array(count);
    for (let from = 0; from < count;) {
      if (this.#repeatedCount === 0 && this.#packedCount === 0) this.#openRun();
      const size = Math.min(count - from, this.#repeatedCount || this.#packedCount);
      if (this.#repeatedCount > 0) {
        numbers.fill(this.#repeated, from, from + size);
        this.#repeatedCount -= size;
      } else {
        this.#unpack(numbers, from, size);
        this.#packedCount -= size;
      }
      from += size;
    }
    return numbers;
  }

  /**
   * Checks that nothing follows the last number of the page.
   * @throws {Error} if a run continues after this number, because a library would continue to read the run
   */
  checkEnd(): void {
    if (this.#bitWidth > 0 && this.#repeatedCount > 0)
      throw new Error("a page has a run of more values than it declares");
  }

  #openRun(): void {
    const bitWidth = this.#bitWidth;
    if (bitWidth === 0) {
      // A dictionary with one value needs no bytes at all.
      this.#repeatedCount = Number.MAX_SAFE_INTEGER;
      return;
    }
    let head = 0;
    for (let shift = 0; ; shift += 7) {
      const part = this.#nextByte();
      head += (part & 0x7f) * 2 ** shift;
      if (!(part & 0x80)) break;
      if (shift > 35) throw new Error("a page has a run of more than 2^42 values");
    }
    if (head % 2 === 1) {
      this.#packedCount = 8 * ((head - 1) / 2);
      this.#packedBit = 0;
      this.#packedStart = this.#at;
      // The last group may be truncated after the last value that the page declares.
      this.#at += bitWidth * ((head - 1) / 2);
      return;
    }
    this.#repeatedCount = head / 2;
    this.#repeated = 0;
    for (let shift = 0; shift < bitWidth; shift += 8) this.#repeated |= this.#nextByte() << shift;
  }

  #unpack(numbers: Int32Array, from: number, count: number): void {
    const bitWidth = this.#bitWidth;
    const bytes = this.#bytes;
    let done = 0;
    if (bitWidth <= mostWordBits) {
      const mask = (1 << bitWidth) - 1;
      const start = this.#packedStart;
      const lastWord = this.#end - 4;
      let bit = this.#packedBit;
      for (; done < count; done++) {
        const at = start + (bit >> 3);
        if (at > lastWord) break;
        const word =
          bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
        numbers[from + done] = (word >>> (bit & 7)) & mask;
        bit += bitWidth;
      }
      this.#packedBit = bit;
    }
    for (let index = done; index < count; index++) {
      let number = 0;
      for (let bit = 0; bit < bitWidth;) {
        const place = this.#packedBit + bit;
        const at = this.#packedStart + (place >> 3);
        if (at >= this.#end) throw new Error("a page has fewer values than it declares");
        const offset = place & 7;
        const size = Math.min(8 - offset, bitWidth - bit);
        number |= ((this.#bytes[at]! >> offset) & ((1 << size) - 1)) << bit;
        bit += size;
      }
      numbers[from + index] = number;
      this.#packedBit += bitWidth;
    }
  }

  #nextByte(): number {
    if (this.#at >= this.#end) throw new Error("a page has fewer values than it declares");
    return this.#bytes[this.#at++]!;
  }
}
