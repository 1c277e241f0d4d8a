import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, BoundPlan } from "../../plan/boundPlan.ts";
import { percentile } from "../../sketches/quantile.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { inSteps } from "../task/inSteps.ts";
import { applyHaving, cutAnswer, cutPart } from "./cutAnswer.ts";
import { mergeCovariance } from "./covariances.ts";
import { mergeVariance } from "./finishDirect.ts";
import { groupOutputs, type GroupValues } from "./groupOutputs.ts";
import type { Heap } from "../task/heap.ts";
import { KeyChain } from "../keys/keyChain.ts";
import { estimateEntries } from "../../sketches/hyperLogLog.ts";
import { digestPercentiles } from "../groups/laneDigests.ts";
import type { LaneGroups, ValuePairs } from "../groups/laneGroups.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";
import { followCodes, unifyTexts, withRanks } from "../rows/computedTexts.ts";
import { slotBytes } from "../../plan/stateLayout.ts";

/**
 * Number of groups whose values can usually be sorted in a few milliseconds. A group with very many values takes
 * longer.
 */
const groupsPerLook = 4096;

/**
 * Merges groups that were found by hashing, lane by lane, and computes the answer. Without an order, rows are in the
 * order of their keys. Rows that are equal in the order are also in the order of their keys.
 */
export function finishHash(
  plan: BoundPlan,
  grouping: BoundGrouping,
  lanes: readonly LaneGroups[],
  heap: Heap,
): FinishedColumns {
  const { columns, texts } = mergeLanes(plan, grouping, lanes, heap);
  return { columns: cutAnswer(orderedByKeys(withRanks(plan, texts), grouping), columns), texts };
}

/**
 * Merges a part of the groups and keeps the groups that can be in the answer. To get the answer, sort and limit all
 * parts together by the order of `orderedByKeys`.
 */
export function finishHashPart(
  plan: BoundPlan,
  grouping: BoundGrouping,
  lanes: readonly LaneGroups[],
  heap: Heap,
): FinishedColumns {
  const { columns, texts } = mergeLanes(plan, grouping, lanes, heap);
  return { columns: cutPart(orderedByKeys(plan, grouping), columns), texts };
}

/**
 * Like `finishHashPart`, for groups whose states are already merged and which occur nowhere else. None of their strings
 * are computed.
 */
export function finishMerged(
  plan: BoundPlan,
  grouping: BoundGrouping,
  groups: LaneGroups,
  heap: Heap,
): readonly Float64Array[] {
  const { columns } = mergeLanes(plan, grouping, [groups], heap, true);
  return cutPart(orderedByKeys(plan, grouping), columns);
}

/** Returns the plan with its keys appended to the order, so that there are no ties. */
export function orderedByKeys(plan: BoundPlan, grouping: BoundGrouping): BoundPlan {
  const keyOrder = grouping.outputs.flatMap((output, index) =>
    output.kind === "key" ? [{ output: index, descending: false }] : [],
  );
  return { ...plan, order: [...plan.order, ...keyOrder] };
}

