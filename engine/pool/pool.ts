import { EngineError } from "../errors.ts";
import type { Failure } from "../failureOf.ts";
import type { IngestAnswer, IngestTask, SealAnswer, SealTask } from "../ingest/messages.ts";
import { collectGarbage } from "../memory/collectGarbage.ts";
import type { Memory } from "../memory/memory.ts";
import { Heap } from "../operators/heap.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import { FairQueue } from "./fairQueue.ts";
import { MainArenas } from "./mainArenas.ts";
import { QueryScratch } from "./queryScratch.ts";
import { QueryTasks } from "./queryTasks.ts";
import { runPlan, type PoolAnswer } from "./runPlan.ts";
import { canShareScan, mostTogether, SharedScans } from "./sharedScans.ts";
import { Threads } from "./threads.ts";

export type { PoolAnswer };

export interface PoolOptions {
  readonly workers: number;
  readonly memory: Memory;
  /** Queries that may wait; past them a query is refused with STORE_BUSY. */
  readonly queueLength?: number;
  /** Heap of one worker; past it a query fails with QUERY_OUT_OF_MEMORY. */
  readonly workerHeapMb?: number;
}

/** Places of the queue that a query takes; one that can share a scan takes one, so that as many run as scan together. */
const placesPerQuery = mostTogether;
/** One query scans, and the next phase of another can follow at once. */
const queriesPerWorker = 2;

/** A fixed number of threads and the queues in which queries and ingests wait for them. */
export class Pool {
  readonly #threads: Threads;
  readonly #memory: Memory;
  readonly #arenas: MainArenas;
  readonly #heap = new Heap();
  readonly #queue: FairQueue;
  /** One task a thread, so that a query waits for one of them at most. */
  readonly #encodings: FairQueue;
  readonly #sharedScans: SharedScans;
  readonly #running = new Set<QueryTasks>();

  constructor({ workers, memory, queueLength = 1024, workerHeapMb = 2048 }: PoolOptions) {
    this.#memory = memory;
    this.#arenas = new MainArenas(memory);
    this.#queue = new FairQueue(workers * queriesPerWorker * placesPerQuery, queueLength);
    this.#encodings = new FairQueue(workers, Infinity);
    this.#threads = new Threads({
      count: workers,
      queueLength: workers * workers * queriesPerWorker * 4,
      heapMb: workerHeapMb,
    });
    this.#sharedScans = new SharedScans(this.#threads, this.#arenas);
  }

  get queuedQueries(): number {
    return this.#queue.waiting;
  }

  /**
   * Runs a plan when it is its turn: at most one task a worker and phase, lanes taken from a shared counter; where more queries run than there are threads, scans
   * share tasks, see `SharedScans`. Aborting
   * `signal` sets a flag that workers read before every row group. The caller keeps the plan's columns readable.
   * @throws {EngineError} STORE_BUSY, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run(
    plan: BoundPlan,
    { signal, tenant = "" }: { readonly signal?: AbortSignal; readonly tenant?: string } = {},
  ): Promise<PoolAnswer> {
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    const canShare = canShareScan(plan);
    const run = async () => {
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      const tasks = new QueryTasks(this.#threads, this.#arenas);
      const scratch = new QueryScratch(this.#memory);
      const cancel = () => tasks.cancel();
      signal?.addEventListener("abort", cancel);
      this.#running.add(tasks);
      const isCrowded = this.#queue.running > this.#threads.count;
      try {
        const request = {
          scanCount: isCrowded ? 1 : this.#threads.count,
          ...(isCrowded && canShare && { sharedScans: this.#sharedScans }),
          tasks,
          scratch,
          arenas: this.#arenas,
          heap: this.#heap,
        };
        const answer = await runPlan(plan, request);
        if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
        return answer;
      } catch (error) {
        if (signal?.aborted) throw new EngineError("QUERY_CANCELLED", [], { cause: error });
        throw error;
      } finally {
        scratch.free();
        signal?.removeEventListener("abort", cancel);
        this.#running.delete(tasks);
      }
    };
    return this.#queue.run(tenant, signal, run, canShare ? 1 : placesPerQuery);
  }

  /**
   * Encodes a part of ingested bytes, at most one a thread at a time.
   * @throws {EngineError} STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  encode(task: IngestTask): Promise<IngestAnswer | Failure>;
  /** As above, and seals what is encoded. */
  encode(task: SealTask): Promise<SealAnswer | Failure>;
  encode(task: IngestTask | SealTask): Promise<IngestAnswer | SealAnswer | Failure> {
    return this.#encodings.run("", undefined, () => this.#threads.run(task));
  }

  /**
   * Resolves when as many threads have started as the pool has, or when it is closed.
   * @throws {EngineError} WORKER_FAILED when one ends meanwhile
   */
  ready(): Promise<void> {
    return this.#threads.ready();
  }

  /**
   * Has a thread warm the kernels, whose compiled code the threads share: about 0.1 s, when it is its turn.
   * @throws {EngineError} STORE_BUSY, STORE_CLOSED, WORKER_FAILED
   */
  warmKernels(): Promise<void> {
    const warm = () => this.#threads.run<void>({ kind: "warmKernels" });
    return this.#queue.run("", undefined, warm, placesPerQuery);
  }

  /**
   * Has every thread that rests load what encodes files, when it is its turn; one that does not loads it with the first file.
   * @throws {EngineError} STORE_BUSY, STORE_CLOSED
   */
  async warmIngest(): Promise<void> {
    const warm = () => this.#threads.runInEach({ kind: "warmIngest" });
    await this.#queue.run("", undefined, warm, placesPerQuery);
  }

  /**
   * Lets this thread and all others forget memories that were given up. False when that must wait, since it needs every
   * thread to rest: they are asked again then. The longest part is the system's, 60 ms a GiB in one of the threads.
   */
  async letGo(): Promise<boolean> {
    if (this.#queue.running > 0 || this.#encodings.running > 0) return false;
    this.#arenas.view();
    this.#heap.clear();
    collectGarbage();
    return this.#threads.runInEach({ kind: "letGo", memories: this.#arenas.passed() });
  }

  /** Cancels what runs and ends the threads. */
  async close(): Promise<void> {
    this.#queue.clear();
    this.#encodings.clear();
    for (const tasks of this.#running) tasks.cancel();
    await this.#threads.close();
  }
}
