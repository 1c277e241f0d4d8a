import { vectorSize } from "../../kernels/kernels.ts";
import { GroupTable, keyVectorBytes } from "./groupTable.ts";
import type { Heap } from "../task/heap.ts";
import { inSteps } from "../task/inSteps.ts";

/** The values of one part of a key, row by row: 32-bit numbers, or doubles with NaN for null. */
export type KeyPart = "number" | "double";

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

  constructor(heap: Heap, parts: readonly KeyPart[]) {
    this.#heap = heap;
    this.#parts = parts;
    this.#doubles = parts.map((part) => (part === "double" ? new GroupTable(heap) : undefined));
    const isSingleNumber = parts.length === 1 && parts[0] === "number";
    const pairCount = isSingleNumber ? 1 : Math.max(0, parts.length - 1);
    this.#pairs = Array.from({ length: pairCount }, () => new GroupTable(heap));
    this.#keys = heap.reserve(keyVectorBytes);
    this.#left = heap.reserve(vectorSize * 4);
    this.#right = heap.reserve(vectorSize * 4);
  }

  /** Number of combinations. A chain without parts has one, the empty combination. */
  get count(): number {
    if (this.#parts.length === 0) return 1;
    return (this.#pairs.at(-1) ?? this.#doubles[0])?.count ?? 0;
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

  /** Returns the parts of every combination: numbers, or doubles with NaN for null. */
  values(): Float64Array[] {
    const { u32, f64 } = this.#heap.arena;
    const { count } = this;
    const partCount = this.#parts.length;
    const columns = this.#parts.map(() => new Float64Array(count));
    if (partCount === 0) return columns;
    const valueOf = (part: number, number: number) => {
      const table = this.#doubles[part];
      return table ? f64[table.keys / 8 + number] : number;
    };
    inSteps(count, (from, to) => {
      for (let group = from; group < to; group++) {
        let number = group;
        if (partCount === 1) {
          const pair = this.#pairs[0];
          columns[0][group] = pair ? u32[pair.keys / 4 + group * 2] : valueOf(0, group);
          continue;
        }
        for (let part = partCount - 1; part > 0; part--) {
          const at = this.#pairs[part - 1].keys / 4 + number * 2;
          columns[part][group] = valueOf(part, u32[at + 1]);
          number = u32[at];
        }
        columns[0][group] = valueOf(0, number);
      }
    });
    return columns;
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
