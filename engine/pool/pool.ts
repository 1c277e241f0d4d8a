import { Piscina } from "piscina";
import { EngineError } from "../errors.ts";
import { finish, type LaneResults } from "../operators/finish.ts";
import { laneCount } from "../operators/scan.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import {
  controlCancelled,
  type Failure,
  type FinishAnswer,
  type ScanAnswer,
  type WorkerTask,
} from "./messages.ts";

export interface PoolOptions {
  readonly workers: number;
  /** Tasks that may wait; past them a query is refused with STORE_BUSY. */
  readonly queueLength?: number;
  /** Heap of one worker; past it a query fails with QUERY_OUT_OF_MEMORY. */
  readonly workerHeapMb?: number;
}

export interface PoolAnswer {
  readonly columns: readonly Float64Array[];
  readonly scannedRowCount: number;
}

/** Doubles up to which lanes are merged on the main thread: about a millisecond of work. */
const inlineValues = 20_000;

const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/** A fixed number of threads that run bound plans. */
export class Pool {
  readonly #piscina: Piscina;
  readonly #workers: number;
  readonly #controls = new Set<Int32Array>();

  constructor({ workers, queueLength = 1024, workerHeapMb = 2048 }: PoolOptions) {
    this.#workers = workers;
    this.#piscina = new Piscina({
      filename: workerUrl.href,
      minThreads: workers,
      maxThreads: workers,
      maxQueue: queueLength,
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
    });
    this.#piscina.on("error", () => undefined);
  }

  get queuedTasks(): number {
    return this.#piscina.queueSize;
  }

  /**
   * Runs a plan: at most one task a worker, lanes taken from a shared counter. Aborting `signal` sets a flag that workers read before every row group.
   * @throws {EngineError} STORE_BUSY, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run(plan: BoundPlan, signal?: AbortSignal): Promise<PoolAnswer> {
    const lanes = laneCount(plan.rowCount);
    const control = new Int32Array(new SharedArrayBuffer(8));
    const cancel = () => Atomics.store(control, controlCancelled, 1);
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    signal?.addEventListener("abort", cancel);
    this.#controls.add(control);
    try {
      const tasks = Array.from({ length: Math.min(lanes, this.#workers) }, () =>
        this.#send<ScanAnswer>({ kind: "scan", plan, control }),
      );
      for (const task of tasks) task.catch(cancel);
      const settled = await Promise.allSettled(tasks);
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      const failed = settled
        .filter((outcome) => outcome.status === "rejected")
        .map((outcome): unknown => outcome.reason);
      if (failed.length > 0)
        throw (
          failed.find(
            (error) => !(error instanceof EngineError && error.code === "QUERY_CANCELLED"),
          ) ?? failed[0]
        );
      const results = settled
        .flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value.lanes : []))
        .sort((left, right) => left.lane - right.lane);
      const found: LaneResults = {
        groups: results.flatMap(({ result }) => (result.groups ? [result.groups] : [])),
        rows: results.flatMap(({ result }) => (result.rows ? [result.rows] : [])),
      };
      const columns = await this.#finish(plan, found);
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      return {
        columns,
        scannedRowCount: results.reduce((sum, { result }) => sum + result.scannedRowCount, 0),
      };
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#controls.delete(control);
    }
  }

  /** Cancels what runs and ends the threads. */
  async close(): Promise<void> {
    for (const control of this.#controls) Atomics.store(control, controlCancelled, 1);
    await this.#piscina.close();
  }

  async #finish(plan: BoundPlan, lanes: LaneResults): Promise<readonly Float64Array[]> {
    const { grouping } = plan;
    const bitmaps =
      lanes.groups[0]?.distincts.some(
        (pairs) => pairs.kind === "bits" && pairs.bits.length > inlineValues,
      ) ?? false;
    const pairCount = lanes.groups.reduce(
      (sum, lane) =>
        sum +
        lane.distincts.reduce(
          (count, pairs) => count + (pairs.kind === "pairs" ? pairs.values.length : 0),
          0,
        ),
      0,
    );
    const valueCount = grouping
      ? pairCount +
        lanes.groups.reduce((sum, lane) => sum + lane.groupCount, 0) *
          (grouping.keys.length + grouping.states.length)
      : lanes.rows.reduce((sum, columns) => sum + columns.length * (columns[0]?.length ?? 0), 0);
    if (valueCount <= inlineValues && !bitmaps) return finish(plan, lanes);
    const needed: BoundPlan = { ...plan, columns: [] };
    return (await this.#send<FinishAnswer>({ kind: "finish", plan: needed, lanes })).columns;
  }

  async #send<Answer extends { readonly ok: true }>(task: WorkerTask): Promise<Answer> {
    let answer: Answer | Failure;
    try {
      answer = await this.#piscina.run(task);
    } catch (cause) {
      throw toEngineError(cause, this.queuedTasks);
    }
    if (!answer.ok) throw new EngineError(answer.code, answer.details);
    return answer;
  }
}

function toEngineError(cause: unknown, queued: number): EngineError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = (cause as { code?: unknown } | null)?.code;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return new EngineError("QUERY_OUT_OF_MEMORY", [], { cause });
  if (/queue is at limit|No task queue available/i.test(message))
    return new EngineError("STORE_BUSY", [queued], { cause });
  return new EngineError("WORKER_FAILED", [message], { cause });
}
