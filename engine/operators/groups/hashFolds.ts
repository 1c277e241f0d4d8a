import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, Slot } from "../../plan/boundPlan.ts";
import { slotBytes } from "../../plan/stateLayout.ts";
import { hashDoubles } from "../../sketches/hashDoubles.ts";
import { sketchEntry } from "../../sketches/hyperLogLog.ts";
import { compactTexts, type ComputedTexts } from "../rows/computedTexts.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { inSteps } from "../task/inSteps.ts";
import { kindOf, type HashInputs } from "./hashInputs.ts";
import { hashKeyValues } from "./hashKeys.ts";
import type { HashState } from "./hashState.ts";
import type { LaneGroups, ValuePairs } from "./laneGroups.ts";

/** Copies a column of the rows to an address in the heap of the state. */
export type CopyColumn = (column: number, to: number) => void;

/** Folds rows into a `HashState`. */
export interface HashFolds {
  /** Folds at most `vectorSize` rows. */
  fold(state: HashState, rowCount: number, copy: CopyColumn): void;
  /**
   * Copies the groups and their states. `textsOf` returns the strings that were computed for a column. With `groups`,
   * copies only these groups, which must be ascending.
   */
  take(
    state: HashState,
    textsOf: (column: number) => readonly string[],
    groups?: Uint32Array,
  ): LaneGroups;
}

type ReadColumn = (column: number, place?: number) => number;
type FoldRows = (state: HashState, rowCount: number, read: ReadColumn) => void;

/** Creates the folds of a grouping whose groups are found by hashing. */
export function createHashFolds(grouping: BoundGrouping, inputs: HashInputs): HashFolds {
  const folds: readonly FoldRows[] = [
    ...grouping.slots.map((slot, index) => foldSlot(slot, index, inputs.slots[index])),
    ...inputs.distincts.map((column, index) => foldDistinct(column, index)),
    ...inputs.quantiles.map((column, index) => foldList(column, index)),
    ...inputs.sketches.map((column, index) => foldSketch(column, index)),
    ...inputs.digests.map((column, index) => foldDigest(column, index)),
  ];
  const partNumbers = inputs.parts.map((_, index) => index);
  return {
    fold: (state, rowCount, copy) => {
      const read: ReadColumn = (column, place = 0) => {
        const to = state.scratch[place];
        copy(column, to);
        return to;
      };
      const keys = partNumbers.map((part) => read(part, part));
      state.chain.find(keys, rowCount, state.numbers);
      state.reserve();
      for (const fold of folds) fold(state, rowCount, read);
    },
    take: (state, textsOf, groups) => {
      state.reserve();
      const { count } = state.chain;
      const places = groups && placesOf(groups, count);
      return {
        groupCount: groups?.length ?? count,
        ...hashKeyValues(inputs.parts, state.chain.values(groups), textsOf),
        slots: takeSlots(grouping.slots, state, groups),
        ...takeDistincts(inputs, state, textsOf, places),
        lists: state.lists.map((list) => pairsOf(list.pairs(), places)),
        sketches: state.sketches.map((chain) => {
          const [numbers, values] = chain.values();
          return pairsOf({ groups: numbers, values }, places);
        }),
        digests: state.digests.map((list) => list.take()),
      };
    },
  };
}

function foldSlot(slot: Slot, index: number, columns: readonly number[]): FoldRows {
  return (state, rowCount, read) => {
    const { numbers } = state;
    const at = state.slots[index];
    const [left, right] = columns.map((column, place) => read(column, place));
    const { kernels } = state.arena;
    switch (slot.kind) {
      case "rows":
        return kernels.foldRows(numbers, rowCount, at, 16, 0);
      case "rowsSum":
      case "countSum":
      case "count":
        return kernels.foldCountSum(numbers, left, rowCount, at, 16, 0);
      case "pair":
        return kernels.foldPair(numbers, left, right, rowCount, at, 16, 0);
      case "extent":
        return kernels.foldExtent(numbers, left, rowCount, at, 16, 0);
      case "variance":
        return kernels.foldVariance(numbers, left, rowCount, at, 32);
      case "covariance":
        return kernels.foldCovariance(numbers, left, right, rowCount, at);
    }
  };
}

/** Records the distinct pairs of a group and a value. */
function foldDistinct(column: number, index: number): FoldRows {
  return (state, rowCount, read) =>
    state.distincts[index].find([state.numbers, read(column)], rowCount, state.ignored);
}

