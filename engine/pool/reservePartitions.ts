import { chunkRows, partitionBytes, rowPartBits } from "../operators/groups/partitions.ts";
import type { Partitions } from "../operators/groups/partitions.ts";
import { hashInputs, kindOf } from "../operators/groups/hashInputs.ts";
import type { SampledGroups } from "../operators/groups/sampleGroups.ts";
import { canSplit } from "../operators/groups/splitGroups.ts";
import { hasOrderedStates } from "../plan/orderedStates.ts";
import { passingShare, samplePlan, type SampleRequest } from "./samplePlan.ts";

/** Number of rows of a table, and of passing rows, for which rows are partitioned. */
const leastTableRows = 2 ** 16;
const leastRows = 2 ** 11;
/**
 * Number of groups in the sample from which a hash table of all groups misses the caches so often that partitioning is
 * faster. In a smaller sample, it is enough that every other row has a new group.
 */
const manyGroups = 2 ** 15;
/** Margin for the number of rows that pass the filter, as a factor and as a share of the table. */
const margin = { factor: 1.25, share: 1 / 32 };

/** A plan, and the threads and the memory to run it. */
export interface PartitionRequest extends SampleRequest {
  readonly taskCount: number;
  /** A sample of the plan's groups, if one was taken. */
  readonly sample?: SampledGroups | undefined;
  /** Receives the reason why a plan with very many groups is not partitioned; undefined if it is. */
  readonly tell?: ((refusal: string | undefined) => void) | undefined;
}

/**
 * Reserves a block in which the rows of a plan are partitioned by their keys. Returns undefined if the plan has too few
 * groups or rows for it, or if the block would take too much of the memory for queries.
 */
export async function reservePartitions(
  request: PartitionRequest,
): Promise<Partitions | undefined> {
  const { plan, grouping, taskCount, used, scratch } = request;
  if (plan.rowCount < leastTableRows || !canSplit(grouping) || grouping.digests.length > 0)
    return undefined;
  const rowCount = await partitionedRows(request);
  if (rowCount === undefined) return undefined;
  const partBits = rowPartBits(rowCount);
  const spanCount = hasOrderedStates(grouping) ? plan.laneCount : 1;
  const openChunks = 2 ** partBits * (spanCount > 1 ? spanCount : taskCount);
  const shape = {
    partBits,
    spanCount,
    chunkCount: Math.ceil(rowCount / chunkRows) + openChunks,
    widths: hashInputs(grouping).columns.map((input) => (kindOf(input) === "double" ? 8 : 4)),
  } as const;
  const [arena] = used;
  const sizeBytes = partitionBytes(shape);
  const address = scratch.reserveSpare(sizeBytes, arena);
  if (address === undefined) {
    const sizeMb = Math.ceil(sizeBytes / 2 ** 20);
    request.tell?.(`partitioning needs ${sizeMb} MiB, more than queries can spare`);
    return undefined;
  }
  request.tell?.(undefined);
  return { ...shape, arena, address };
}

/** Returns the number of rows to make room for; undefined if a sample shows too few rows or groups. */
async function partitionedRows(request: PartitionRequest): Promise<number | undefined> {
  const { plan } = request;
  const sample = request.sample ?? (await samplePlan(request));
  const share = passingShare(sample);
  const { openRowCount, groupCount, passingCount } = sample;
  const isDiverse = groupCount * 2 >= passingCount;
  if (openRowCount * share < leastRows || (groupCount < manyGroups && !isDiverse)) return undefined;
  if (share === 1 && !plan.filter && !plan.deleted) return openRowCount;
  return Math.ceil(Math.min(1, share * margin.factor + margin.share) * openRowCount);
}
