import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, Slot } from "../../plan/boundPlan.ts";
import { isOrdered } from "../../plan/orderedStates.ts";
import { slotBytes } from "../../plan/stateLayout.ts";
import { KeyChain, type ChainSizes } from "../keys/keyChain.ts";
import { vectorBytes } from "../rows/vectorSource.ts";
import type { Arena } from "../task/arena.ts";
import type { Heap } from "../task/heap.ts";
import { kindOf, type HashInputs } from "./hashInputs.ts";
import { DigestList } from "./laneDigests.ts";
import type { ValuePairs } from "./laneGroups.ts";

/** The sizes of a state: the number of its groups, and those of its tables. */
export interface HashSizes {
  readonly count: number;
  readonly chain: ChainSizes;
  readonly distincts: readonly ChainSizes[];
}

interface HashStateOptions {
  /**
   * Whether the rows consist of several spans, which are folded one after the other.
   * @default false
   */
  readonly hasSpans?: boolean;
  /** The sizes of another state whose groups are alike. The state then has room for as many groups from the start. */
  readonly sizes?: HashSizes | undefined;
}

/** The groups that a lane or a part has found so far, and the states of these groups, in the heap of a thread. */
export class HashState {
  readonly chain: KeyChain;
  readonly distincts: readonly KeyChain[];
  readonly lists: readonly ValueList[];
  readonly sketches: readonly KeyChain[];
  readonly digests: readonly DigestList[];
  /** Addresses of the states of each slot. */
  readonly slots: number[];
  /** Addresses of the states of all earlier spans, for slots whose states depend on the order of rows. */
  readonly totals: number[] | undefined;
  readonly scratch: readonly number[];
  readonly numbers: number;
  readonly ignored: number;
  readonly #heap: Heap;
  readonly #grouping: BoundGrouping;
  #capacity = 0;

  constructor(
    heap: Heap,
    grouping: BoundGrouping,
    inputs: HashInputs,
    { hasSpans = false, sizes }: HashStateOptions = {},
  ) {
    const kindAt = (column: number) => kindOf(inputs.columns[column]);
    const parts = inputs.parts.map((_, index) => kindAt(index));
    this.#heap = heap;
    this.#grouping = grouping;
    this.chain = new KeyChain(heap, parts, sizes?.chain);
    this.distincts = inputs.distincts.map(
      (column, index) => new KeyChain(heap, ["number", kindAt(column)], sizes?.distincts[index]),
    );
    this.lists = grouping.quantiles.map(() => new ValueList());
    this.sketches = grouping.sketches.map(() => new KeyChain(heap, ["number", "number"]));
    this.digests = grouping.digests.map(() => new DigestList());
    this.slots = grouping.slots.map(() => 0);
    this.totals = hasSpans ? grouping.slots.map(() => 0) : undefined;
    this.scratch = Array.from({ length: Math.max(2, parts.length) }, () =>
      heap.reserve(vectorBytes),
    );
    this.numbers = heap.reserve(vectorSize * 4);
    this.ignored = heap.reserve(vectorSize * 4);
    if (sizes) this.#reserve(sizes.count);
  }

  get sizes(): HashSizes {
    const distincts = this.distincts.map((chain) => chain.sizes);
    return { count: this.chain.count, chain: this.chain.sizes, distincts };
  }

  get arena(): Arena {
    return this.#heap.arena;
  }

  /** Reserves memory for the states of all groups. */
  reserve(): void {
    const { count } = this.chain;
    if (count > this.#capacity) this.#reserve(Math.max(1024, count * 2));
  }

  #reserve(capacity: number): void {
    this.#grouping.slots.forEach((slot, index) => {
      const bytes = slotBytes(slot);
      const empty = slot.kind === "extent" ? Infinity : 0;
      this.slots[index] = this.#grow(this.slots[index], bytes, capacity, empty);
      if (this.totals && isOrdered(slot))
        this.totals[index] = this.#grow(this.totals[index], bytes, capacity, 0);
    });
    this.#capacity = capacity;
  }

  /** Returns the address of the merged states of a slot. */
  slotAt(slot: Slot, index: number): number {
    return (this.totals && isOrdered(slot) ? this.totals : this.slots)[index];
  }

  #grow(from: number, bytes: number, capacity: number, empty: number): number {
    const to = this.#heap.reserve(capacity * bytes);
    const { f64, u8 } = this.#heap.arena;
    const filled = this.#capacity * bytes;
    u8.copyWithin(to, from, from + filled);
    f64.fill(empty, (to + filled) / 8, (to + capacity * bytes) / 8);
    return to;
  }
}

/** A growing list of values, each with its group. */
class ValueList {
  #groups = new Float64Array(1024);
  #values = new Float64Array(1024);
  #count = 0;

  /** Adds the values that are not NaN. Groups and values start at these indices. */
  add(
    { u32, f64 }: Pick<Arena, "u32" | "f64">,
    groups: number,
    values: number,
    rowCount: number,
  ): void {
    while (this.#count + rowCount > this.#groups.length) {
      this.#groups = grow(this.#groups);
      this.#values = grow(this.#values);
    }
    let count = this.#count;
    for (let row = 0; row < rowCount; row++) {
      const value = f64[values + row];
      if (value !== value) continue;
      this.#groups[count] = u32[groups + row];
      this.#values[count++] = value;
    }
    this.#count = count;
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
