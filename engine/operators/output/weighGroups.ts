import type { BoundOutput, SlotDouble } from "../../plan/boundPlan.ts";
import { itself } from "./groupOutputs.ts";

/** Groups to weigh, and where their states are. */
export interface WeighRequest {
  readonly output: BoundOutput;
  readonly descending: boolean;
  readonly f64: Float64Array<ArrayBufferLike>;
  /** Returns the index of a double in group 0's slot. Groups are two doubles apart. */
  readonly at: (place: SlotDouble) => number;
  readonly groups: Int32Array | Uint32Array;
  readonly groupCount: number;
}

/**
 * Returns the weights of groups in an order by one output, see `weigh`. Returns undefined for outputs that need more
 * than two states. Compares values after rounding, as in the answer, because rounding makes some values equal and may
 * swap neighbours.
 */
export function weighGroups(request: WeighRequest): Float64Array | undefined {
  const { output, descending, f64, at, groups, groupCount } = request;
  const sign = descending ? -1 : 1;
  if (output.kind === "count") return weighCounts(f64, at(output.count), groups, groupCount, sign);
  if (output.kind === "sum" || output.kind === "average") {
    if (output.scaled) return undefined;
    const sum = at(output.sum);
    const count = at(output.count);
    const unit = unitOf(output.decimals);
    const { factor, shift } = output.line ?? itself;
    const isAverage = output.kind === "average";
    const weights = new Float64Array(groupCount);
    for (let row = 0; row < groupCount; row++) {
      const place = groups[row] * 2;
      const rows = f64[count + place];
      const total = (f64[sum + place] * factor + rows * shift) / unit;
      weights[row] = rows > 0 ? weighFinite(isAverage ? total / rows : total, sign) : Infinity;
    }
    return weights;
  }
  if (output.kind === "least" || output.kind === "greatest") {
    if (output.codesByRank) return undefined;
    const isLeast = output.kind === "least";
    const extent = at({ slot: output.extent, lane: isLeast ? 0 : 1 });
    const unit = unitOf(output.decimals);
    const weights = new Float64Array(groupCount);
    for (let row = 0; row < groupCount; row++) {
      const value = f64[extent + groups[row] * 2];
      weights[row] = weighFinite((isLeast ? value : -value) / unit, sign);
    }
    return weights;
  }
  return undefined;
}

/** This is a separate function, because V8 may leave optimized code when a loop ends. */
function weighCounts(
  f64: Float64Array<ArrayBufferLike>,
  count: number,
  groups: Int32Array | Uint32Array,
  groupCount: number,
  sign: number,
): Float64Array {
  const weights = new Float64Array(groupCount);
  for (let row = 0; row < groupCount; row++) weights[row] = f64[count + groups[row] * 2] * sign;
  return weights;
}

const unitOf = (decimals: number) => (decimals > 0 ? 10 ** decimals : 1);

/** Weighs a result, which is presented as null if it is not finite. */
function weighFinite(value: number, sign: number): number {
  return value - value === 0 ? value * sign : Infinity;
}

/** Returns the `nth` least weight, counted from 1. */
export function nthWeight(weights: Float64Array, nth: number): number {
  const heap = new Float64Array(nth).fill(Infinity);
  let [worst] = heap;
  for (let row = 0; row < weights.length; row++)
    if (weights[row] < worst) {
      replaceRoot(heap, weights[row]);
      [worst] = heap;
    }
  return worst;
}

/** Replaces the greatest weight of a heap by a lesser one. */
function replaceRoot(heap: Float64Array, weight: number): void {
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
