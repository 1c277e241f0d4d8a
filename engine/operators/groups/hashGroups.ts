import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundValue } from "../../expressions/boundValue.ts";
import type { BoundDistinct, BoundGrouping, Slot } from "../../plan/boundPlan.ts";
import { slotBytes } from "../../plan/stateLayout.ts";
import { hashDoubles } from "../../sketches/hashDoubles.ts";
import { sketchEntry } from "../../sketches/hyperLogLog.ts";
import { compileDistinctCodes } from "../folds/distinctCodes.ts";
import { compactTexts, type ComputedTexts } from "../rows/computedTexts.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileComputedCodes } from "../rows/computedCodes.ts";
import { compileVector } from "../rows/vectors.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import type { Heap } from "../task/heap.ts";
import { inSteps } from "../task/inSteps.ts";
import { compileHashKeys } from "./hashKeys.ts";
import { HashState } from "./hashState.ts";
import type { LaneGroups, ValuePairs } from "./laneGroups.ts";

/** Folds rows into groups that are found by hashing their keys, in the memory of a thread. */
export interface HashGroups {
  openRowGroup(): void;
  /** Folds the active rows. */
  fold(): void;
  /** Returns the groups found so far, and then starts with no groups. */
  take(): LaneGroups;
}

/** Folds the active rows, whose groups the state has already numbered. */
type FoldRows = (state: HashState) => void;

/**
 * Compiles the folds of a grouping that has too many groups to be numbered directly, or keys that cannot be numbered.
 */
export function compileHashGroups(
  grouping: BoundGrouping,
  heap: Heap,
  compilation: Compilation,
): HashGroups {
  const { source } = compilation;
  const keys = compileHashKeys(grouping.keys, compilation);
  const distincts = grouping.distincts.map((distinct) => compileDistinct(distinct, compilation));
  const folds: readonly FoldRows[] = [
    ...grouping.slots.map((slot, index) => compileSlot(slot, index, compilation)),
    ...distincts.map((distinct, index) => foldDistinct(distinct, index, compilation)),
    ...grouping.quantiles.map(({ of }, index) => compileList(of, index, compilation)),
    ...grouping.sketches.map((of, index) => compileSketch(of, index, compilation)),
    ...grouping.digests.map((of, index) => compileDigest(of, index, compilation)),
  ];
  const kinds = distincts.map(({ kind }) => kind);
  const start = () => new HashState(heap, source, grouping, keys.parts, kinds);
  let running: HashState | undefined;

  return {
    openRowGroup: () => keys.openRowGroup(),
    fold: () => {
      const state = (running ??= start());
      state.chain.find(keys.read(state), source.rowCount, state.numbers);
      state.reserve();
      for (const fold of folds) fold(state);
    },
    take: () => {
      const state = running ?? start();
      state.reserve();
      const taken: LaneGroups = {
        groupCount: state.chain.count,
        ...keys.values(state.chain.values()),
        slots: takeSlots(grouping.slots, state),
        ...takeDistincts(distincts, state),
        lists: state.lists.map((list) => list.pairs()),
        sketches: state.sketches.map((chain) => {
          const [groups, values] = chain.values();
          return { groups, values };
        }),
        digests: state.digests.map((list) => list.take()),
      };
      heap.clear();
      running = undefined;
      return taken;
    },
  };
}

function compileSlot(slot: Slot, index: number, compilation: Compilation): FoldRows {
  const { source } = compilation;
  const vectors = summands(slot).map(({ of, decimals }) =>
    compileVector(of, decimals, compilation),
  );
  return (state) => {
    const { numbers, scratch } = state;
    const { rowCount } = source;
    const at = state.slots[index];
    const [left, right] = vectors.map((vector, place) =>
      state.copy(vector.read(), rowCount * 8, scratch[place]),
    );
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
    }
  };
}

