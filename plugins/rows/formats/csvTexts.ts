import type { Utf8Texts } from "../../protocol/index.ts";
import { columnWords, csvStatus, slackBytes, type CsvKernel } from "./csvKernel.ts";

/** Initial space for strings in bytes. A file may have ten thousand columns, so it is small. */
const firstBytes = 2 ** 10;

/** The distinct strings of a column of separated values. The kernel adds them to its memory. */
export class CsvTexts {
  readonly #kernel: CsvKernel;
  /** Address of the column. */
  readonly #column: number;
  readonly #slotBytes: number;
  #scratch = 0;
  #scratchBytes = 0;

  /** `mostCount` is the maximum number of strings. */
  constructor(kernel: CsvKernel, column: number, mostCount: number) {
    this.#kernel = kernel;
    this.#column = column;
    const slotCount = 2 ** Math.ceil(Math.log2(2 * mostCount));
    this.#slotBytes = slotCount * 8;
    this.#set("slots", kernel.take(this.#slotBytes));
    this.#set("slotMask", slotCount - 1);
    this.#set("ends", kernel.take(mostCount * 4));
    this.#set("countLimit", mostCount);
    this.#set("bytes", kernel.take(firstBytes));
    this.#set("bytesLimit", firstBytes);
  }

  get usedBytes(): number {
    return this.#get("usedBytes");
  }

  /** The strings. The arrays are valid until the next string is added. */
  get texts(): Utf8Texts {
    const { bytes, words } = this.#kernel;
    const from = this.#get("bytes");
    const ends = this.#get("ends") / 4;
    return {
      bytes: bytes.subarray(from, from + this.usedBytes),
      ends: words.subarray(ends, ends + this.#get("count")),
    };
  }

  /** Removes all strings. */
  clear(): void {
    const slots = this.#get("slots");
    if (this.#get("count") > 0) this.#kernel.bytes.fill(0, slots, slots + this.#slotBytes);
    this.#set("count", 0);
    this.#set("usedBytes", 0);
  }

  /** Returns the code of the string of `length` bytes at `from`, and adds the string if it is new. */
  codeOf(source: DataView, from: number, length: number): number {
    const kernel = this.#kernel;
    if (length > this.#scratchBytes) {
      this.#scratchBytes = 2 * length;
      this.#scratch = kernel.take(this.#scratchBytes);
    } else this.#scratch ||= kernel.take(0);
    kernel.bytes.set(
      new Uint8Array(source.buffer, source.byteOffset + from, length),
      this.#scratch,
    );
    for (;;) {
      const code = kernel.internCsvText(kernel.state, this.#column, this.#scratch, length);
      if (code >= 0) return code;
      this.grow(length);
    }
  }

  /** Adds space for a string of `length` bytes. */
  grow(length: number): void {
    const before = this.#get("bytesLimit");
    const used = this.usedBytes;
    if (length <= before - used) throw new Error(`status ${csvStatus.textsFull} without a reason`);
    const limit = Math.max(before * 2, used + length + slackBytes);
    const to = this.#kernel.take(limit);
    const from = this.#get("bytes");
    this.#kernel.bytes.copyWithin(to, from, from + used);
    this.#set("bytes", to);
    this.#set("bytesLimit", limit);
  }

  #get(member: keyof typeof columnWords): number {
    return this.#kernel.words[this.#column / 4 + columnWords[member]]!;
  }

  #set(member: keyof typeof columnWords, value: number): void {
    this.#kernel.words[this.#column / 4 + columnWords[member]] = value;
  }
}
