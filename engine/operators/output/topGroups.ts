import type { BoundGrouping, BoundOutput, BoundPlan, SlotDouble } from "../../plan/boundPlan.ts";
import { itself } from "./groupOutputs.ts";
import { weigh } from "./sort.ts";

/**
 * Groups are preselected if the answer has at most `mostRows` rows and there are at least `leastShare` times as many
 * groups.
 */
const mostRows = 4096;
const leastShare = 4;

/**
 * Keeps the groups that can be among the first rows of the answer, judging only by the first output in the order. Ties
 * are kept. Returns how many of `groups` are left; they stay in order. `at` returns the index of a double in group 0's
 * slot; groups are two doubles apart. Keeps all groups if the plan has no limit, or has a group limit or a `having`, or
 * if the order needs more than two states.
 */
export function topGroups(
  plan: BoundPlan,
  grouping: BoundGrouping,
  f64: Float64Array<ArrayBufferLike>,
  at: (place: SlotDouble) => number,
  groups: Int32Array,
  groupCount: number,
): number {
  const [first] = plan.order;
  if (!plan.limit || plan.groupLimit || plan.having || !first) return groupCount;
  const wanted = plan.limit.offset + plan.limit.count;
  if (wanted === 0 || wanted > mostRows || groupCount < wanted * leastShare) return groupCount;
  if (grouping.outputs.some(({ kind }) => kind === "cumulativesum")) return groupCount;
  const valueOf = compileValue(grouping.outputs[first.output], f64, at);
  if (!valueOf) return groupCount;

  const heap = new Float64Array(wanted).fill(Infinity);
  const weights = new Float64Array(groupCount);
  let kept = 0;
  for (let index = 0; index < groupCount; index++) {
    const weight = weigh(valueOf(groups[index]), first.descending, undefined);
    if (weight > heap[0]) continue;
    groups[kept] = groups[index];
    weights[kept++] = weight;
    if (weight < heap[0]) replaceRoot(heap, weight);
  }
  const [worst] = heap;
  let count = 0;
  for (let index = 0; index < kept; index++)
    if (weights[index] <= worst) groups[count++] = groups[index];
  return count;
}

/**
 * Returns a function that computes a group's value for the order; undefined for outputs that need more than two states.
 */
export function compileValue(
  output: BoundOutput,
  f64: Float64Array<ArrayBufferLike>,
  at: (place: SlotDouble) => number,
): ((group: number) => number) | undefined {
  if (output.kind === "count") {
    const count = at(output.count);
    return (group) => f64[count + group * 2];
  }
  if (output.kind === "sum" || output.kind === "average") {
    if (output.scaled) return undefined;
    const sum = at(output.sum);
    const count = at(output.count);
    const unit = unitOf(output.decimals);
    const { factor, shift } = output.line ?? itself;
    const sumOf = (group: number) =>
      (f64[sum + group * 2] * factor + f64[count + group * 2] * shift) / unit;
    if (output.kind === "sum")
      return (group) => (f64[count + group * 2] > 0 ? finite(sumOf(group)) : NaN);
    return (group) => finite(sumOf(group) / f64[count + group * 2]);
  }
  if (output.kind === "least" || output.kind === "greatest") {
    if (output.codesByRank) return undefined;
    const isLeast = output.kind === "least";
    const extent = at({ slot: output.extent, lane: isLeast ? 0 : 1 });
    const unit = unitOf(output.decimals);
    return (group) => finite((isLeast ? f64[extent + group * 2] : -f64[extent + group * 2]) / unit);
  }
  return undefined;
}

/**
 * Compares values after rounding, as in the answer, because rounding makes some values equal and may swap neighbours.
 */
const unitOf = (decimals: number) => (decimals > 0 ? 10 ** decimals : 1);

/** Returns NaN for a result that is presented as null. */
function finite(value: number): number {
  return value - value === 0 ? value : NaN;
}

/** Replaces the greatest weight of a heap by a lesser one. */
export function replaceRoot(heap: Float64Array, weight: number): void {
  let parent = 0;
  for (;;) {
    const left = parent * 2 + 1;
    if (left >= heap.length) break;
    const child = left + 1 < heap.length && heap[left + 1] > heap[left] ? left + 1 : left;
    if (heap[child] <= weight) break;
    heap[parent] = heap[child];
    parent = child;
  }
  heap[parent] = weight;
}
