import type { BoundGrouping, BoundOrder, BoundPlan } from "../../plan/boundPlan.ts";
import type { HashInputs } from "../groups/hashInputs.ts";
import { hashKeyValues, type HashKeyPart } from "../groups/hashKeys.ts";
import type { HashState } from "../groups/hashState.ts";
import { inSteps } from "../task/inSteps.ts";
import { weigh } from "./sort.ts";
import { nthWeight, weighGroups } from "./weighGroups.ts";

/** Maximum number of rows in an answer for which its groups are selected in advance. */
const mostRows = 4096;

/**
 * Returns the groups that can be among the first rows of the answer, ascending, so that nothing has to be computed for
 * the other groups. Compares by the order of the plan, as far as keys and states of 16 bytes determine it. Returns
 * undefined if the plan has no limit, or has a group limit, a `having` or cumulative sums.
 */
export function leadingGroups(
  plan: BoundPlan,
  grouping: BoundGrouping,
  inputs: HashInputs,
  state: HashState,
): Uint32Array | undefined {
  if (!plan.limit || plan.groupLimit || plan.having) return undefined;
  if (grouping.outputs.some(({ kind }) => kind === "cumulativesum")) return undefined;
  let wanted = plan.limit.offset + plan.limit.count;
  const { count } = state.chain;
  if (wanted === 0 || wanted > mostRows || wanted >= count) return undefined;
  const leading = new Uint32Array(wanted);
  let leadingCount = 0;
  let ties = new Uint32Array(count);
  for (let group = 0; group < count; group++) ties[group] = group;
  for (const part of plan.order) {
    if (ties.length <= wanted) break;
    const weights = weightsOf(part, ties, grouping, inputs, state);
    if (!weights) break;
    const worst = nthWeight(weights, wanted);
    const divided = divide(ties, weights, worst, leading.subarray(leadingCount));
    leadingCount += divided.betterCount;
    wanted -= divided.betterCount;
    ties = ties.subarray(0, divided.tieCount);
  }
  const found = new Uint32Array(leadingCount + ties.length);
  found.set(leading.subarray(0, leadingCount));
  found.set(ties, leadingCount);
  return found.sort();
}

/**
 * Copies the groups that weigh less than `worst` to `better`, and moves the groups that weigh the same to the start of
 * `groups`.
 */
function divide(
  groups: Uint32Array,
  weights: Float64Array,
  worst: number,
  better: Uint32Array,
): { readonly betterCount: number; readonly tieCount: number } {
  let betterCount = 0;
  let tieCount = 0;
  for (let row = 0; row < weights.length; row++) {
    const weight = weights[row];
    if (weight > worst) continue;
    if (weight === worst) groups[tieCount++] = groups[row];
    else better[betterCount++] = groups[row];
  }
  return { betterCount, tieCount };
}

/** Returns the weights of groups in one part of the order; undefined if these need more than keys and two states. */
function weightsOf(
  { output, descending, ranks }: BoundOrder,
  groups: Uint32Array,
  grouping: BoundGrouping,
  inputs: HashInputs,
  state: HashState,
): Float64Array | undefined {
  const of = grouping.outputs[output];
  if (of.kind === "key") {
    const part = inputs.parts.findIndex((each) => hasKey(each, of.key));
    const column = state.chain.valuesOf(part, groups);
    const { keys } = hashKeyValues([inputs.parts[part]], [column], () => []);
    const values = keys[of.key];
    const weights = new Float64Array(groups.length);
    inSteps(weights.length, (from, to) => {
      for (let row = from; row < to; row++) weights[row] = weigh(values[row], descending, ranks);
    });
    return weights;
  }
  return weighGroups({
    output: of,
    descending,
    f64: state.arena.f64,
    at: ({ slot, lane }) => state.slotAt(grouping.slots[slot], slot) / 8 + lane,
    groups,
    groupCount: groups.length,
  });
}

function hasKey(part: HashKeyPart, key: number): boolean {
  return part.kind === "number" ? part.places.includes(key) : part.place === key;
}
