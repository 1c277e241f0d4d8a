import type { BoundOrder } from "../plan/boundPlan.ts";

/**
 * Sorts rows of output columns and returns row numbers: nulls last in both directions, texts by rank, ties by row.
 * Numbers are doubles with NaN for null, texts stored codes with 0 for null.
 */
export function sort(
  columns: readonly Float64Array[],
  order: readonly BoundOrder[],
  rowCount: number,
): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  if (order.length === 0) return rows;
  const weights = order.map(({ output, descending, ranks }) =>
    weigh(columns[output], rowCount, descending, ranks),
  );
  const [first] = weights;
  if (weights.length === 1)
    return rows.sort((left, right) => first[left] - first[right] || left - right || 0);
  return rows.sort((left, right) => {
    for (const weight of weights) {
      if (weight[left] < weight[right]) return -1;
      if (weight[left] > weight[right]) return 1;
    }
    return left - right;
  });
}

/** Turns a column into doubles whose ascending order is the wanted one; null is +Infinity and Infinity - Infinity, NaN, counts as equal. */
function weigh(
  values: Float64Array,
  rowCount: number,
  descending: boolean,
  ranks: Int32Array | undefined,
): Float64Array {
  const weights = new Float64Array(rowCount);
  const sign = descending ? -1 : 1;
  for (let row = 0; row < rowCount; row++) {
    const value = values[row];
    if (ranks) weights[row] = value === 0 ? Infinity : sign * ranks[value - 1];
    else weights[row] = value === value ? sign * value : Infinity;
  }
  return weights;
}
