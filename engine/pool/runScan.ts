import type { Failure } from "../failureOf.ts";
import type { Arena } from "../operators/task/arena.ts";
import type { Heap } from "../operators/task/heap.ts";
import { compileScan } from "../operators/scan.ts";
import { controlCancelled, controlNextLane, type ScanAnswer, type ScanTask } from "./messages.ts";

/** The memory in which a thread scans. */
interface ScanMemory {
  readonly arenas: readonly Arena[];
  readonly heap: Heap;
}

/**
 * Runs a thread's part of a scan: lanes until none are left, or the listed lanes. Yields after every row group and then
 * checks whether the query has been cancelled.
 */
export function* runScan(
  task: Omit<ScanTask, "kind" | "memories">,
  { arenas, heap }: ScanMemory,
): Generator<void, ScanAnswer | Failure> {
  const { plan, control, bases, homeArena, partCount, laneStates, laneBytes, second } = task;
  const place = { arenas, bases, heap };
  const scan = compileScan(plan, place, second?.requests, partCount, task.partitions);
  scan.begin();
  const home = arenas[homeArena];
  const isCancelled = () => Atomics.load(control, controlCancelled) === 1;
  const cancelled: Failure = { ok: false, code: "QUERY_CANCELLED", details: [] };
  const lanes: number[] = [];
  for (;;) {
    const lane = second
      ? (second.lanes[lanes.length] ?? plan.laneCount)
      : Atomics.add(control, controlNextLane, 1);
    if (lane >= plan.laneCount) break;
    if (isCancelled()) return cancelled;
    let to = laneStates + lane * laneBytes;
    const running = scan.runLane(lane, (arena, address, sizeBytes) => {
      home.u8.set(arena.u8.subarray(address, address + sizeBytes), to);
      to += sizeBytes;
    });
    while (!running.next().done) {
      if (isCancelled()) return cancelled;
      yield;
    }
    lanes.push(lane);
  }
  const results = scan.finish(homeArena);
  return { ok: true, lanes, results, scannedRowCount: scan.scannedRowCount };
}
