import type { PackedTexts } from "../../column/texts/packedTexts.ts";
import { paddingBytes } from "../../column/texts/hashTexts.ts";
import { poolHeadBytes, poolStatus, poolWords } from "../../kernels/decoders.ts";
import type { DecodeMemory } from "./decodeMemory.ts";

/**
 * Strings in the memory of a thread: the address and size of their bytes, and the addresses of two lists, which contain
 * their start and end offsets.
 */
interface TextPlaces {
  readonly source: number;
  readonly sizeBytes: number;
  readonly starts: number;
  readonly ends: number;
}

/** Number of strings, and of their bytes, for which memory is reserved at the start. */
const firstTexts = 64;
const firstTextBytes = 1024;
/** The largest possible end offset. Offsets have 31 bits. */
const largestBytes = 2 ** 31 - 1;

/** Collects the distinct strings of one column in one batch. Uses the decode memory until it is cleared. */
export class TextReader {
  readonly #column: string;
  readonly #memory: DecodeMemory;
  readonly #pool: number;
  /**
   * Codes of strings for which no slot was free, because the strings were chosen to collide. This map is safe from such
   * collisions, because V8 hashes its keys with a random seed.
   */
  readonly #crowded = new Map<string, number>();

  /** Creates a reader. `column` is the column's name, for error messages. */
  constructor(memory: DecodeMemory, column: string) {
    this.#column = column.slice(0, 100);
    this.#memory = memory;
    this.#pool = memory.takeZeros(poolHeadBytes);
    this.#growTexts(firstTexts);
    this.#growBytes(firstTextBytes);
  }

  /** Address of the pool's state. */
  get address(): number {
    return this.#pool;
  }

  /**
   * Writes the codes of `count` strings and returns the address of the codes. `levels` is 0 if no row is null; see
   * `Decoders`.
   */
  read(
    places: TextPlaces,
    levels: number,
    count: number,
    codes = this.#memory.take(count * 4),
  ): number {
    const { decoders, words } = this.#memory;
    const { source, sizeBytes, starts, ends } = places;
    const atRow = (start: number, row: number) => start + row * 4;
    for (let row = 0; ;) {
      row += decoders.internTexts(
        this.#pool,
        source,
        sizeBytes,
        atRow(starts, row),
        atRow(ends, row),
        levels === 0 ? 0 : levels + row,
        count - row,
        atRow(codes, row),
      );
      if (row === count) return codes;
      const code = this.#resolve(places, row);
      if (code === undefined) continue;
      words(atRow(codes, row), 1)[0] = code;
      row++;
    }
  }

  /** Size in bytes of the result of `pack`. */
  get packedBytes(): number {
    return this.#word("usedBytes") + paddingBytes + this.#word("count") * 8;
  }

  /** Returns the strings, without checking whether they are valid UTF-8. */
  pack(hasLoneSurrogates: boolean): PackedTexts {
    const memory = this.#memory;
    const count = this.#word("count");
    const usedBytes = this.#word("usedBytes");
    const bytes = memory.buffers.bytes(usedBytes + paddingBytes).subarray(0, usedBytes);
    bytes.set(memory.bytes(this.#word("bytes"), usedBytes));
    const ends = memory.buffers.words(count);
    ends.set(memory.words(this.#word("ends"), count));
    const hashes = memory.buffers.words(count);
    hashes.set(memory.words(this.#word("hashes"), count));
    return { bytes, ends, hashes, hasLoneSurrogates };
  }

  /** Handles the string at which the kernel stopped. If the kernel cannot find the string, returns its code. */
  #resolve(places: TextPlaces, place: number): number | undefined {
    const { decoders, words, bytes } = this.#memory;
    const status = this.#word("status");
    if (status === poolStatus.outside)
      throw new Error(`a string of the column ${this.#column} is outside its buffer`);
    const start = words(places.starts + place * 4, 1)[0] >>> 0;
    const sizeBytes = (words(places.ends + place * 4, 1)[0] >>> 0) - start;
    if (status === poolStatus.full) {
      this.reserve(sizeBytes);
      return undefined;
    }
    const key = Buffer.from(bytes(places.source + start, sizeBytes)).toString("latin1");
    const found = this.#crowded.get(key);
    if (found !== undefined) return found;
    let code = decoders.addText(this.#pool, places.source + start, sizeBytes);
    if (code < 0) {
      this.reserve(sizeBytes);
      code = decoders.addText(this.#pool, places.source + start, sizeBytes);
    }
    this.#crowded.set(key, code);
    return code;
  }

  /** Reserves memory for one more string of `sizeBytes`. */
  reserve(sizeBytes: number): void {
    if (this.#word("count") === this.#word("countLimit")) this.#growTexts(this.#word("count") * 2);
    if (this.#word("usedBytes") + sizeBytes > this.#word("bytesLimit"))
      this.#growBytes(
        Math.max(
          Math.min(this.#word("bytesLimit") * 2, largestBytes),
          this.#word("usedBytes") + sizeBytes,
        ),
      );
  }

  /** Reserves more memory if less than an eighth is free. */
  reserveAhead(): void {
    const countLimit = this.#word("countLimit");
    const bytesLimit = this.#word("bytesLimit");
    if (this.#word("count") > countLimit * 0.875) this.#growTexts(countLimit * 2);
    if (this.#word("usedBytes") > bytesLimit * 0.875)
      this.#growBytes(Math.min(bytesLimit * 2, largestBytes));
  }

  #growTexts(countLimit: number): void {
    const { decoders, bytes, takeZeros } = this.#memory;
    const count = this.#word("count");
    for (const name of ["ends", "hashes"] as const) this.#move(name, count * 4, countLimit * 4);
    const slotCount = 2 ** Math.ceil(Math.log2(countLimit * 2));
    this.#set("slots", takeZeros(slotCount * 4));
    this.#set("slotMask", slotCount - 1);
    this.#set("countLimit", countLimit);
    for (let code = 0; (code = decoders.rehashTexts(this.#pool, code)) < count; code++) {
      const start = code === 0 ? 0 : this.#endOf(code - 1);
      const text = bytes(this.#word("bytes") + start, this.#endOf(code) - start);
      this.#crowded.set(Buffer.from(text).toString("latin1"), code);
    }
  }

  #growBytes(sizeBytes: number): void {
    if (sizeBytes > largestBytes)
      throw new RangeError(
        `the strings of the column ${this.#column} come to more than 2 GB; send it in parts`,
      );
    this.#move("bytes", this.#word("usedBytes"), sizeBytes);
    this.#set("bytesLimit", sizeBytes);
  }

  /** Moves a list to a larger block. */
  #move(name: "hashes" | "ends" | "bytes", usedBytes: number, sizeBytes: number): void {
    const { take, bytes } = this.#memory;
    const address = take(sizeBytes);
    if (usedBytes > 0) bytes(address, usedBytes).set(bytes(this.#word(name), usedBytes));
    this.#set(name, address);
  }

  #endOf(code: number): number {
    return this.#memory.words(this.#word("ends") + code * 4, 1)[0] >>> 0;
  }

  #word(name: keyof typeof poolWords): number {
    return this.#memory.words(this.#pool, poolHeadBytes / 4)[poolWords[name]] >>> 0;
  }

  #set(name: keyof typeof poolWords, value: number): void {
    this.#memory.words(this.#pool, poolHeadBytes / 4)[poolWords[name]] = value;
  }
}
