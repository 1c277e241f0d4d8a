import { vectorSize } from "../../kernels/kernels.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";
import type { PairChunk, PairKeys, PairPart } from "./pairParts.ts";
import { UniquePairs } from "./uniquePairs.ts";

/** Number of pairs in an area that are moved to the lists together. */
const movedPairs = 1024;
/** Number of pairs for which an area has room. Kernels may overwrite one pair after the last one. */
const areaPairs = movedPairs + vectorSize + 1;
/** Number of pairs in the first and in the largest chunks of a list. Chunks double in size. */
const firstPairs = 2 ** 12;
const mostPairs = 2 ** 16;
/** Number of pairs in the kernels' table of pairs that were seen recently. */
const seenPairs = 2048;
/** Number of recorded pairs from which duplicates are removed. */
const leastSweep = 2 ** 23;

interface RecorderOptions {
  /** How pairs become keys; undefined if values stay doubles. */
  readonly keys: PairKeys | undefined;
  /** Whether pairs are divided by hash, or by ranges of groups. Keys are always divided by their hash. */
  readonly by: "hash" | "group";
  /** Binary logarithm of the number of parts. */
  readonly partBits: number;
  /** The shift that divides group numbers into parts. It only applies to ranges of groups. */
  readonly groupShift: number;
  /** Number of recorded pairs from which duplicates are removed. */
  readonly sweepCount?: number;
}

/** Records pairs of group and value in parts, so that each part can be counted in the cache of a thread. */
export class PairRecorder {
  readonly #heap: Heap;
  readonly #options: RecorderOptions;
  readonly #lists: readonly PairList[];
  #limit: number;
  #areas: PairAreas | undefined;

  constructor(heap: Heap, options: RecorderOptions) {
    const { partBits, keys, sweepCount = leastSweep } = options;
    this.#heap = heap;
    this.#options = options;
    this.#limit = sweepCount;
    this.#lists = Array.from({ length: 2 ** partBits }, () => new PairList(!keys));
  }

