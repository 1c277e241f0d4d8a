import { vectorSize } from "../../kernels/kernels.ts";
import { GroupTable } from "../keys/groupTable.ts";
import { KeyChain } from "../keys/keyChain.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";
import type { PairChunk, PairKeys, PairPart } from "./pairParts.ts";

/** The distinct pairs of parts with the same number, in the memory of a thread. */
export class UniquePairs {
  readonly #heap: Heap;
  readonly #table: GroupTable | undefined;
  readonly #chain: KeyChain | undefined;
  readonly #words: number;
  readonly #values: number;
  readonly #numbers: number;
  readonly #groupBits: number;

  /** `keys` says how pairs became keys; undefined if values are doubles. */
  constructor(heap: Heap, keys: PairKeys | undefined) {
    this.#heap = heap;
    this.#words = heap.reserve(vectorSize * 8);
    this.#values = heap.reserve(vectorSize * 8);
    this.#numbers = heap.reserve(vectorSize * 4);
    this.#table = keys && new GroupTable(heap);
    this.#chain = keys ? undefined : new KeyChain(heap, ["number", "double"]);
    this.#groupBits = keys?.groupBits ?? 32;
  }

  /** Adds the pairs that are not yet present. */
  add(part: PairPart): void {
    for (const chunk of part) {
      const width = chunk.values ? 1 : 2;
      const count = chunk.words.length / width;
      for (let start = 0; start < count; start += vectorSize) {
        endIfCancelled();
        const end = Math.min(count, start + vectorSize);
        this.#find(chunk, width, start, end);
      }
    }
  }

  /** Returns the distinct pairs. */
  pairs(): PairChunk {
    const { u32 } = this.#heap.arena;
    if (this.#table) {
      const from = this.#table.keys / 4;
      const words = u32.slice(from, from + this.#table.count * 2);
      return { words, values: undefined };
    }
    const [groups, values] = this.#chain?.values() ?? [];
    return { words: Uint32Array.from(groups), values };
  }

  /** Counts the pairs of each group. */
  count(counts: Uint32Array): void {
    const { words, values } = this.pairs();
    const width = values ? 1 : 2;
    const groupMask = 2 ** this.#groupBits - 1;
    for (let at = 0; at < words.length; at += width) counts[(words[at] & groupMask) >>> 0]++;
  }

  #find({ words, values }: PairChunk, width: number, start: number, end: number): void {
    const { u32, f64 } = this.#heap.arena;
    u32.set(words.subarray(start * width, end * width), this.#words / 4);
    const rowCount = end - start;
    if (values) {
      f64.set(values.subarray(start, end), this.#values / 8);
      this.#chain?.find([this.#words, this.#values], rowCount, this.#numbers);
    } else this.#table?.find(this.#words, rowCount, this.#numbers);
  }
}
