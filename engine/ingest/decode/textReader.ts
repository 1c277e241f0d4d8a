import { isAscii, isUtf8 } from "node:buffer";
import type { PackedTexts } from "../../column/texts/packedTexts.ts";
import { paddingBytes } from "../../column/texts/textPool.ts";
import { EngineError } from "../../errors.ts";
import { poolHeadBytes, poolStatus, poolWords } from "../../kernels/decoders.ts";
import type { DecodeMemory } from "./decodeMemory.ts";
import type { EncodedVector } from "../../column/encodedVector.ts";

/** Where texts lie in the memory of a thread: addresses, of lists of places in the source. */
export interface TextPlaces {
  readonly source: number;
  readonly sizeBytes: number;
  readonly starts: number;
  readonly ends: number;
}

/** Texts that room is made for before they come: a file may promise more than it holds. */
const largestRoom = 2 ** 18;
const usualTextBytes = 16;
/** An end is a number of 31 bits. */
const largestBytes = 2 ** 31 - 1;

/** Interns texts of a file for one column of one batch. What it takes of the memory stays until the memory is cleared. */
export class TextReader {
  readonly #what: string;
  readonly #column: string;
  readonly #memory: DecodeMemory;
  readonly #pool: number;
  /** Codes of texts that found no slot, which takes texts chosen to collide; V8 hashes them with a seed of its own. */
  readonly #crowded = new Map<string, number>();

  /** `what` is the kind of file and `column` the name, for messages; `expectedCount` texts are about as many as will come. */
  constructor(memory: DecodeMemory, what: string, column: string, expectedCount = 0) {
    this.#what = what;
    this.#column = column.slice(0, 100);
    this.#memory = memory;
    this.#pool = memory.takeZeros(poolHeadBytes);
    const room = Math.max(64, Math.min(expectedCount, largestRoom));
    this.#growTexts(room);
    this.#growBytes(room * usualTextBytes);
  }

  /** Where the state of the pool lies. */
  get address(): number {
    return this.#pool;
  }

  /** Writes the codes of `count` texts to an address, which is returned; `levels` are those of `Decoders`. */
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

  /** As `read`, of texts by their indices; `known` is a list of one word an entry, 0 at first and 1 for a null one. */
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
      // The kernel comes by here again and finds it known.
      if (code !== undefined) words(known + entry * 4, 1)[0] = code + 2;
    }
  }

  /** Gives the column away. The texts are UTF-8 when all of them together are, and none starts within a character. */
  finish(codes: Int32Array): EncodedVector {
    const texts = this.pack(false);
    const { bytes, ends } = texts;
    if (
      !isAscii(bytes) &&
      (!isUtf8(bytes) || ends.some((end) => end < bytes.length && (bytes[end] & 0xc0) === 0x80))
    )
      throw this.#unreadable("a text is not UTF-8");
    return { type: "text", codes, texts };
  }

  /** Bytes of what `pack` gives. */
  get packedBytes(): number {
    return this.#word("usedBytes") + paddingBytes + this.#word("count") * 8;
  }

  /** Gives the texts away as they are. */
  pack(hasLoneSurrogates: boolean): PackedTexts {
    const memory = this.#memory;
    const count = this.#word("count");
    const usedBytes = this.#word("usedBytes");
    const bytes = memory.room.bytes(usedBytes + paddingBytes).subarray(0, usedBytes);
    bytes.set(memory.bytes(this.#word("bytes"), usedBytes));
    const ends = memory.room.words(count);
    ends.set(memory.words(this.#word("ends"), count));
    const hashes = memory.room.words(count);
    hashes.set(memory.words(this.#word("hashes"), count));
    return { bytes, ends, hashes, hasLoneSurrogates };
  }

  /** Lets interning go on after the text of a place. Returns its code when it had to be found here. */
  #resolve(places: TextPlaces, place: number): number | undefined {
    const { decoders, words, bytes } = this.#memory;
    const status = this.#word("status");
    if (status === poolStatus.outsideDictionary)
      throw this.#unreadable(`the column ${this.#column} names an entry that its dictionary lacks`);
    if (status === poolStatus.outside) throw this.#unreadable("a text lies outside of its buffer");
    const start = words(places.starts + place * 4, 1)[0] >>> 0;
    const sizeBytes = (words(places.ends + place * 4, 1)[0] >>> 0) - start;
    if (status === poolStatus.full) {
      this.makeRoom(sizeBytes);
      return undefined;
    }
    const key = Buffer.from(bytes(places.source + start, sizeBytes)).toString("latin1");
    const found = this.#crowded.get(key);
    if (found !== undefined) return found;
    let code = decoders.addText(this.#pool, places.source + start, sizeBytes);
    if (code < 0) {
      this.makeRoom(sizeBytes);
      code = decoders.addText(this.#pool, places.source + start, sizeBytes);
    }
    this.#crowded.set(key, code);
    return code;
  }

  #unreadable(reason: string): EngineError {
    return new EngineError("INGEST_UNREADABLE", [this.#what, reason]);
  }

  /** Makes room for one text more, of a size. */
  makeRoom(sizeBytes: number): void {
    if (this.#word("count") === this.#word("countLimit")) this.#growTexts(this.#word("count") * 2);
    if (this.#word("usedBytes") + sizeBytes > this.#word("bytesLimit"))
      this.#growBytes(
        Math.max(
          Math.min(this.#word("bytesLimit") * 2, largestBytes),
          this.#word("usedBytes") + sizeBytes,
        ),
      );
  }

  /** Makes room for more when less than an eighth is free. */
  makeRoomAhead(): void {
    const countLimit = this.#word("countLimit");
    const bytesLimit = this.#word("bytesLimit");
    if (this.#word("count") > countLimit * 0.875) this.#growTexts(countLimit * 2);
    if (this.#word("usedBytes") > bytesLimit * 0.875)
      this.#growBytes(Math.min(bytesLimit * 2, largestBytes));
  }

  #growTexts(room: number): void {
    const { decoders, bytes, takeZeros, keep } = this.#memory;
    const count = this.#word("count");
    for (const name of ["ends", "hashes"] as const) this.#move(name, count * 4, room * 4);
    const slotCount = 2 ** Math.ceil(Math.log2(room * 2));
    this.#set("slots", takeZeros(slotCount * 4));
    keep();
    this.#set("slotMask", slotCount - 1);
    this.#set("countLimit", room);
    for (let code = 0; (code = decoders.rehashTexts(this.#pool, code)) < count; code++) {
      const start = code === 0 ? 0 : this.#endOf(code - 1);
      const text = bytes(this.#word("bytes") + start, this.#endOf(code) - start);
      this.#crowded.set(Buffer.from(text).toString("latin1"), code);
    }
  }

  #growBytes(sizeBytes: number): void {
    if (sizeBytes > largestBytes) throw new RangeError("texts of a column come to more than 2 GB");
    this.#move("bytes", this.#word("usedBytes"), sizeBytes);
    this.#set("bytesLimit", sizeBytes);
  }

  /** Moves what a word points at to a larger block, which stays. */
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