  /**
   * Adds the pairs of at most `vectorSize` rows. `groups` and `values` are vectors in the heap; `addend` is added to
   * the groups.
   */
  add(groups: number, values: number, rowCount: number, addend: number): void {
    const { keys, by, partBits, groupShift } = this.#options;
    const { cursors, words, doubles, seen } = (this.#areas ??= this.#openAreas());
    const { kernels, u32 } = this.#heap.arena;
    const hashShift = 32 - partBits;
    if (keys?.base !== undefined)
      kernels.scatterWhole(
        groups,
        values,
        rowCount,
        addend,
        keys.base,
        keys.groupBits,
        hashShift,
        cursors,
        words,
        areaPairs,
        seen,
      );
    else if (keys)
      kernels.scatterKeys(
        groups,
        values,
        rowCount,
        addend,
        hashShift,
        cursors,
        words,
        areaPairs,
        seen,
      );
    else {
      const isHashed = by === "hash";
      const shift = isHashed ? hashShift : groupShift;
      kernels.scatterDoubles(
        groups,
        values,
        rowCount,
        addend,
        isHashed ? 1 : 0,
        shift,
        cursors,
        words,
        doubles,
        areaPairs,
        seen,
      );
    }
    const at = cursors / 4;
    for (let part = 0; part < this.#lists.length; part++)
      if (u32[at + part] >= movedPairs) this.#move(part);
    if (by === "hash" && this.#count() >= this.#limit) this.#sweep();
  }

  /** Returns the pairs of each part. Call it once, after all rows. */
  take(): readonly PairPart[] {
    if (this.#areas) for (let part = 0; part < this.#lists.length; part++) this.#move(part);
    return this.#lists.map((list) => list.take());
  }

  #openAreas(): PairAreas {
    const partCount = this.#lists.length;
    const areDoubles = !this.#options.keys;
    const wordBytes = areDoubles ? 4 : 8;
    const areas = {
      cursors: this.#heap.reserve(partCount * 4),
      words: this.#heap.reserve(partCount * areaPairs * wordBytes),
      doubles: areDoubles ? this.#heap.reserve(partCount * areaPairs * 8) : 0,
      seen: this.#heap.reserve(seenPairs * 16),
    };
    const { u32, u8 } = this.#heap.arena;
    // No pair that is recorded has a code of 0, and none has the number with these bits, which is NaN.
    const unused = areDoubles ? 255 : 0;
    u8.fill(unused, areas.seen, areas.seen + seenPairs * 16);
    u32.fill(0, areas.cursors / 4, areas.cursors / 4 + partCount);
    return areas;
  }

  /** Moves the pairs in the area of a part to its list. */
  #move(part: number): void {
    if (!this.#areas) return;
    const { cursors, words, doubles } = this.#areas;
    const { u32, f64 } = this.#heap.arena;
    const count = u32[cursors / 4 + part];
    u32[cursors / 4 + part] = 0;
    const areDoubles = !this.#options.keys;
    const width = areDoubles ? 1 : 2;
    const from = words / 4 + part * areaPairs * width;
    const first = doubles / 8 + part * areaPairs;
    this.#lists[part].add(
      u32.subarray(from, from + count * width),
      areDoubles ? f64.subarray(first, first + count) : undefined,
    );
  }

  #count(): number {
    let count = 0;
    for (const list of this.#lists) count += list.count;
    return count;
  }

  /** Removes duplicate pairs from the lists. */
  #sweep(): void {
    const top = this.#heap.top;
    for (const list of this.#lists) {
      endIfCancelled();
      const unique = new UniquePairs(this.#heap, this.#options.keys);
      unique.add(list.take());
      const { words, values } = unique.pairs();
      list.add(words, values);
      this.#heap.releaseTo(top);
    }
    this.#limit = Math.max(this.#limit, this.#count() * 2);
  }
}

/** Addresses of the areas of all parts in the heap. */
interface PairAreas {
  /** Number of pairs in each area. */
  readonly cursors: number;
  readonly words: number;
  readonly doubles: number;
  /** Pairs that were seen recently. Equal pairs are not recorded again, unless all values are needed. */
  readonly seen: number;
}

/** A growing list of pairs. */
class PairList {
  readonly #areDoubles: boolean;
  readonly #width: 1 | 2;
  #chunks: PairChunk[] = [];
  /** Number of pairs for which the last chunk has room, and number of pairs in it. */
  #room = 0;
  #used = 0;
  count = 0;

  constructor(areDoubles: boolean) {
    this.#areDoubles = areDoubles;
    this.#width = areDoubles ? 1 : 2;
  }

  add(words: Uint32Array, values: Float64Array | undefined): void {
    const width = this.#width;
    const count = words.length / width;
    for (let done = 0; done < count;) {
      if (this.#used === this.#room) this.#grow();
      const last = this.#chunks[this.#chunks.length - 1];
      const end = Math.min(count, done + this.#room - this.#used);
      last.words.set(words.subarray(done * width, end * width), this.#used * width);
      if (values) last.values?.set(values.subarray(done, end), this.#used);
      this.#used += end - done;
      done = end;
    }
    this.count += count;
  }

  /** Returns the pairs and starts again without pairs. */
  take(): PairPart {
    const chunks = this.#chunks;
    const last = chunks.pop();
    if (last) {
      const words = last.words.subarray(0, this.#used * this.#width);
      chunks.push({ words, values: last.values?.subarray(0, this.#used) });
    }
    this.#chunks = [];
    this.#room = 0;
    this.#used = 0;
    this.count = 0;
    return chunks;
  }

  #grow(): void {
    this.#room = this.#room === 0 ? firstPairs : Math.min(mostPairs, this.#room * 2);
    this.#used = 0;
    this.#chunks.push({
      words: new Uint32Array(this.#room * this.#width),
      values: this.#areDoubles ? new Float64Array(this.#room) : undefined,
    });
  }
}
