import { isAscii, isUtf8 } from "node:buffer";
import type { PackedTexts } from "../../column/texts/packedTexts.ts";
import { paddingBytes } from "../../column/texts/hashTexts.ts";
import { EngineError } from "../../errors.ts";
import { poolHeadBytes, poolStatus, poolWords } from "../../kernels/decoders.ts";
import type { DecodeMemory } from "./decodeMemory.ts";
import type { EncodedBatchColumn } from "../../column/encodedBatchColumn.ts";

/**
 * Strings in the memory of a thread: the address and size of their bytes, and the addresses of two lists, which contain
 * their start and end offsets.
 */
export interface TextPlaces {
  readonly source: number;
  readonly sizeBytes: number;
  readonly starts: number;
  readonly ends: number;
}

/**
 * Maximum number of strings for which memory is reserved at the start, because a file may claim more strings than it
 * contains.
 */
const mostReservedTexts = 2 ** 18;
const usualTextBytes = 16;
/** The largest possible end offset. Offsets have 31 bits. */
const largestBytes = 2 ** 31 - 1;

/** Collects the distinct strings of one column in one batch. Uses the decode memory until it is cleared. */
export class TextReader {
  readonly #what: string;
  readonly #column: string;
  readonly #memory: DecodeMemory;
  readonly #pool: number;
  /**
   * Codes of strings for which no slot was free, because the strings were chosen to collide. This map is safe from such
   * collisions, because V8 hashes its keys with a random seed.
   */
  readonly #crowded = new Map<string, number>();

  /**
   * Creates a reader. For error messages, `what` is the kind of file, and `column` is the column's name.
   * `expectedCount` is an estimate of the number of distinct strings.
   */
  constructor(memory: DecodeMemory, what: string, column: string, expectedCount = 0) {
    this.#what = what;
    this.#column = column.slice(0, 100);
    this.#memory = memory;
    this.#pool = memory.takeZeros(poolHeadBytes);
    const count = Math.max(64, Math.min(expectedCount, mostReservedTexts));
    this.#growTexts(count);
    this.#growBytes(count * usualTextBytes);
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

  /**
   * Like `read`, for indices into a list of strings. `known` has one word per entry, which is initially 1 for a null
   * entry and 0 for other entries.
   */
  readIndexed(
    places: TextPlaces,
    known: number,
    entryCount: number,
    indices: number,
    levels: number,
    count: number,
  ): number {
    const { decoders, take, words } = this.#memory;
    const { source, sizeBytes, starts, ends } = places;
    const codes = take(count * 4);
    for (let row = 0; ;) {
      row += decoders.internIndexed(
        this.#pool,
        source,
        sizeBytes,
        starts,
        ends,
        known,
        entryCount,
        indices + row * 4,
        levels === 0 ? 0 : levels + row,
        count - row,
        codes + row * 4,
      );
      if (row === count) return codes;
      const entry = words(indices + row * 4, 1)[0];
      const code = this.#resolve(places, entry);
      // When the kernel resumes at this row, it finds the code in `known`.
      if (code !== undefined) words(known + entry * 4, 1)[0] = code + 2;
    }
  }

  /**
   * Returns the finished column.
   * @throws {EngineError} INGEST_UNREADABLE if a string is not UTF-8
   */
  finish(codes: Int32Array): EncodedBatchColumn {
    const texts = this.pack(false);
    const { bytes, ends } = texts;
    // The concatenated bytes are UTF-8 and no string starts within a character, so each string is UTF-8 too.
    if (
      !isAscii(bytes) &&
      (!isUtf8(bytes) || ends.some((end) => end < bytes.length && (bytes[end] & 0xc0) === 0x80))
    )
      throw this.#unreadable(`the column ${this.#column} has a string that is not UTF-8`);
    return { type: "text", codes, texts };
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
    if (status === poolStatus.outsideDictionary)
      throw this.#unreadable(
        `the column ${this.#column} refers to an entry that its dictionary does not have`,
      );
    if (status === poolStatus.outside)
      throw this.#unreadable(`a string of the column ${this.#column} is outside its buffer`);
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

  #unreadable(reason: string): EngineError {
    return new EngineError("INGEST_UNREADABLE", [this.#what, reason]);
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
    const { decoders, bytes, takeZeros, keep } = this.#memory;
    const count = this.#word("count");
    for (const name of ["ends", "hashes"] as const) this.#move(name, count * 4, countLimit * 4);
    const slotCount = 2 ** Math.ceil(Math.log2(countLimit * 2));
    this.#set("slots", takeZeros(slotCount * 4));
    keep();
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
        `the strings of the column ${this.#column} come to more than 2 GB in one batch; write smaller row groups or record batches`,
      );
    this.#move("bytes", this.#word("usedBytes"), sizeBytes);
    this.#set("bytesLimit", sizeBytes);
  }

  /** Moves a list to a larger block that `keep` protects. */
  #move(name: "hashes" | "ends" | "bytes", usedBytes: number, sizeBytes: number): void {
    const { take, keep, bytes } = this.#memory;
    const address = take(sizeBytes);
    if (usedBytes > 0) bytes(address, usedBytes).set(bytes(this.#word(name), usedBytes));
    this.#set(name, address);
    keep();
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
