import { chunkRows, partitionBytes, rowPartBits } from "../operators/groups/partitions.ts";
import type { Partitions } from "../operators/groups/partitions.ts";
import { hashInputs, kindOf } from "../operators/groups/hashInputs.ts";
import { compileSample } from "../operators/groups/sampleGroups.ts";
import { canSplit } from "../operators/groups/splitGroups.ts";
import type { Heap } from "../operators/task/heap.ts";
import type { BoundGrouping, BoundPlan } from "../plan/boundPlan.ts";
import { hasOrderedStates } from "../plan/orderedStates.ts";
import type { MainArenas } from "./mainArenas.ts";
import type { QueryScratch } from "./queryScratch.ts";
import type { QueryTasks } from "./queryTasks.ts";

/** Minimum number of passing rows for which rows are partitioned. */
const leastRows = 2 ** 16;
/**
 * Number of groups in the sample from which a hash table of all groups misses the caches so often that partitioning is
 * faster. In a smaller sample, it is enough that every other row has a new group.
 */
const manyGroups = 2 ** 15;
/** Margin for the number of rows that pass the filter, as a factor and as a share of the table. */
const margin = { factor: 1.25, share: 1 / 32 };

/** A plan, and the threads and the memory to run it. */
export interface PartitionRequest {
  readonly plan: BoundPlan;
  readonly grouping: BoundGrouping;
  readonly taskCount: number;
  /** The arenas of the plan's columns. */
  readonly used: readonly number[];
  readonly tasks: QueryTasks;
  readonly scratch: QueryScratch;
  readonly arenas: MainArenas;
  readonly heap: Heap;
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
  if (plan.rowCount < leastRows || !canSplit(grouping) || grouping.digests.length > 0)
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
async function partitionedRows({
  plan,
  grouping,
  used,
  tasks,
  scratch,
  arenas,
  heap,
}: PartitionRequest): Promise<number | undefined> {
  const views = arenas.view();
  const none = views.map((_, index) => (used.includes(index) ? 0 : -1));
  const { sizeBytes } = compileSample(plan, grouping, { arenas: views, bases: none, heap });
  const bases = scratch.workspace(sizeBytes, used);
  const { control } = tasks;
  const memories = arenas.memories();
  const sample = await tasks.send({ kind: "sample", memories, plan, control, bases });
  const share = sample.passingCount / Math.max(1, sample.rowCount);
  const rowCount = plan.rowCount * share;
  const isDiverse = sample.groupCount * 2 >= sample.passingCount;
  if (rowCount < leastRows || (sample.groupCount < manyGroups && !isDiverse)) return undefined;
  if (share === 1 && !plan.filter && !plan.deleted) return plan.rowCount;
  return Math.ceil(Math.min(1, share * margin.factor + margin.share) * plan.rowCount);
}
