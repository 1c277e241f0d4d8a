import type { FinishedColumns } from "../operators/output/finishHash.ts";
import { finishRows } from "../operators/output/finishRows.ts";
import type { LaneResult } from "../operators/scan.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import { inlineValues } from "./inlineValues.ts";
import type { QueryTasks } from "./queryTasks.ts";
import { withoutColumns } from "./sortAndCut.ts";

/**
 * Concatenates, sorts and limits the rows of an ungrouped plan: on this thread if there are few rows, otherwise in a
 * thread of the pool.
 */
export async function mergeRows(
  plan: BoundPlan,
  results: readonly LaneResult[],
  tasks: QueryTasks,
): Promise<FinishedColumns> {
  const lanes = results.flatMap(({ rows, texts = [] }) => (rows ? [{ rows, texts }] : []));
  const { cells = [], order } = plan;
  const valueCount = lanes.reduce((sum, { rows }) => sum + rows.length * rows[0].length, 0);
  const isPlain = order.length === 0 && cells.every(({ kind }) => kind !== "computed");
  if (valueCount <= inlineValues || isPlain) return finishRows(plan, cells, lanes);
  const { control } = tasks;
  const { columns, texts = [] } = await tasks.send({
    kind: "finishRows",
    control,
    plan: withoutColumns(plan),
    lanes,
  });
  return { columns, texts };
}
