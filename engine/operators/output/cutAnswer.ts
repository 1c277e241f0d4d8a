import type { BoundPlan } from "../../plan/boundPlan.ts";
import type { ComputedTexts } from "../rows/computedTexts.ts";
import { finiteOf, scales } from "../../plan/scaledSums.ts";
import type { GroupLimit } from "../../types.ts";
import { inSteps } from "../task/inSteps.ts";
import { createGroupLeaders } from "./groupLeaders.ts";
import { leadingRows, numberRows, type Numbered } from "./leadingRows.ts";
import { gather, sort } from "./sort.ts";
import { testColumns } from "./testColumns.ts";

/** Applies `having`. `texts` are the strings of outputs that contain codes of computed strings. */
export function applyHaving(
  plan: BoundPlan,
  columns: Float64Array[],
  texts: readonly ComputedTexts[] = [],
): Float64Array[] {
  if (!plan.having) return columns;
  const rowCount = columns[0].length;
  const mask = testColumns(plan.having, columns, rowCount, texts);
  const kept = new Int32Array(rowCount);
  let count = 0;
  for (let row = 0; row < rowCount; row++) if (mask[row]) kept[count++] = row;
  return columns.map((column) => gather(column, kept.subarray(0, count)));
}

/**
 * Sorts rows, computes cumulative sums, and applies the group limit and the limit. Without an order, rows keep their
 * positions.
 */
export function cutAnswer(plan: BoundPlan, columns: Float64Array[]): Float64Array[] {
  const { groupLimit, limit } = plan;
  if (groupLimit) {
    const { groupLimit: _, limit: __, ...whole } = plan;
    const isCumulative = cumulativeOutputs(plan).length > 0;
    const sorted = cutAnswer(whole, isCumulative ? columns : cutGroups(plan, groupLimit, columns));
    const kept = leadingRows(sorted, groupLimit, sorted[0].length);
    const page = limit ? kept.subarray(limit.offset, limit.offset + limit.count) : kept;
    return sorted.map((column) => gather(column, page));
  }
  const rowCount = columns[0].length;
  const start = limit ? Math.min(limit.offset, rowCount) : 0;
  const end = limit ? Math.min(start + limit.count, rowCount) : rowCount;
  const cumulative = cumulativeOutputs(plan);
  let sorted = [...columns];
  if (plan.order.length > 0) {
    const wanted = cumulative.length > 0 ? rowCount : end;
    const rows = sort(columns, plan.order, rowCount, wanted);
    sorted = columns.map((column) => gather(column, rows));
  }
  for (const { output, per } of cumulative)
    sorted[output] = per
      ? addUpSeries(sorted[output], numberRows(sorted, per, rowCount))
      : addUp(sorted[output]);
  return sorted.map((column) =>
    start === 0 && end === column.length ? column : column.slice(start, end),
  );
}

/** Keeps those rows of a part that can be in the answer, in their original order. */
export function cutPart(plan: BoundPlan, columns: Float64Array[]): Float64Array[] {
  const rowCount = columns[0].length;
  if (cumulativeOutputs(plan).length > 0) return columns;
  if (plan.groupLimit) return cutGroups(plan, plan.groupLimit, columns);
  if (!plan.limit) return columns;
  const wanted = plan.limit.offset + plan.limit.count;
  if (rowCount <= wanted) return columns;
  const rows = sort(columns, plan.order, rowCount, wanted).slice().sort();
  return columns.map((column) => gather(column, rows));
}

/**
 * Keeps the rows that a group limit keeps if further rows may follow, in their original order. Rows before the group
 * limit's offset are kept, because the final group limit skips them.
 */
export function cutGroups(
  { order }: Pick<BoundPlan, "order">,
  limit: GroupLimit,
  columns: Float64Array[],
): Float64Array[] {
  const rowCount = columns[0].length;
  const leaders = createGroupLeaders(limit, order, columns.length);
  if (leaders) {
    inSteps(rowCount, (from, to) =>
      leaders.add(
        columns.map((column) => column.subarray(from, to)),
        to - from,
      ),
    );
    return leaders.take().rows;
  }
  const { outputs, count, offset } = limit;
  const rows = sort(columns, order, rowCount);
  const sorted = columns.map((column, output) =>
    outputs.includes(output) ? gather(column, rows) : column,
  );
  const kept = leadingRows(sorted, { outputs, count: offset + count, offset: 0 }, rows.length);
  const places = Uint32Array.from(kept, (place) => rows[place]).sort();
  return columns.map((column) => gather(column, places));
}

interface CumulativeOutput {
  readonly output: number;
  readonly per?: readonly number[];
}

function cumulativeOutputs(plan: BoundPlan): CumulativeOutput[] {
  return (plan.grouping?.outputs ?? []).flatMap((each, output) =>
    each.kind === "cumulativesum" ? [{ output, ...(each.per && { per: each.per }) }] : [],
  );
}

/** Computes a cumulative sum for each series. `numbers` contains the number of each row's series. */
function addUpSeries(values: Float64Array, { numbers, numberCount }: Numbered): Float64Array {
  const counts = new Uint32Array(numberCount);
  const sums = new Float64Array(numberCount);
  const scaled = new Float64Array(numberCount);
  return values.map((value, row) => {
    const series = numbers[row];
    if (value === value) {
      sums[series] = counts[series]++ === 0 ? value : sums[series] + value;
      scaled[series] += value * scales.sum;
    }
    return counts[series] === 0 ? NaN : finiteOf(sums[series], scaled[series], scales.sum);
  });
}

/**
 * Computes cumulative sums from row to row. Nulls add nothing. A sum that exceeds the range of doubles is null, but
 * later sums are not.
 */
function addUp(values: Float64Array): Float64Array {
  let count = 0;
  let sum = 0;
  let scaled = 0;
  return values.map((value) => {
    if (value === value) {
      sum = count++ === 0 ? value : sum + value;
      scaled += value * scales.sum;
    }
    return count === 0 ? NaN : finiteOf(sum, scaled, scales.sum);
  });
}
