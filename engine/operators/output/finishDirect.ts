import type { BoundGrouping, BoundPlan, SlotDouble } from "../../plan/boundPlan.ts";
import type { Arena } from "../task/arena.ts";
import { mergeCovariances } from "./covariances.ts";
import { applyHaving, cutPart } from "./cutAnswer.ts";
import { isOrdered } from "../../plan/orderedStates.ts";
import { groupOutputs, type GroupValues } from "./groupOutputs.ts";
import { keyValues } from "../keys/keyValues.ts";
import type { NumberedKey } from "../keys/numbering.ts";
import { estimateDistinct, mergeSketches, sketchRegisters } from "../../sketches/hyperLogLog.ts";
import { digestDoubles, estimatePercentile, mergeDigest } from "../../sketches/tDigest.ts";
import { topGroups } from "./topGroups.ts";
import { digestBytes, slotBytes, type StateLayout } from "../../plan/stateLayout.ts";

/** The locations of the states of a query's tasks. All states are in one arena. */
export interface DirectStates {
  /** Address of each task's workspace. */
  readonly bases: readonly number[];
  /** Address of the ordered states, lane by lane, and the number of bytes per lane. */
  readonly lanes: number;
  readonly laneBytes: number;
}

/**
 * Distinct values by group number, for the distinct counts whose pairs were recorded: the counts of each task, which
 * must be added up. Empty for all other distinct counts.
 */
export type PairCounts = readonly (readonly Uint32Array[])[];

/** The states of a scan, and the results that do not have states. */
export interface ScannedGroups {
  readonly layout: StateLayout;
  readonly states: DirectStates;
  readonly percentiles: Percentiles;
  readonly pairCounts: PairCounts;
  /** The arena of the states. */
  readonly arena: Arena;
}

/** Percentiles by group number, one array for each fraction of each quantile. */
export type Percentiles = readonly (readonly Float64Array[])[];

/**
 * Merges the states of the groups from `from` to below `to`, and returns the rows of these groups. With a limit,
 * returns only rows that can be in the answer.
 */
export function finishDirect(
  plan: BoundPlan,
  grouping: BoundGrouping,
  { layout, states, percentiles, pairCounts, arena }: ScannedGroups,
  from: number,
  to: number,
): Float64Array[] {
  mergeSlots(plan, grouping, layout, states, arena, from, to);
  const distincts = countDistinct(layout, states, arena, from, to);
  const estimates = mergeRegisters(layout, states, arena, from, to);
  const [base] = states.bases;
  const { f64 } = arena;
  const slotAt = (slot: number) => (base + layout.slots[slot].offset) / 8;
  const doubleAt = ({ slot, lane }: SlotDouble) => slotAt(slot) + lane;
  const groups = new Int32Array(to - from);
  const presentCount =
    grouping.keys.length === 0 ? 1 : listPresent(f64, doubleAt(grouping.rows), from, to, groups);
  const groupCount = topGroups(plan, grouping, f64, doubleAt, groups, presentCount);
  const pick = (at: number, stride: number): Float64Array => {
    const picked = new Float64Array(groupCount);
    for (let index = 0; index < groupCount; index++)
      picked[index] = f64[at + groups[index] * stride];
    return picked;
  };
  const values: GroupValues = {
    groupCount,
    keys: directKeys(grouping.keys as readonly NumberedKey[], groups, groupCount),
    slot: (place) => pick(doubleAt(place), 2),
    variance: (slot) => ({ counts: pick(slotAt(slot), 4), squares: pick(slotAt(slot) + 2, 4) }),
    covariance: (slot, place) => pick(slotAt(slot) + place, 6),
    distinct: (index) => {
      const counts = pairCounts[index] ?? [];
      if (counts.length > 0) return addCounts(counts, groups, groupCount);
      return Float64Array.from(
        { length: groupCount },
        (_, group) => distincts[index][groups[group] - from],
      );
    },
    extremeText: () => {
      throw new RangeError(
        "directly numbered groups have no minimum and maximum of computed strings",
      );
    },
    approximateDistinct: (sketch) => estimates[sketch](groups, groupCount),
    approximatePercentile: (digest, fraction) => {
      const at = base + layout.digests[digest].offset;
      return Float64Array.from({ length: groupCount }, (_, index) => {
        const place = (at + groups[index] * digestBytes) / 8;
        const sum = f64.subarray(place, place + digestDoubles);
        return estimatePercentile(sum, fraction);
      });
    },
    percentile: (quantile, fraction) => {
      const found = percentiles[quantile][grouping.quantiles[quantile].fractions.indexOf(fraction)];
      return Float64Array.from({ length: groupCount }, (_, group) => found[groups[group]]);
    },
  };
  return cutPart(plan, applyHaving(plan, groupOutputs(grouping, values)));
}

/**
 * Lists the groups that have rows, and returns the number of these groups. The row counts of groups start at `rowsAt`.
 * This is a separate function, because V8 may leave optimized code when a loop ends.
 */
function listPresent(
  f64: Float64Array<ArrayBufferLike>,
  rowsAt: number,
  from: number,
  to: number,
  groups: Int32Array,
): number {
  let count = 0;
  for (let group = from; group < to; group++)
    if (f64[rowsAt + group * 2] > 0) groups[count++] = group;
  return count;
}