function summands(slot: BoundGrouping["slots"][number]) {
  switch (slot.kind) {
    case "rows":
      return [];
    case "rowsSum":
    case "countSum":
      return [slot.right];
    case "pair":
      return [slot.left, slot.right];
    case "extent":
      return [slot.of];
    case "count":
    case "variance":
      return [{ of: slot.of, decimals: -1 }];
  }
}

/** Compiles the values that a distinct count reads: numbers with 0 for null, or doubles. */
function compileDistinct(distinct: BoundDistinct, compilation: Compilation) {
  if (distinct.kind === "number")
    return { kind: "double" as const, vector: compileVector(distinct.of, -1, compilation) };
  if (distinct.kind !== "computed")
    return { kind: "number" as const, vector: compileDistinctCodes(distinct, compilation) };
  const computed = compileComputedCodes(distinct.of, compilation);
  return { kind: "number" as const, vector: computed, computed };
}

type HashDistinct = ReturnType<typeof compileDistinct>;

/** Records the pairs of group and value. */
function foldDistinct(
  { kind, vector }: HashDistinct,
  index: number,
  { source }: Compilation,
): FoldRows {
  const valueBytes = kind === "double" ? 8 : 4;
  return (state) => {
    const { numbers, scratch, ignored } = state;
    const { rowCount } = source;
    const values = state.copy(vector.read(), rowCount * valueBytes, scratch[0]);
    state.distincts[index].find([numbers, values], rowCount, ignored);
  };
}

/** Compiles the list of each group's values, which percentiles need. */
function compileList(of: BoundValue, index: number, compilation: Compilation): FoldRows {
  const { source } = compilation;
  const vector = compileVector(of, -1, compilation);
  return (state) => {
    const from = vector.read() / 8;
    const { f64 } = source.arena;
    const { u32 } = state.arena;
    const numbers = state.numbers / 4;
    const list = state.lists[index];
    for (let row = 0; row < source.rowCount; row++) {
      const value = f64[from + row];
      if (value === value) list.add(u32[numbers + row], value);
    }
  };
}

/** Compiles recording pairs of group and HyperLogLog entry. */
function compileSketch(of: BoundValue, index: number, compilation: Compilation): FoldRows {
  const { source } = compilation;
  const vector = compileVector(of, -1, compilation);
  const values = new Float64Array(vectorSize);
  const hashes = new Uint32Array(vectorSize * 2);
  return (state) => {
    const from = vector.read() / 8;
    const { f64 } = source.arena;
    const { u32 } = state.arena;
    const numbers = state.numbers / 4;
    const [groups, entries] = state.scratch;
    let count = 0;
    for (let row = 0; row < source.rowCount; row++) {
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

/** Compiles adding values to the t-digests of their groups. */
function compileDigest(of: BoundValue, index: number, compilation: Compilation): FoldRows {
  const { source } = compilation;
  const vector = compileVector(of, -1, compilation);
  return (state) => {
    const from = vector.read() / 8;
    const { f64 } = source.arena;
    const { u32 } = state.arena;
    const numbers = state.numbers / 4;
    const list = state.digests[index];
    for (let row = 0; row < source.rowCount; row++) {
      const value = f64[from + row];
      if (value === value) list.add(u32[numbers + row], value);
    }
  };
}

/** Copies the states of all groups, one array per slot. */
function takeSlots(slots: readonly Slot[], state: HashState): readonly Float64Array[] {
  const { f64 } = state.arena;
  return slots.map((slot, index) => {
    endIfCancelled();
    const from = state.slots[index] / 8;
    return f64.slice(from, from + (state.chain.count * slotBytes(slot)) / 8);
  });
}

/** Lists the pairs of group and value without nulls, and the strings of computed values. */
function takeDistincts(distincts: readonly HashDistinct[], state: HashState) {
  const distinctTexts: ComputedTexts[] = [];
  const pairs = distincts.map(({ kind, computed }, index) => {
    const found = withoutNulls(state.distincts[index].values(), kind === "number");
    if (!computed) return found;
    const kept = compactTexts(found.values, computed.texts);
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
