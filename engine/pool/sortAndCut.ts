import { cutAnswer } from "../operators/output/cutAnswer.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import { inlineValues } from "./inlineValues.ts";
import type { QueryTasks } from "./queryTasks.ts";

/**
 * Sorts and limits the concatenated rows of parts: on this thread if there are few rows, otherwise in a thread of the
 * pool.
 */
export async function sortAndCut(
  plan: BoundPlan,
  columns: Float64Array[],
  tasks: QueryTasks,
): Promise<readonly Float64Array[]> {
  const valueCount = columns.length * columns[0].length;
  if (valueCount <= inlineValues || plan.order.length === 0) return cutAnswer(plan, columns);
  const { control } = tasks;
  const cut = await tasks.send({ kind: "cut", control, plan: withoutColumns(plan), columns });
  return cut.columns;
}

/** Returns a plan without its columns, for tasks that read no rows. */
export function withoutColumns(plan: BoundPlan): BoundPlan {
  return { ...plan, columns: [] };
}