function mergeSlots(
  plan: BoundPlan,
  grouping: BoundGrouping,
  layout: StateLayout,
  { bases, lanes, laneBytes }: DirectStates,
  { kernels, f64 }: Arena,
  from: number,
  to: number,
): void {
  let inLane = 0;
  grouping.slots.forEach((slot, index) => {
    const bytes = slotBytes(slot);
    const { offset, sizeBytes } = layout.slots[index];
    const target = bases[0] + offset + from * bytes;
    const size = (to - from) * bytes;
    if (!isOrdered(slot)) {
      const merge = slot.kind === "extent" ? kernels.leastStates : kernels.addStates;
      for (const base of bases.slice(1)) merge(target, base + offset + from * bytes, size);
      return;
    }
    f64.fill(0, target / 8, (target + size) / 8);
    for (let lane = 0; lane < plan.laneCount; lane++) {
      const other = lanes + lane * laneBytes + inLane + from * bytes;
      if (slot.kind === "variance") mergeVariances(f64, target / 8, other / 8, to - from);
      else if (slot.kind === "covariance") mergeCovariances(f64, target / 8, other / 8, to - from);
      else kernels.addStates(target, other, size);
    }
    inLane += sizeBytes;
  });
  for (const { offset, sizeBytes } of layout.digests) {
    const target = bases[0] + offset + from * digestBytes;
    f64.fill(0, target / 8, (target + (to - from) * digestBytes) / 8);
    for (let lane = 0; lane < plan.laneCount; lane++) {
      const other = lanes + lane * laneBytes + inLane + from * digestBytes;
      for (let group = 0; group < to - from; group++) {
        const digestAt = (at: number) => {
          const place = (at + group * digestBytes) / 8;
          return f64.subarray(place, place + digestDoubles);
        };
        mergeDigest(digestAt(target), digestAt(other));
      }
    }
    inLane += sizeBytes;
  }
}

/** Merges the HyperLogLog registers of groups. Only computes estimates for the groups in the answer. */
function mergeRegisters(
  layout: StateLayout,
  { bases }: DirectStates,
  { u8 }: Arena,
  from: number,
  to: number,
): ((groups: Int32Array, groupCount: number) => Float64Array)[] {
  return layout.sketches.map(({ offset }) => {
    const registersOf = (base: number) =>
      u8.subarray(base + offset + from * sketchRegisters, base + offset + to * sketchRegisters);
    const target = registersOf(bases[0]);
    for (const base of bases.slice(1)) mergeSketches(target, registersOf(base));
    return (groups, groupCount) =>
      Float64Array.from({ length: groupCount }, (_, index) => {
        const start = (groups[index] - from) * sketchRegisters;
        return estimateDistinct(target.subarray(start, start + sketchRegisters));
      });
  });
}

/**
 * Merges counts, means and sums of squared differences. Source: T. Chan, G. Golub, R. LeVeque, Updating Formulae and a
 * Pairwise Algorithm for Computing Sample Variances (1979).
 */
function mergeVariances(
  f64: Float64Array<ArrayBufferLike>,
  target: number,
  other: number,
  groupCount: number,
): void {
  for (let group = 0; group < groupCount; group++) {
    const into = target + group * 4;
    const of = other + group * 4;
    mergeVariance(f64, into, f64, of);
  }
}

/** Merges one count, mean and sum of squared differences into another. */
export function mergeVariance(
  target: Float64Array<ArrayBufferLike>,
  into: number,
  other: Float64Array<ArrayBufferLike>,
  of: number,
): void {
  const added = other[of];
  if (added === 0) return;
  const count = target[into];
  const total = count + added;
  const difference = other[of + 1] - target[into + 1];
  target[into] = total;
  target[into + 1] += (difference * added) / total;
  target[into + 2] += other[of + 2] + ((difference * difference * count) / total) * added;
}

function countDistinct(
  layout: StateLayout,
  { bases }: DirectStates,
  { kernels }: Arena,
  from: number,
  to: number,
): Float64Array[] {
  return layout.distincts.map(({ offset, wordsPerGroup }) => {
    if (wordsPerGroup === 0) return new Float64Array(0);
    const bytes = wordsPerGroup * 4;
    const target = bases[0] + offset + from * bytes;
    for (const base of bases.slice(1))
      kernels.orBits(target, base + offset + from * bytes, (to - from) * bytes);
    return Float64Array.from({ length: to - from }, (_, group) =>
      kernels.countBits(target + group * bytes, bytes),
    );
  });
}

/** Adds up the counts of all tasks for the groups in the answer. */
function addCounts(
  counts: readonly Uint32Array[],
  groups: Int32Array,
  groupCount: number,
): Float64Array {
  const sums = new Float64Array(groupCount);
  for (const each of counts)
    for (let index = 0; index < groupCount; index++) sums[index] += each[groups[index]];
  return sums;
}

function directKeys(
  keys: readonly NumberedKey[],
  groups: Int32Array,
  groupCount: number,
): Float64Array[] {
  let stride = 1;
  return keys.map((key) => {
    const values = keyValues(key, stride, groups, groupCount);
    stride *= key.cardinality;
    return values;
  });
}
