import type { BoundState, StateFunction } from "../plan/boundPlan.ts";
import { GroupHash } from "./groupHash.ts";

/** A running value per group. `fold` adds rows, `merge` adds another lane's groups: `groups[i]` is where its group `i` goes. */
interface NumberState {
  readonly initial: number;
  fold(state: Float64Array, groups: Int32Array, values: Float64Array, rowCount: number): void;
  merge(state: Float64Array, groups: Int32Array, other: Float64Array): void;
}

const addAll: NumberState["merge"] = (state, groups, other) => {
  for (let index = 0; index < other.length; index++) state[groups[index]] += other[index];
};

/** Values are doubles with NaN for null; every comparison with NaN is false. */
export const numberStates: Readonly<Record<Exclude<StateFunction, "distinct">, NumberState>> = {
  rows: {
    initial: 0,
    fold: (state, groups, _values, rowCount) => {
      for (let row = 0; row < rowCount; row++) state[groups[row]]++;
    },
    merge: addAll,
  },
  count: {
    initial: 0,
    fold: (state, groups, values, rowCount) => {
      for (let row = 0; row < rowCount; row++)
        if (values[row] === values[row]) state[groups[row]]++;
    },
    merge: addAll,
  },
  sum: {
    initial: 0,
    fold: (state, groups, values, rowCount) => {
      for (let row = 0; row < rowCount; row++) {
        const value = values[row];
        if (value === value) state[groups[row]] += value;
      }
    },
    merge: addAll,
  },
  min: {
    initial: NaN,
    fold: (state, groups, values, rowCount) => {
      for (let row = 0; row < rowCount; row++) {
        const value = values[row];
        if (value === value && !(state[groups[row]] <= value)) state[groups[row]] = value;
      }
    },
    merge: (state, groups, other) => {
      for (let index = 0; index < other.length; index++)
        if (other[index] === other[index] && !(state[groups[index]] <= other[index]))
          state[groups[index]] = other[index];
    },
  },
  max: {
    initial: NaN,
    fold: (state, groups, values, rowCount) => {
      for (let row = 0; row < rowCount; row++) {
        const value = values[row];
        if (value === value && !(state[groups[row]] >= value)) state[groups[row]] = value;
      }
    },
    merge: (state, groups, other) => {
      for (let index = 0; index < other.length; index++)
        if (other[index] === other[index] && !(state[groups[index]] >= other[index]))
          state[groups[index]] = other[index];
    },
  },
};

/** Distinct (group, value) pairs of a lane: one bit a pair while groups and codes are few, else a list. */
export type DistinctPairs =
  | { readonly kind: "bits"; readonly wordsPerGroup: number; readonly bits: Uint32Array }
  | { readonly kind: "pairs"; readonly groups: Float64Array; readonly values: Float64Array };

/** Bits up to which distinct codes are a bitmap: 2 MB. */
const bitmapBits = 2 ** 24;

/** Collects the distinct values of each group; exact. */
export class DistinctState {
  readonly #wordsPerGroup: number;
  readonly #bits: Uint32Array | undefined;
  readonly #pairs = new GroupHash(2);
  readonly #columns: [Float64Array, Float64Array] = [new Float64Array(1), new Float64Array(1)];

  /** `groupCapacity` 0: the number of groups is not known. */
  constructor(state: BoundState, groupCapacity: number) {
    const cardinality = state.argument?.kind === "code" ? state.argument.cardinality : 0;
    this.#wordsPerGroup = Math.ceil(cardinality / 32);
    const words = this.#wordsPerGroup * groupCapacity;
    if (words > 0 && words * 32 <= bitmapBits) this.#bits = new Uint32Array(words);
  }

  /** Adds rows: stored codes or numbers, NaN for null. */
  fold(groups: Int32Array, values: Float64Array, rowCount: number): void {
    const bits = this.#bits;
    const words = this.#wordsPerGroup;
    if (bits)
      for (let row = 0; row < rowCount; row++) {
        const value = values[row];
        if (value !== value) continue;
        const code = value - 1;
        bits[groups[row] * words + (code >>> 5)] |= 1 << (code & 31);
      }
    else
      for (let row = 0; row < rowCount; row++)
        if (values[row] === values[row]) this.#add(groups[row], values[row]);
  }

  /** Adds another lane's pairs; `groups[i]` is where its group `i` goes, absent when groups keep their numbers. */
  merge(other: DistinctPairs, groups: Int32Array | undefined): void {
    if (other.kind === "bits") {
      const bits = this.#bits;
      if (bits) for (let word = 0; word < bits.length; word++) bits[word] |= other.bits[word];
    } else
      for (let index = 0; index < other.groups.length; index++) {
        const group = other.groups[index];
        this.#add(groups ? groups[group] : group, other.values[index]);
      }
  }

  pairs(): DistinctPairs {
    if (this.#bits) return { kind: "bits", wordsPerGroup: this.#wordsPerGroup, bits: this.#bits };
    const [groups, values] = this.#pairs.keys();
    return { kind: "pairs", groups, values };
  }

  /** Counts the distinct values of groups 0 to `groupCount` - 1. */
  counts(groupCount: number): Float64Array {
    const counts = new Float64Array(groupCount);
    const bits = this.#bits;
    if (bits)
      for (let word = 0; word < bits.length; word++)
        for (let rest = bits[word]; rest !== 0; rest &= rest - 1)
          counts[Math.floor(word / this.#wordsPerGroup)]++;
    else for (const group of this.#pairs.keys()[0]) counts[group]++;
    return counts;
  }

  #add(group: number, value: number): void {
    this.#columns[0][0] = group;
    this.#columns[1][0] = value + 0;
    this.#pairs.find(this.#columns, 0);
  }
}
