import { rowGroupSize } from "../column/segment/segment.ts";
import { vectorSize } from "../kernels/kernels.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import type { Arena } from "./task/arena.ts";
import {
  compileValueCollector,
  layoutCollect,
  type CollectLayout,
} from "./percentiles/collectValues.ts";
import { compileRowCollector } from "./output/collectRows.ts";
import { compileKeyFinder } from "./output/findKeys.ts";
import { compileRowCounter } from "./output/countRows.ts";
import { hasOrderedStates } from "../plan/orderedStates.ts";
import { compileDirectGroups } from "./groups/directGroups.ts";
import { compileHashGroups } from "./groups/hashGroups.ts";
import type { Partitions } from "./groups/partitions.ts";
import { compileRowPartitioner } from "./groups/rowPartitioner.ts";
import { compileFilter } from "./filter/filter.ts";
import type { Heap } from "./task/heap.ts";
import type { RecordedPairs } from "./groups/pairParts.ts";
import type { LaneGroups } from "./groups/laneGroups.ts";
import type { ComputedTexts } from "./rows/computedTexts.ts";
import { openCompilation } from "./filter/openCompilation.ts";
import type { CollectRequest } from "./percentiles/percentiles.ts";
import { splitGroups } from "./groups/splitGroups.ts";
import { layoutStates, type StateLayout } from "../plan/stateLayout.ts";
import { VectorSource } from "./rows/vectorSource.ts";
import { Workspace } from "./task/workspace.ts";

/** The memory in which a task scans. */
export interface ScanPlace {
  readonly arenas: readonly Arena[];
  /** Address of the task's workspace in each arena; -1 for arenas without a workspace. */
  readonly bases: readonly number[];
  readonly heap: Heap;
}

/** The result of one lane. If groups are directly numbered, their states stay in the workspace instead. */
export interface LaneResult {
  readonly lane: number;
  /** The groups that were found by hashing, in the requested number of parts. */
  readonly groups?: readonly LaneGroups[];
  /** The pairs that directly numbered groups recorded. */
  readonly pairs?: RecordedPairs;
  readonly rows?: readonly Float64Array[];
  /** The computed strings for the codes in `rows`, by cell. */
  readonly texts?: readonly ComputedTexts[];
}

export interface Scan {
  /** Bytes of the workspace that the scan needs. */
  readonly sizeBytes: number;
  readonly layout: StateLayout | undefined;
  /** The location at which the second scan writes the values that it gathers. */
  readonly collected: readonly CollectLayout[];
  /** Initializes the states. Call it once, before the first lane. */
  begin(): void;
  /**
   * Runs a lane and yields after every row group. `keep` receives the states of the lane that depend on the order of
   * rows.
   */
  runLane(
    lane: number,
    keep: (arena: Arena, address: number, sizeBytes: number) => void,
  ): Generator<void, void>;
  /** Moves the states to an arena and returns all other results. */
  finish(homeArena: number): readonly LaneResult[];
  readonly scannedRowCount: number;
}

/**
 * Compiles a task's scan for a plan. With `requests`, compiles the second scan for percentiles, which only gathers
 * values. Hashed groups are returned in `partCount` parts. With `partitions`, rows are only partitioned instead.
 */