function mergeLanes(
  plan: BoundPlan,
  grouping: BoundGrouping,
  found: readonly LaneGroups[],
  heap: Heap,
  areMerged = false,
): { readonly columns: Float64Array[]; readonly texts: readonly ComputedTexts[] } {
  heap.clear();
  const { lanes, keyTexts, distinctTexts } = unifyLanes(grouping, found);
  const { targets, groupCount } = areMerged
    ? { targets: lanes.map(ownGroups), groupCount: lanes[0].groupCount }
    : findGroups(lanes, grouping, heap);
  const slots = grouping.slots.map((slot, index) => {
    const width = slotBytes(slot) / 8;
    if (areMerged) return { merged: lanes[0].slots[index], width };
    const merged = new Float64Array(groupCount * width).fill(slot.kind === "extent" ? Infinity : 0);
    lanes.forEach((lane, number) =>
      mergeSlot(slot.kind, width, merged, lane.slots[index], targets[number]),
    );
    return { merged, width };
  });
  const pick = (slot: number, lane: number): Float64Array => {
    const { merged, width } = slots[slot];
    const picked = new Float64Array(groupCount);
    inSteps(groupCount, (from, to) => {
      for (let group = from; group < to; group++) picked[group] = merged[group * width + lane];
    });
    return picked;
  };
  const lists = grouping.quantiles.map((_, index) =>
    sortByGroup(
      lanes.map((lane) => lane.lists[index]),
      targets,
      groupCount,
    ),
  );
  const values: GroupValues = {
    groupCount,
    keys: mergeKeys(lanes, targets, groupCount, grouping),
    slot: ({ slot, lane }) => pick(slot, lane),
    variance: (slot) => ({ counts: pick(slot, 0), squares: pick(slot, 2) }),
    covariance: (slot, place) => pick(slot, place),
    distinct: (index) => {
      const pairs = lanes.map((lane) => lane.distincts[index]);
      return areMerged
        ? countByGroup(pairs[0], groupCount)
        : countPairs(heap, pairs, targets, groupCount);
    },
    extremeText: (index, isFirst) => {
      const codes = new Float64Array(groupCount);
      lanes.forEach((lane, number) => {
        const { groups, values: texts } = lane.distincts[index];
        inSteps(groups.length, (from, to) => {
          for (let row = from; row < to; row++) {
            const group = targets[number][groups[row]];
            const code = codes[group];
            if (code === 0 || (isFirst ? texts[row] < code : texts[row] > code))
              codes[group] = texts[row];
          }
        });
      });
      return codes;
    },
    approximateDistinct: (sketch) => {
      const { starts, sorted } = sortByGroup(
        lanes.map((lane) => lane.sketches[sketch]),
        targets,
        groupCount,
      );
      return Float64Array.from({ length: groupCount }, (_, group) =>
        estimateEntries(sorted.subarray(starts[group], starts[group + 1]).sort()),
      );
    },
    approximatePercentile: (digest, fraction) => {
      const [column] = digestPercentiles(
        lanes.map((lane) => lane.digests[digest]),
        targets,
        groupCount,
        [fraction],
      );
      return column;
    },
    percentile: (quantile, fraction) => {
      const { starts, sorted } = lists[quantile];
      return Float64Array.from({ length: groupCount }, (_, group) => {
        if (group % groupsPerLook === 0) endIfCancelled();
        return percentile(sorted, starts[group], starts[group + 1], fraction);
      });
    },
  };
  const texts = grouping.outputs.map((output) => {
    if (output.kind === "key") return keyTexts[output.key];
    const isText = output.kind === "firstText" || output.kind === "lastText";
    return isText ? distinctTexts[output.distinct] : undefined;
  });
  return { columns: applyHaving(plan, groupOutputs(grouping, values), texts), texts };
}

/** The columns of an answer, and the strings of columns that contain codes of computed strings. */
export interface FinishedColumns {
  readonly columns: readonly Float64Array[];
  readonly texts: readonly ComputedTexts[];
}

/** Replaces the codes of computed strings in all lanes with codes of one dictionary. */
function unifyLanes(grouping: BoundGrouping, lanes: readonly LaneGroups[]) {
  const keys = grouping.keys.map((_, key) => unifyTexts(lanes.map((lane) => lane.keyTexts[key])));
  const distincts = grouping.distincts.map((_, index) =>
    unifyTexts(lanes.map((lane) => lane.distinctTexts[index])),
  );
  return {
    keyTexts: keys.map(({ texts }) => texts),
    distinctTexts: distincts.map(({ texts }) => texts),
    lanes: lanes.map((lane, number): LaneGroups => ({
      ...lane,
      keys: lane.keys.map((codes, key) => followCodes(codes, keys[key].maps[number])),
      distincts: lane.distincts.map(({ groups, values }, index) => ({
        groups,
        values: followCodes(values, distincts[index].maps[number]),
      })),
    })),
  };
}

/** Finds equal groups of different lanes. Returns, for each lane, the merged group of each of its groups. */
function findGroups(lanes: readonly LaneGroups[], { keys }: BoundGrouping, heap: Heap) {
  const finder = new RowFinder(heap, keys.length);
  const targets = lanes.map((lane) => finder.find(lane.keys, lane.groupCount));
  return { targets, groupCount: finder.count };
}

function ownGroups({ groupCount }: LaneGroups): Uint32Array {
  const groups = new Uint32Array(groupCount);
  for (let group = 0; group < groupCount; group++) groups[group] = group;
  return groups;
}

/** Numbers rows of key columns in order of first appearance. */
class RowFinder {
  readonly #heap: Heap;
  readonly #chain: KeyChain;
  readonly #vectors: readonly number[];
  readonly #numbers: number;