/** Lists the values of each group. Percentiles need these lists. */
function foldList(column: number, index: number): FoldRows {
  return (state, rowCount, read) => {
    const values = read(column);
    state.lists[index].add(state.arena, state.numbers / 4, values / 8, rowCount);
  };
}

/** Records pairs of a group and a HyperLogLog entry. */
function foldSketch(column: number, index: number): FoldRows {
  const values = new Float64Array(vectorSize);
  const hashes = new Uint32Array(vectorSize * 2);
  return (state, rowCount, read) => {
    const from = read(column) / 8;
    const { u32, f64 } = state.arena;
    const numbers = state.numbers / 4;
    let count = 0;
    // The groups and entries overwrite values and groups that have been read.
    const [entries, groups] = state.scratch;
    for (let row = 0; row < rowCount; row++) {
      const value = f64[from + row];
      if (value !== value) continue;
      u32[groups / 4 + count] = u32[numbers + row];
      values[count++] = value;
    }
    hashDoubles(values, count, hashes);
    for (let row = 0; row < count; row++)
      u32[entries / 4 + row] = sketchEntry(hashes[row * 2], hashes[row * 2 + 1]);
    state.sketches[index].find([groups, entries], count, state.ignored);
  };
}

/** Adds values to the t-digests of their groups. */
function foldDigest(column: number, index: number): FoldRows {
  return (state, rowCount, read) => {
    const from = read(column) / 8;
    const { u32, f64 } = state.arena;
    const numbers = state.numbers / 4;
    const list = state.digests[index];
    for (let row = 0; row < rowCount; row++) {
      const value = f64[from + row];
      if (value === value) list.add(u32[numbers + row], value);
    }
  };
}

/** Copies the states of all groups, one array per slot. */
function takeSlots(
  slots: readonly Slot[],
  state: HashState,
  groups: Uint32Array | undefined,
): readonly Float64Array[] {
  const { f64 } = state.arena;
  return slots.map((slot, index) => {
    endIfCancelled();
    const from = state.slotAt(slot, index) / 8;
    const width = slotBytes(slot) / 8;
    if (!groups) return f64.slice(from, from + state.chain.count * width);
    const taken = new Float64Array(groups.length * width);
    groups.forEach((group, row) => {
      const at = from + group * width;
      taken.set(f64.subarray(at, at + width), row * width);
    });
    return taken;
  });
}

/** Returns, for each group, its place in an ascending list of groups; -1 for groups that are not in the list. */
function placesOf(groups: Uint32Array, groupCount: number): Int32Array {
  const places = new Int32Array(groupCount).fill(-1);
  groups.forEach((group, place) => (places[group] = place));
  return places;
}

/** Keeps the pairs of the groups that have a place, with that place as the group. */
function pairsOf(pairs: ValuePairs, places: Int32Array | undefined): ValuePairs {
  if (!places) return pairs;
  const { groups, values } = pairs;
  let count = 0;
  for (let row = 0; row < groups.length; row++) {
    const place = places[groups[row]];
    if (place < 0) continue;
    groups[count] = place;
    values[count++] = values[row];
  }
  return { groups: groups.slice(0, count), values: values.slice(0, count) };
}

/** Lists the pairs of group and value without nulls, and the strings of computed values. */
function takeDistincts(
  { columns, distincts }: HashInputs,
  state: HashState,
  textsOf: (column: number) => readonly string[],
  places: Int32Array | undefined,
) {
  const distinctTexts: ComputedTexts[] = [];
  const pairs = distincts.map((column, index) => {
    const input = columns[column];
    const found = withoutNulls(state.distincts[index].values(), kindOf(input) === "number");
    if (input.of !== "distinct" || input.distinct.kind !== "computed")
      return pairsOf(found, places);
    const kept = compactTexts(found.values, textsOf(column));
    distinctTexts[index] = kept.texts;
    return { groups: found.groups, values: kept.codes };
  });
  return { distincts: pairs, distinctTexts };
}

function withoutNulls([groups, values]: Float64Array[], areCodes: boolean): ValuePairs {
  let count = 0;
  inSteps(values.length, (from, to) => {
    for (let row = from; row < to; row++) {
      const value = values[row];
      if (areCodes ? value === 0 : value !== value) continue;
      groups[count] = groups[row];
      values[count++] = value;
    }
  });
  if (count === values.length) return { groups, values };
  return { groups: groups.slice(0, count), values: values.slice(0, count) };
}
