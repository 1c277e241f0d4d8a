import { EngineError } from "../errors.ts";
import { isInBackground, type Tenant } from "../fair/index.ts";
import type { Failure } from "../failureOf.ts";
import type { DecodeAnswer, DecodeTask, SealAnswer, SealColumnsTask } from "../ingest/messages.ts";
import { collectGarbage } from "../memory/collectGarbage.ts";
import type { Memory } from "../memory/memory.ts";
import { estimateScan } from "../operators/estimateScan.ts";
import { Heap } from "../operators/task/heap.ts";
import type { BoundPlan } from "../plan/boundPlan.ts";
import type { QueryOptions } from "../types.ts";
import { CallingThread } from "./callingThread.ts";
import { FairQueue } from "./fairQueue.ts";
import { isSmall } from "./isSmall.ts";
import { lookupBytes } from "./lookupBytes.ts";
import { MainArenas } from "./mainArenas.ts";
import { noTenant } from "./noTenant.ts";
import { QueryScratch } from "./queryScratch.ts";
import { QueryTasks, type TaskThreads } from "./queryTasks.ts";
import { runPlan, type PoolAnswer } from "./runPlan.ts";
import { canShareScan, mostTogether, SharedScans } from "./sharedScans.ts";
import { Threads, type TaskOptions } from "./threads.ts";

export type { PoolAnswer };

export interface PoolOptions {
  readonly workers: number;
  readonly memory: Memory;
  /**
   * Maximum number of waiting queries. Further queries fail with STORE_BUSY.
   * @default 1024
   */
  readonly queueLength?: number;
  /**
   * Heap of each thread in MB. A query that exceeds it fails with QUERY_OUT_OF_MEMORY.
   * @default 2048
   */
  readonly workerHeapMb?: number;
  /**
   * Milliseconds that a decoding task waits while queries use all threads. See `decode`.
   * @default 100
   */
  readonly decodeWaitMs?: number;
}

/** The queues in which queries wait for admission. There is a separate queue for queries that need little memory. */
interface Admission {
  readonly heavy: FairQueue;
  readonly light: FairQueue;
}

/**
 * Number of admitted queries per thread. It is above one, so that another query is ready while one query changes from
 * one phase to the next.
 */
const queriesPerWorker = 2;
/**
 * Number of admitted queries per thread, for queries that need little memory. It is larger, because these queries share
 * scans.
 */
const lightQueriesPerWorker = queriesPerWorker * mostTogether;
/** Number of rows that one thread can scan, group and sort in a few milliseconds with a few megabytes. */
const fewRows = 2 ** 17;
/**
 * Nanoseconds in which the calling thread can scan a plan at once. Passing tasks to threads and receiving their answers
 * takes as long.
 */
const briefNs = 500_000;
/** Maximum bytes of the lookup tables of a query that needs little memory. Each of its tasks may copy them. */
const lightLookupBytes = 2 ** 21;

/** Runs plans, decodes JSON and seals batches on a fixed number of threads. Work waits for admission in queues. */
export class Pool {
  readonly #threads: Threads;
  readonly #memory: Memory;
  readonly #arenas: MainArenas;
  readonly #heap = new Heap();
  readonly #callingThread: CallingThread;
  readonly #people: Admission;
  /**
   * The queues of background queries. Their places are separate from those of other queries, so that a person's query
   * never waits for a background query.
   */
  readonly #background: Admission;
  /** Admits at most one encoding task per thread, so that a query waits for at most one of them. */
  readonly #encodings: FairQueue;
  readonly #sharedScans: SharedScans;
  readonly #running = new Set<QueryTasks>();
  readonly #decodeWaitMs: number;
  /** The reason why the last plan with very many groups was not partitioned; undefined if it was. */
  partitioningRefusal: string | undefined;