  constructor(heap: Heap, keyCount: number) {
    this.#heap = heap;
    this.#chain = new KeyChain(
      heap,
      Array.from({ length: keyCount }, () => "double" as const),
    );
    this.#vectors = Array.from({ length: keyCount }, () => heap.reserve(vectorSize * 8));
    this.#numbers = heap.reserve(vectorSize * 4);
  }

  get count(): number {
    return this.#chain.count;
  }

  find(columns: readonly Float64Array[], rowCount: number): Uint32Array {
    const found = new Uint32Array(rowCount);
    for (let start = 0; start < rowCount; start += vectorSize) {
      endIfCancelled();
      const taken = Math.min(vectorSize, rowCount - start);
      columns.forEach((column, index) =>
        this.#heap.arena.f64.set(column.subarray(start, start + taken), this.#vectors[index] / 8),
      );
      this.#chain.find(this.#vectors, taken, this.#numbers);
      const at = this.#numbers / 4;
      found.set(this.#heap.arena.u32.subarray(at, at + taken), start);
    }
    return found;
  }
}

function mergeSlot(
  kind: BoundGrouping["slots"][number]["kind"],
  width: number,
  merged: Float64Array,
  other: Float64Array,
  targets: Uint32Array,
): void {
  inSteps(targets.length, (from, to) => {
    for (let group = from; group < to; group++) {
      const into = targets[group] * width;
      const of = group * width;
      if (kind === "variance") mergeVariance(merged, into, other, of);
      else if (kind === "covariance") mergeCovariance(merged, into, other, of);
      else if (kind === "extent") {
        if (other[of] < merged[into]) merged[into] = other[of];
        if (other[of + 1] < merged[into + 1]) merged[into + 1] = other[of + 1];
      } else {
        merged[into] += other[of];
        merged[into + 1] += other[of + 1];
      }
    }
  });
}

function mergeKeys(
  lanes: readonly LaneGroups[],
  targets: readonly Uint32Array[],
  groupCount: number,
  grouping: BoundGrouping,
): Float64Array[] {
  return grouping.keys.map((_, key) => {
    const column = new Float64Array(groupCount);
    lanes.forEach((lane, number) => {
      const values = lane.keys[key];
      const target = targets[number];
      inSteps(target.length, (from, to) => {
        for (let group = from; group < to; group++) column[target[group]] = values[group] + 0;
      });
    });
    return column;
  });
}

/** Counts the pairs of each group. */
function countByGroup({ groups }: ValuePairs, groupCount: number): Float64Array {
  const counts = new Float64Array(groupCount);
  for (let row = 0; row < groups.length; row++) counts[groups[row]]++;
  return counts;
}

/** Counts the distinct values of each group over all lanes. */
function countPairs(
  heap: Heap,
  lanes: readonly ValuePairs[],
  targets: readonly Uint32Array[],
  groupCount: number,
): Float64Array {
  const finder = new RowFinder(heap, 2);
  const counts = new Float64Array(groupCount);
  let known = 0;
  lanes.forEach(({ groups, values }, lane) => {
    const merged = new Float64Array(groups.length);
    inSteps(groups.length, (from, to) => {
      for (let row = from; row < to; row++) merged[row] = targets[lane][groups[row]];
    });
    const numbers = finder.find([merged, values], values.length);
    inSteps(numbers.length, (from, to) => {
      for (let row = from; row < to; row++)
        if (numbers[row] === known) {
          counts[merged[row]]++;
          known++;
        }
    });
  });
  return counts;
}

/**
 * Places the values of each group next to each other. Group `g` has the values from `starts[g]` to before `starts[g +
 * 1]`.
 */
function sortByGroup(
  lanes: readonly ValuePairs[],
  targets: readonly Uint32Array[],
  groupCount: number,
): { readonly starts: Uint32Array; readonly sorted: Float64Array } {
  const starts = new Uint32Array(groupCount + 1);
  let total = 0;
  lanes.forEach(({ groups }, lane) => {
    total += groups.length;
    inSteps(groups.length, (from, to) => {
      for (let row = from; row < to; row++) starts[targets[lane][groups[row]] + 1]++;
    });
  });
  for (let group = 0; group < groupCount; group++) starts[group + 1] += starts[group];
  const next = starts.slice();
  const sorted = new Float64Array(total);
  lanes.forEach(({ groups, values }, lane) => {
    inSteps(groups.length, (from, to) => {
      for (let row = from; row < to; row++)
        sorted[next[targets[lane][groups[row]]]++] = values[row];
    });
  });
  return { starts, sorted };
}
