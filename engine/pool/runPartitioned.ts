import { clearPartitions, isOverfull } from "../operators/groups/partitions.ts";
import { orderedByKeys } from "../operators/output/finishHash.ts";
import { compileScan } from "../operators/scan.ts";
import { joinInTurns } from "./joinInTurns.ts";
import type { FinishPartsTask, ScanTask } from "./messages.ts";
import { reservePartitions, type PartitionRequest } from "./reservePartitions.ts";
import { sortAndCut, withoutColumns } from "./sortAndCut.ts";

interface PartitionedAnswer {
  readonly columns: readonly Float64Array[];
  readonly scannedRowCount: number;
}

/**
 * Runs a plan with very many groups: the scan partitions the rows by the hash of their keys, and each part is then
 * folded by one thread, so that its groups stay in the cache and need no merging. Returns undefined if the plan does
 * not need it, or if the rows take too much memory.
 * @throws {EngineError} QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
 */
export async function runPartitioned(
  request: PartitionRequest,
): Promise<PartitionedAnswer | undefined> {
  const partitions = await reservePartitions(request);
  if (!partitions) return undefined;
  const { plan, grouping, taskCount, used, tasks, scratch, arenas, heap } = request;
  const { control } = tasks;
  const views = arenas.view();
  clearPartitions(partitions, views[partitions.arena]);
  const none = views.map((_, index) => (used.includes(index) ? 0 : -1));
  const place = { arenas: views, bases: none, heap };
  const { sizeBytes } = compileScan(plan, place, [], 1, partitions);
  const bases = Array.from({ length: taskCount }, () => scratch.workspace(sizeBytes, used));
  const memories = arenas.memories();
  const answers = await tasks.sendAll(
    bases.map((base): ScanTask => ({
      kind: "scan",
      memories,
      plan,
      control,
      bases: base,
      homeArena: partitions.arena,
      partCount: 1,
      laneStates: 0,
      laneBytes: 0,
      partitions,
    })),
  );
  if (isOverfull(partitions, arenas.view()[partitions.arena])) {
    request.tell?.("more rows pass the filter than a sample showed");
    return undefined;
  }
  const parts = await tasks.sendAll(
    bases.map((): FinishPartsTask => ({
      kind: "finishParts",
      control,
      memories,
      plan: withoutColumns(plan),
      partitions,
    })),
  );
  const joined = await joinInTurns(parts.map(({ columns }) => columns));
  return {
    columns: await sortAndCut(orderedByKeys(plan, grouping), joined, tasks),
    scannedRowCount: answers.reduce((sum, answer) => sum + answer.scannedRowCount, 0),
  };
}