export function compileScan(
  plan: BoundPlan,
  place: ScanPlace,
  requests: readonly CollectRequest[] = [],
  partCount = 1,
  partitions?: Partitions,
): Scan {
  const workspace = new Workspace();
  const { grouping } = plan;
  const isDirect = grouping?.mode === "direct";
  const isSecond = requests.length > 0;
  const layout = grouping && isDirect && !isSecond ? layoutStates(grouping, workspace) : undefined;
  const collected = isSecond ? layoutCollect(requests, workspace) : [];
  if (!layout && !isSecond) workspace.endStates();
  const source = new VectorSource(place.arenas, place.bases, plan.columns, workspace);
  const compilation = openCompilation(source, workspace);
  const filter = compileFilter(plan, compilation);
  const recordPlace = { heap: place.heap, rowCount: plan.rowCount };
  const direct =
    grouping && layout && compileDirectGroups(grouping, layout, compilation, recordPlace);
  const values =
    grouping && isSecond
      ? compileValueCollector(grouping, requests, collected, compilation)
      : undefined;
  const partitioner =
    grouping &&
    partitions &&
    compileRowPartitioner(
      grouping,
      {
        partitions,
        arena: place.arenas[partitions.arena],
        base: place.bases[partitions.arena],
      },
      compilation,
    );
  const hash =
    grouping && !isDirect && !partitioner
      ? compileHashGroups(grouping, place.heap, compilation)
      : undefined;
  const { cells, counted, wantedKeys } = plan;
  const collector =
    cells &&
    (counted
      ? compileRowCounter(counted, plan, cells, compilation)
      : wantedKeys
        ? compileKeyFinder(wantedKeys, plan, cells, compilation)
        : compileRowCollector(plan, cells, compilation));
  const isLaneWise = hash !== undefined && grouping !== undefined && hasOrderedStates(grouping);
  const rowGroupCount = Math.ceil(plan.rowCount / rowGroupSize);
  const results: LaneResult[] = [];
  let scannedRowCount = 0;

  /** Returns whether all rows of the row group are folded in one step. */
  const canFoldWhole = (rowCount: number): boolean => {
    source.openVector(0, rowCount);
    return direct?.canFoldRowGroup() ?? values?.canFoldRowGroup() ?? false;
  };
  const scanRowGroup = (rowGroup: number): void => {
    source.openRowGroup(rowGroup);
    const rowCount = source.rowGroupRowCount(plan.rowCount);
    const pruning = filter ? filter.openRowGroup() : "all";
    if (pruning === "none" || collector?.canSkip()) return;
    scannedRowCount += rowCount;
    direct?.openRowGroup();
    hash?.openRowGroup();
    partitioner?.openRowGroup();
    values?.openRowGroup();
    collector?.openRowGroup?.();
    if (pruning === "all" && direct?.foldSummary(rowCount)) return;
    const step = pruning === "all" && canFoldWhole(rowCount) ? rowGroupSize : vectorSize;
    for (let start = 0; start < rowCount; start += step) {
      source.openVector(start, Math.min(step, rowCount - start));
      if (filter && pruning === "some" && filter.apply() === 0) continue;
      direct?.fold();
      hash?.fold();
      partitioner?.add();
      values?.fold();
      collector?.add();
      if (collector?.isFull() || partitioner?.isOverfull) return;
    }
  };

  return {
    sizeBytes: workspace.sizeBytes,
    layout,
    collected,
    get scannedRowCount() {
      return scannedRowCount;
    },
    begin: () => {
      source.begin();
      direct?.begin();
      values?.begin();
      partitioner?.begin();
    },
    *runLane(lane, keep) {
      partitioner?.beginLane(lane);
      const end = Math.floor((rowGroupCount * (lane + 1)) / plan.laneCount);
      for (
        let rowGroup = Math.floor((rowGroupCount * lane) / plan.laneCount);
        rowGroup < end;
        rowGroup++
      ) {
        scanRowGroup(rowGroup);
        if (collector?.isFull() || partitioner?.isOverfull) break;
        yield;
      }
      direct?.endLane(keep);
      partitioner?.endLane();
      if (isLaneWise && hash) results.push({ lane, groups: splitGroups(hash.take(), partCount) });
      if (collector) results.push({ lane, ...collector.take(lane) });
    },
    finish: (homeArena) => {
      direct?.finish();
      partitioner?.finish();
      source.leaveTo(homeArena);
      const pairs = direct?.takePairs();
      if (pairs) results.push({ lane: 0, pairs });
      if (hash && !isLaneWise)
        results.push({ lane: 0, groups: splitGroups(hash.take(), partCount) });
      results.push(...(collector?.finish?.() ?? []));
      return results;
    },
  };
}
