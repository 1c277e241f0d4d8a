import type { SampledGroups } from "../operators/groups/sampleGroups.ts";
import { laneCountOf } from "../plan/bindPlan.ts";
import type { BoundGrouping, BoundPlan } from "../plan/boundPlan.ts";
import { orderedBytes } from "../plan/orderedStates.ts";
import { slotBytes } from "../plan/stateLayout.ts";
import { passingShare, samplePlan, type SampleRequest } from "./samplePlan.ts";

/** Bytes of the states of numbered groups from which clearing and merging them takes longer than a sample. */
const leastStateBytes = 2 ** 22;
/** Bytes of the states per passing row from which hashing the rows takes less time than all states. */
const stateBytesPerRow = 128;

/** A plan, and the sample on which its grouping was decided; undefined if none was taken. */
interface SampledPlan {
  readonly plan: BoundPlan;
  readonly sample?: SampledGroups;
}

/**
 * Finds groups by hashing instead of numbering them if so few rows pass the filter that nearly all numbers would have
 * no row. Otherwise returns the plan unchanged. The decision depends only on the plan and the rows.
 * @throws {EngineError} QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
 */
export async function hashSparseGroups(
  plan: BoundPlan,
  request: Omit<SampleRequest, "plan" | "grouping">,
): Promise<SampledPlan> {
  const { grouping, filter } = plan;
  if (grouping?.mode !== "direct" || !filter) return { plan };
  const stateBytes = stateBytesOf(plan, grouping);
  if (stateBytes < leastStateBytes) return { plan };
  const sample = await samplePlan({ ...request, plan, grouping });
  const passingCount = sample.openRowCount * passingShare(sample);
  const isSparse = stateBytes >= passingCount * stateBytesPerRow;
  if (!isSparse) return { plan };
  const { paired: _, ...direct } = grouping;
  const hashed: BoundGrouping = { ...direct, mode: "hash", capacity: 0 };
  const laneCount = laneCountOf(plan.rowCount, hashed);
  return { plan: { ...plan, laneCount, grouping: hashed }, sample };
}

/** Returns the bytes of the states of all groups. Those that depend on the order of rows exist once for each lane. */
function stateBytesOf({ laneCount }: BoundPlan, grouping: BoundGrouping): number {
  const ordered = orderedBytes(grouping);
  const all = grouping.slots.reduce((sum, slot) => sum + slotBytes(slot), 0);
  return grouping.capacity * (all + ordered * laneCount);
}
