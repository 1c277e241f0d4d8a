import type { BoundOrder } from "../../plan/boundPlan.ts";
import { endIfCancelled } from "../task/cancellation.ts";
import { inSteps } from "../task/inSteps.ts";
import { radixRows, radixSort } from "./radixSort.ts";

/** Number of comparisons that can be made in about a millisecond. */
const comparisonsPerLook = 2 ** 15;

/** If fewer than one in this many rows is wanted, a heap finds the first rows; otherwise all rows are sorted. */
const heapShare = 8;

/**
 * Sorts rows of output columns and returns row numbers. Nulls are last in both directions, strings are ordered by rank,
 * and equal rows by row number. Numbers are doubles with NaN for null, strings are stored codes with 0 for null. With
 * `wanted`, returns only the first `wanted` rows; if these are few, finds them without sorting the rest, in O(rows *
 * log wanted).
 */
export function sort(
  columns: readonly Float64Array[],
  order: readonly BoundOrder[],
  rowCount: number,
  wanted = rowCount,
): Uint32Array {
  if (order.length === 0)
    return Uint32Array.from({ length: Math.min(wanted, rowCount) }, (_, row) => row);
  const weights = order.map((part) => {
    const weighed = new Float64Array(rowCount);
    inSteps(rowCount, (from, to) => weighRows(columns[part.output], part, weighed, from, to));
    return weighed;
  });
  const isTop = wanted * heapShare < rowCount;
  if (!isTop && rowCount >= radixRows) return radixSort(weights, rowCount).subarray(0, wanted);
  const compare = cancellable(comparison(weights));
  if (isTop) return top(compare, rowCount, wanted);
  return listRows(rowCount).sort(compare).subarray(0, wanted);
}

/**
 * Writes the weights of rows. This is a separate function, like `listRows`, because V8 may leave optimized code when a
 * loop ends.
 */
export function weighRows(
  values: Float64Array,
  { descending, ranks }: BoundOrder,
  weighed: Float64Array,
  from: number,
  to: number,
): void {
  for (let row = from; row < to; row++) weighed[row] = weigh(values[row], descending, ranks);
}

function listRows(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  return rows;
}

/** Returns the weight of a value. Ascending weights give the requested order; the weight of null is Infinity. */
export function weigh(value: number, descending: boolean, ranks: Int32Array | undefined): number {
  if (ranks) return value === 0 ? Infinity : descending ? -ranks[value - 1] : ranks[value - 1];
  return value === value ? (descending ? -value : value) : Infinity;
}

/** Returns for each stored code its rank, starting at 1; 0 for null. */
export function rankNumbers(ranks: Int32Array): Uint32Array {
  const numbers = new Uint32Array(ranks.length + 1);
  for (let code = 0; code < ranks.length; code++) numbers[code + 1] = ranks[code] + 1;
  return numbers;
}

type Compare = (left: number, right: number) => number;

/** Returns a comparison that regularly checks whether the query has been cancelled. */
function cancellable(compare: Compare): Compare {
  let left = comparisonsPerLook;
  return (one, other) => {
    if (--left === 0) {
      endIfCancelled();
      left = comparisonsPerLook;
    }
    return compare(one, other);
  };
}

/** Compares rows by their weights. Infinity - Infinity is NaN, which counts as equal. */
function comparison(weights: readonly Float64Array[]): Compare {
  const [first] = weights;
  if (weights.length === 1) return (left, right) => first[left] - first[right] || left - right || 0;
  return (left, right) => {
    for (const weight of weights) {
      if (weight[left] < weight[right]) return -1;
      if (weight[left] > weight[right]) return 1;
    }
    return left - right;
  };
}

/** Finds the first `wanted` rows with a heap, whose root is the last of these rows. */
function top(compare: Compare, rowCount: number, wanted: number): Uint32Array {
  const heap = new Uint32Array(wanted);
  if (wanted === 0) return heap;
  const sink = (from: number): void => {
    let parent = from;
    for (;;) {
      let last = parent;
      const left = parent * 2 + 1;
      if (left < wanted && compare(heap[left], heap[last]) > 0) last = left;
      if (left + 1 < wanted && compare(heap[left + 1], heap[last]) > 0) last = left + 1;
      if (last === parent) return;
      const moved = heap[parent];
      heap[parent] = heap[last];
      heap[last] = moved;
      parent = last;
    }
  };
  for (let row = 0; row < wanted; row++) heap[row] = row;
  for (let parent = wanted >> 1; parent >= 0; parent--) sink(parent);
  for (let row = wanted; row < rowCount; row++) {
    if (compare(row, heap[0]) > 0) continue;
    heap[0] = row;
    sink(0);
  }
  return heap.sort(compare);
}

/** Returns `values[indices[i]]` for each index. */
export function gather(
  values: Float64Array,
  indices: Int32Array | Uint32Array,
): Float64Array<ArrayBuffer> {
  const picked = new Float64Array(indices.length);
  inSteps(indices.length, (from, to) => {
    for (let index = from; index < to; index++) picked[index] = values[indices[index]];
  });
  return picked;
}
