import { vectorSize } from "../../kernels/kernels.ts";
import type { Heap } from "../task/heap.ts";
import { inSteps } from "../task/inSteps.ts";

const leastCapacity = 1024;

/** Numbers 64-bit keys in order of first appearance, with an open-addressing table in a heap. */
export class GroupTable {
  readonly #heap: Heap;
  readonly #counter: number;
  #capacity: number;
  #slots: number;
  #keys: number;

  /** `expectedCount` is the number of keys for which the table has room from the start. */
  constructor(heap: Heap, expectedCount = 0) {
    this.#heap = heap;
    this.#capacity = Math.max(leastCapacity, 2 ** Math.ceil(Math.log2(expectedCount + 2)));
    this.#counter = heap.reserve(64);
    this.#slots = heap.reserve(this.#capacity * 8);
    this.#keys = heap.reserve(this.#capacity * 8);
    const { u32, f64 } = heap.arena;
    u32[this.#counter / 4] = 0;
    f64.fill(0, this.#slots / 8, this.#slots / 8 + this.#capacity);
  }

  get count(): number {
    return this.#heap.arena.u32[this.#counter / 4];
  }

  /** Address of the keys, by number. */
  get keys(): number {
    return this.#keys;
  }

  /** Writes the number of each of at most `vectorSize` keys. */
  find(keys: number, rowCount: number, numbers: number): void {
    let done = 0;
    while (done < rowCount) {
      if (this.count + 1 >= this.#capacity) this.#grow();
      const { kernels } = this.#heap.arena;
      done += kernels.findGroups(
        keys + done * 8,
        rowCount - done,
        this.#slots,
        this.#capacity * 2 - 1,
        this.#keys,
        this.#counter,
        this.#capacity,
        numbers + done * 4,
      );
      if (done < rowCount) this.#grow();
    }
  }

  #grow(): void {
    const { count } = this;
    const capacity = this.#capacity * 4;
    const slots = this.#heap.reserve(capacity * 8);
    const keys = this.#heap.reserve(capacity * 8);
    const { f64, u8, kernels } = this.#heap.arena;
    u8.copyWithin(keys, this.#keys, this.#keys + count * 8);
    f64.fill(0, slots / 8, slots / 8 + capacity);
    inSteps(count, (from, to) => kernels.rehash(keys, from, to, slots, capacity * 2 - 1));
    this.#capacity = capacity;
    this.#slots = slots;
    this.#keys = keys;
  }
}

/** Bytes of a vector of 64-bit keys. */
export const keyVectorBytes = vectorSize * 8;
