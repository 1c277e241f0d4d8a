import type { BoundGrouping, BoundPlan, SlotDouble } from "../../plan/boundPlan.ts";
import { nthWeight, weighGroups } from "./weighGroups.ts";

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
  const output = grouping.outputs[first.output];
  const { descending } = first;
  const weights = weighGroups({ output, descending, f64, at, groups, groupCount });
  if (!weights) return groupCount;
  const worst = nthWeight(weights, wanted);
  let count = 0;
  for (let row = 0; row < groupCount; row++)
    if (weights[row] <= worst) groups[count++] = groups[row];
  return count;
}
