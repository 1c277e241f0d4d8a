import { move, transferableSymbol, valueSymbol } from "piscina";
import { finish } from "../operators/finish.ts";
import { RowGroupReader } from "../operators/rowGroupReader.ts";
import { laneCount, scanLane } from "../operators/scan.ts";
import {
  controlCancelled,
  controlNextLane,
  type Failure,
  type FinishAnswer,
  type FinishTask,
  type ScanAnswer,
  type ScanTask,
  type WorkerTask,
} from "./messages.ts";

/** The entry of a pool's thread. */
export default function work(task: WorkerTask): unknown {
  try {
    return transferred(task.kind === "scan" ? scan(task) : runFinish(task));
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    const message = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      code: isTooLarge ? "QUERY_OUT_OF_MEMORY" : "WORKER_FAILED",
      details: isTooLarge ? [] : [message],
    } satisfies Failure;
  }
}

function scan({ plan, control }: ScanTask): ScanAnswer | Failure {
  const reader = new RowGroupReader(plan.columns);
  const lanes = [];
  for (;;) {
    const lane = Atomics.add(control, controlNextLane, 1);
    if (lane >= laneCount(plan.rowCount)) return { ok: true, lanes };
    const result = scanLane(
      plan,
      reader,
      lane,
      () => Atomics.load(control, controlCancelled) === 1,
    );
    if (!result) return { ok: false, code: "QUERY_CANCELLED", details: [] };
    lanes.push({ lane, result });
  }
}

function runFinish({ plan, lanes }: FinishTask): FinishAnswer {
  return { ok: true, columns: finish(plan, lanes) };
}

/** Moves the answer's arrays to the main thread instead of copying them. */
function transferred(answer: ScanAnswer | FinishAnswer | Failure): unknown {
  const buffers = new Set<ArrayBuffer>();
  const collect = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(answer);
  return move({ [transferableSymbol]: [...buffers], [valueSymbol]: answer });
}
