import type { BoundGrouping, BoundOrder, BoundPlan } from "../../plan/boundPlan.ts";
import type { HashInputs } from "../groups/hashInputs.ts";
import { hashKeyValues, type HashKeyPart } from "../groups/hashKeys.ts";
import type { HashState } from "../groups/hashState.ts";
import { inSteps } from "../task/inSteps.ts";
import { weigh } from "./sort.ts";
import { compileValue, replaceRoot } from "./topGroups.ts";

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
  const leading: Uint32Array[] = [];
  let ties = new Uint32Array(count);
  for (let group = 0; group < count; group++) ties[group] = group;
  for (const part of plan.order) {
    if (ties.length <= wanted) break;
    const weights = weightsOf(part, ties, grouping, inputs, state);
    if (!weights) break;
    const worst = nthWeight(weights, wanted);
    const better = ties.filter((_, row) => weights[row] < worst);
    leading.push(better);
    wanted -= better.length;
    ties = ties.filter((_, row) => weights[row] === worst);
  }
  const found = new Uint32Array(leading.reduce((sum, { length }) => sum + length, ties.length));
  let from = 0;
  for (const groups of [...leading, ties]) {
    found.set(groups, from);
    from += groups.length;
  }
  return found.sort();
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
  const weights = new Float64Array(groups.length);
  if (of.kind === "key") {
    const part = inputs.parts.findIndex((each) => hasKey(each, of.key));
    const column = state.chain.valuesOf(part, groups);
    const { keys } = hashKeyValues([inputs.parts[part]], [column], () => []);
    const values = keys[of.key];
    inSteps(weights.length, (from, to) => {
      for (let row = from; row < to; row++) weights[row] = weigh(values[row], descending, ranks);
    });
    return weights;
  }
  const valueOf = compileValue(
    of,
    state.arena.f64,
    ({ slot, lane }) => state.slotAt(grouping.slots[slot], slot) / 8 + lane,
  );
  if (!valueOf) return undefined;
  inSteps(weights.length, (from, to) => {
    for (let row = from; row < to; row++)
      weights[row] = weigh(valueOf(groups[row]), descending, undefined);
  });
  return weights;
}

function hasKey(part: HashKeyPart, key: number): boolean {
  return part.kind === "number" ? part.places.includes(key) : part.place === key;
}

/** Returns the `nth` least weight, counted from 1. */
function nthWeight(weights: Float64Array, nth: number): number {
  const heap = new Float64Array(nth).fill(Infinity);
  for (let row = 0; row < weights.length; row++)
    if (weights[row] < heap[0]) replaceRoot(heap, weights[row]);
  return heap[0];
}
