import type { BoundGrouping } from "../../plan/boundPlan.ts";
import { slotBytes } from "../../plan/stateLayout.ts";
import { KeyChain, type KeyPart } from "../keys/keyChain.ts";
import { vectorBytes, type VectorSource } from "../rows/vectorSource.ts";
import type { Arena } from "../task/arena.ts";
import type { Heap } from "../task/heap.ts";
import { DigestList } from "./laneDigests.ts";
import type { ValuePairs } from "./laneGroups.ts";

/** The groups that a lane has found so far and their states, in the heap of a thread. */
export class HashState {
  readonly chain: KeyChain;
  readonly distincts: readonly KeyChain[];
  readonly lists: readonly ValueList[];
  readonly sketches: readonly KeyChain[];
  readonly digests: readonly DigestList[];
  readonly slots: number[];
  readonly scratch: readonly number[];
  readonly numbers: number;
  readonly ignored: number;
  readonly #heap: Heap;
  readonly #source: VectorSource;
  readonly #grouping: BoundGrouping;
  #capacity = 0;

  constructor(
    heap: Heap,
    source: VectorSource,
    grouping: BoundGrouping,
    parts: readonly KeyPart[],
    distincts: readonly KeyPart[],
  ) {
    this.#heap = heap;
    this.#source = source;
    this.#grouping = grouping;
    this.chain = new KeyChain(heap, parts);
    this.distincts = distincts.map((kind) => new KeyChain(heap, ["number", kind]));
    this.lists = grouping.quantiles.map(() => new ValueList());
    this.sketches = grouping.sketches.map(() => new KeyChain(heap, ["number", "number"]));
    this.digests = grouping.digests.map(() => new DigestList());
    this.slots = grouping.slots.map(() => 0);
    this.scratch = Array.from({ length: Math.max(2, parts.length) }, () =>
      heap.reserve(vectorBytes),
    );
    this.numbers = heap.reserve(vectorBytes / 2);
    this.ignored = heap.reserve(vectorBytes / 2);
  }

  get arena(): Arena {
    return this.#heap.arena;
  }

  /** Copies a vector of the source to an address in the heap and returns that address. */
  copy(from: number, sizeBytes: number, to: number): number {
    this.#heap.arena.u8.set(this.#source.arena.u8.subarray(from, from + sizeBytes), to);
    return to;
  }

  /** Reserves memory for the states of all groups. */
  reserve(): void {
    const { count } = this.chain;
    if (count <= this.#capacity) return;
    const capacity = Math.max(1024, count * 2);
    this.#grouping.slots.forEach((slot, index) => {
      const bytes = slotBytes(slot);
      const to = this.#heap.reserve(capacity * bytes);
      const { f64, u8 } = this.#heap.arena;
      const filled = this.#capacity * bytes;
      u8.copyWithin(to, this.slots[index], this.slots[index] + filled);
      f64.fill(
        slot.kind === "extent" ? Infinity : 0,
        (to + filled) / 8,
        to / 8 + (capacity * bytes) / 8,
      );
      this.slots[index] = to;
    });
    this.#capacity = capacity;
  }
}

/** Values with their groups. */
class ValueList {
  #groups = new Float64Array(1024);
  #values = new Float64Array(1024);
  #count = 0;

  add(group: number, value: number): void {
    if (this.#count === this.#groups.length) {
      this.#groups = grow(this.#groups);
      this.#values = grow(this.#values);
    }
    this.#groups[this.#count] = group;
    this.#values[this.#count++] = value;
  }

  pairs(): ValuePairs {
    return {
      groups: this.#groups.slice(0, this.#count),
      values: this.#values.slice(0, this.#count),
    };
  }
}

function grow(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(values.length * 2);
  grown.set(values);
  return grown;
}
