import { vectorSize } from "../../kernels/kernels.ts";
import { GroupTable, keyVectorBytes } from "./groupTable.ts";
import type { Heap } from "../task/heap.ts";
import { inSteps } from "../task/inSteps.ts";

/** The values of one part of a key, row by row: 32-bit numbers, or doubles with NaN for null. */
export type KeyPart = "number" | "double";

/** The number of keys in each table of a chain: those of the doubles, by part, and those of the pairs. */
export interface ChainSizes {
  readonly doubles: readonly number[];
  readonly pairs: readonly number[];
}

/**
 * Numbers the distinct combinations of several key parts in order of first appearance. Doubles are numbered first. Then
 * pairs of numbers are numbered as 64-bit keys, from left to right, so one kind of table supports any number of parts.
 */
export class KeyChain {
  readonly #heap: Heap;
  readonly #parts: readonly KeyPart[];
  readonly #doubles: readonly (GroupTable | undefined)[];
  readonly #pairs: readonly GroupTable[];
  readonly #keys: number;
  readonly #left: number;
  readonly #right: number;

  /** `sizes` are the sizes of the tables of a chain whose keys are alike. The tables then have room from the start. */
  constructor(heap: Heap, parts: readonly KeyPart[], sizes?: ChainSizes) {
    this.#heap = heap;
    this.#parts = parts;
    this.#doubles = parts.map((part, index) =>
      part === "double" ? new GroupTable(heap, sizes?.doubles[index]) : undefined,
    );
    const isSingleNumber = parts.length === 1 && parts[0] === "number";
    const pairCount = isSingleNumber ? 1 : Math.max(0, parts.length - 1);
    this.#pairs = Array.from(
      { length: pairCount },
      (_, index) => new GroupTable(heap, sizes?.pairs[index]),
    );
    this.#keys = heap.reserve(keyVectorBytes);
    this.#left = heap.reserve(vectorSize * 4);
    this.#right = heap.reserve(vectorSize * 4);
  }

  /** Number of combinations. A chain without parts has one, the empty combination. */
  get count(): number {
    if (this.#parts.length === 0) return 1;
    return (this.#pairs.at(-1) ?? this.#doubles[0])?.count ?? 0;
  }

  /** Number of keys in each table. */
  get sizes(): ChainSizes {
    return {
      doubles: this.#doubles.map((table) => table?.count ?? 0),
      pairs: this.#pairs.map(({ count }) => count),
    };
  }

  /** Writes the number of each row. `addresses` are the addresses of the parts' vectors in the heap. */
  find(addresses: readonly number[], rowCount: number, numbers: number): void {
    const { arena } = this.#heap;
    if (this.#parts.length === 0) {
      arena.u32.fill(0, numbers / 4, numbers / 4 + rowCount);
      return;
    }
    if (this.#parts.length === 1) {
      const [table] = this.#doubles;
      if (table) this.#number(table, addresses[0], rowCount, numbers);
      else {
        const zeros = this.#right;
        arena.u32.fill(0, zeros / 4, zeros / 4 + rowCount);
        this.#pair(this.#pairs[0], addresses[0], zeros, rowCount, numbers);
      }
      return;
    }
    let left = this.#numbered(0, addresses[0], rowCount, this.#left);
    for (let part = 1; part < this.#parts.length; part++) {
      const right = this.#numbered(part, addresses[part], rowCount, this.#right);
      const isLast = part === this.#parts.length - 1;
      const to = isLast ? numbers : this.#left;
      this.#pair(this.#pairs[part - 1], left, right, rowCount, to);
      left = to;
    }
  }

  /**
   * Returns the parts of the given combinations: numbers, or doubles with NaN for null.
   * @default every combination, by number
   */
  values(groups = this.#all()): Float64Array<ArrayBuffer>[] {
    return this.#parts.map((_, part) => this.valuesOf(part, groups));
  }

  /** Returns one part of the given combinations. */
  valuesOf(part: number, groups: Uint32Array): Float64Array<ArrayBuffer> {
    const { u32, f64 } = this.#heap.arena;
    const column = new Float64Array(groups.length);
    const isSingle = this.#parts.length === 1;
    const later = isSingle ? [] : this.#pairs.slice(part).toReversed();
    const own = isSingle ? this.#pairs[0] : this.#pairs[part - 1];
    const table = this.#doubles[part];
    inSteps(groups.length, (from, to) => {
      for (let row = from; row < to; row++) column[row] = groups[row];
      for (const pairs of later) {
        const keys = pairs.keys / 4;
        for (let row = from; row < to; row++) column[row] = u32[keys + column[row] * 2];
      }
      if (own) {
        // The number of a single part is the first of its pair, because the second is 0.
        const keys = own.keys / 4 + (isSingle ? 0 : 1);
        for (let row = from; row < to; row++) column[row] = u32[keys + column[row] * 2];
      }
      if (!table) return;
      const keys = table.keys / 8;
      for (let row = from; row < to; row++) column[row] = f64[keys + column[row]];
    });
    return column;
  }

  #all(): Uint32Array {
    const groups = new Uint32Array(this.count);
    for (let group = 0; group < groups.length; group++) groups[group] = group;
    return groups;
  }

  #numbered(part: number, address: number, rowCount: number, to: number): number {
    const table = this.#doubles[part];
    if (!table) return address;
    this.#number(table, address, rowCount, to);
    return to;
  }

  #number(table: GroupTable, vector: number, rowCount: number, numbers: number): void {
    this.#heap.arena.kernels.doubleKeys(vector, rowCount, this.#keys);
    table.find(this.#keys, rowCount, numbers);
  }

  #pair(table: GroupTable, left: number, right: number, rowCount: number, numbers: number): void {
    this.#heap.arena.kernels.pairKeys(left, right, rowCount, this.#keys);
    table.find(this.#keys, rowCount, numbers);
  }
}