  constructor({ workers, memory, queueLength = 1024, ...options }: PoolOptions) {
    const { workerHeapMb = 2048, decodeWaitMs = 100 } = options;
    this.#memory = memory;
    this.#decodeWaitMs = decodeWaitMs;
    this.#arenas = new MainArenas(memory);
    this.#callingThread = new CallingThread(this.#arenas, this.#heap);
    const waitingLimit = queueLength;
    const places = workers * queriesPerWorker;
    this.#people = {
      heavy: new FairQueue({ places, guestPlaces: places, waitingLimit }),
      light: new FairQueue({ places: workers * lightQueriesPerWorker, waitingLimit }),
    };
    this.#background = {
      heavy: new FairQueue({ places: workers, waitingLimit }),
      light: new FairQueue({ places: workers * lightQueriesPerWorker, waitingLimit }),
    };
    this.#encodings = new FairQueue({ places: workers, waitingLimit: Infinity });
    this.#threads = new Threads({ count: workers, heapMb: workerHeapMb });
    this.#sharedScans = new SharedScans(this.#threads, this.#arenas);
  }

  get queuedQueries(): number {
    return this.#admissions.reduce((count, { waiting }) => count + waiting, 0);
  }

  get #admissions(): readonly FairQueue[] {
    return [this.#people, this.#background].flatMap(({ heavy, light }) => [heavy, light]);
  }

  /**
   * Runs a plan. A small plan (`isSmall`), or one whose scan takes a fraction of a
   * millisecond, runs on the calling thread immediately. Other plans wait for admission and
   * then run in at most one task per thread and phase; the tasks take lanes from a shared counter. If there are more
   * queries than threads, scans share tasks (see `SharedScans`). Scans of background queries always share tasks.
   * Aborting `signal` sets a flag that tasks check before every row group. The caller must keep the plan's columns
   * readable until the promise settles.
   * @throws {EngineError} STORE_BUSY, QUERY_CANCELLED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run(
    plan: BoundPlan,
    { signal, tenant = noTenant }: QueryOptions = {},
  ): Promise<PoolAnswer> {
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    const isLight =
      plan.rowCount <= fewRows || (canShareScan(plan) && lookupBytes(plan) <= lightLookupBytes);
    const options = { tenant, isLight, isAlone: false };
    if (isSmall(plan) || this.#isBrief(plan))
      return this.#run(plan, { ...options, isAlone: true }, signal, this.#callingThread);
    const run = () => this.#run(plan, options, signal, this.#threads);
    const { heavy, light } = isInBackground(tenant) ? this.#background : this.#people;
    return (isLight ? light : heavy).run(tenant, signal, run);
  }

  /** Returns whether scanning a plan takes less time than passing it to threads. */
  #isBrief(plan: BoundPlan): boolean {
    return canShareScan(plan) && estimateScan(plan, this.#arenas.view(), briefNs) <= briefNs;
  }

  async #run(
    plan: BoundPlan,
    options: Required<Omit<TaskOptions, "moved">>,
    signal: AbortSignal | undefined,
    threads: TaskThreads,
  ): Promise<PoolAnswer> {
    const { tenant, isAlone } = options;
    if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
    const tasks = new QueryTasks(threads, this.#arenas, options);
    const scratch = new QueryScratch(this.#memory);
    const cancel = () => tasks.cancel();
    signal?.addEventListener("abort", cancel);
    this.#running.add(tasks);
    const { heavy, light } = this.#people;
    const isCrowded = isInBackground(tenant) || heavy.running + light.running > this.#threads.count;
    let isSharedDeath = false;
    try {
      const answer = await runPlan(plan, {
        scanCount: isCrowded ? 1 : threads.count,
        ...(isCrowded && !isAlone && canShareScan(plan) && { sharedScans: this.#sharedScans }),
        tenant,
        tasks,
        scratch,
        arenas: this.#arenas,
        heap: this.#heap,
        tellPartitioning: (refusal) => {
          this.partitioningRefusal = refusal;
        },
      });
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
      return answer;
    } catch (error) {
      if (signal?.aborted) throw new EngineError("QUERY_CANCELLED", [], { cause: error });
      isSharedDeath = !isAlone && this.#threads.isSharedDeath(error);
      if (!isSharedDeath) throw error;
    } finally {
      scratch.free();
      signal?.removeEventListener("abort", cancel);
      this.#running.delete(tasks);
    }
    // Another task of the thread may have caused the crash, so each query runs again separately.
    return this.#run(plan, { ...options, isAlone: true }, signal, threads);
  }

  /**
   * Seals the columns of a batch. At most one task of sealing or decoding per thread runs at a time.
   * @throws {EngineError} STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  seal(task: SealColumnsTask): Promise<SealAnswer | Failure> {
    return this.#encodings.run(noTenant, undefined, () => this.#threads.run(task));
  }

  /**
   * Decodes JSON for a tenant whose share of the threads the task uses. Resolves to undefined, without reading the
   * bytes, if queries use all threads for too long. Tasks of queries can take seconds.
   * @throws {EngineError} STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  decode(task: DecodeTask, tenant: Tenant = noTenant): Promise<DecodeAnswer | Failure | undefined> {
    const untilMs = performance.now() + this.#decodeWaitMs;
    return this.#encodings.run(tenant, undefined, async () => {
      const begin = () => task;
      // The task waits for a free thread, because a task that was given to a busy thread cannot be withdrawn.
      const options = { tenant, isAlone: true };
      const answer = this.#threads.run<DecodeAnswer | Failure | undefined>(begin, options);
      const leftMs = Math.max(0, untilMs - performance.now());
      const timer = setTimeout(() => this.#threads.withdraw(begin), leftMs);
      return answer.finally(() => clearTimeout(timer));
    });
  }

  /**
   * Starts the threads that have not started. Resolves when all threads are loaded, or when the pool is closed.
   * @throws {EngineError} WORKER_FAILED if a thread ends before it has started
   */
  ready(): Promise<void> {
    return this.#threads.ready();
  }

  /**
   * Resolves if the threads are loaded. Does not wait for tasks.
   * @throws {EngineError} WORKER_FAILED if no thread is left
   */
  async health(): Promise<void> {
    await this.#threads.ready();
    if (!this.#threads.isAlive) throw new EngineError("WORKER_FAILED", ["no thread is loaded"]);
  }

  /**
   * Warms the kernels in one thread, after admission. Takes about 0.1 s. The threads share the compiled code.
   * @throws {EngineError} STORE_BUSY, STORE_CLOSED, WORKER_FAILED
   */
  warmKernels(): Promise<void> {
    const warm = () => this.#threads.run<void>({ kind: "warmKernels" });
    return this.#people.heavy.run(noTenant, undefined, warm);
  }

  /**
   * Warms the sealing of rows in every idle thread, after admission.
   * @throws {EngineError} STORE_BUSY, STORE_CLOSED
   */
  async warmSealing(): Promise<void> {
    const warm = () => this.#threads.runInEach({ kind: "warmSealing" });
    await this.#people.heavy.run(noTenant, undefined, warm);
  }

  /**
   * Drops all threads' references to arenas that `Memory.releaseArenas` has replaced. Returns false if a thread is
   * busy; the caller should try again later. Releasing the memory takes the operating system up to 60 ms per GiB,
   * in one of the threads.
   */
  async releaseMemory(): Promise<boolean> {
    const queues = [...this.#admissions, this.#encodings];
    if (queues.some(({ running }) => running > 0)) return false;
    this.#arenas.view();
    this.#heap.clear();
    collectGarbage();
    return this.#threads.runInEach({ kind: "releaseMemory", memories: this.#arenas.passed() });
  }

  /** Cancels all queries and stops the threads. */
  async close(): Promise<void> {
    for (const queue of [...this.#admissions, this.#encodings]) queue.clear();
    for (const tasks of this.#running) tasks.cancel();
    await this.#threads.close();
  }
}
