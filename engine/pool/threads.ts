import { EngineError } from "../errors.ts";
import { FairShares, isInBackground, type Tenant } from "../fair/index.ts";
import {
  startupReady,
  type QueryTask,
  type ScanTogetherTask,
  type WorkerTask,
} from "./messages.ts";
import { noTenant } from "./noTenant.ts";
import { Thread } from "./thread.ts";

interface ThreadsOptions {
  readonly count: number;
  /**
   * Heap of each thread in MB. A task that exceeds it fails with QUERY_OUT_OF_MEMORY, and a new thread replaces its
   * thread.
   */
  readonly heapMb: number;
}

/**
 * A task, or a function that is called when a thread is free. The function returns the task to run, or undefined if
 * nothing is left to do.
 */
export type ThreadTask = WorkerTask | (() => WorkerTask | undefined);

/** The tenant of a task, and how the task shares a thread. */
export interface TaskOptions {
  readonly tenant?: Tenant;
  /** True if the task takes only a few milliseconds. Longer tasks yield to it, even tasks of the same tenant. */
  readonly isLight?: boolean;
  /** True if the task neither yields to other tasks nor runs at a yield point of another task. */
  readonly isAlone?: boolean;
  /** Buffers of the task to transfer to its thread. The caller cannot read them afterwards. */
  readonly moved?: readonly ArrayBuffer[];
}

interface Waiting {
  readonly task: ThreadTask;
  readonly isLight: boolean;
  readonly isAlone: boolean;
  readonly moved: readonly ArrayBuffer[];
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** A task that is running, or that has yielded to the next task in its thread. */
interface Running {
  readonly tenant: Tenant;
  readonly isLight: boolean;
  readonly canYield: boolean;
  /**
   * True if another task that ran at a yield point of this task has failed or may still fail. If the thread then
   * crashes, this task is not necessarily the cause.
   */
  isShared: boolean;
  /** The time at which the task started, or continued after yielding. */
  sinceMs: number;
  stopCharge: () => void;
}

/** Maximum milliseconds of thread time by which a tenant can be ahead of busy tenants after it was idle. */
const creditMs = 50;
/**
 * Maximum time for which light tasks go before a waiting heavy task. Without this limit, the heavy task would wait
 * forever on threads that are never idle.
 */
const patienceMs = 30;
/** Milliseconds for which a task keeps its thread while a tenant that has used the threads less is waiting. */
const sliceMs = 2;
/** Maximum milliseconds to wait for a thread to load. A thread that crashes while it loads never finishes loading. */
const mostLoadMs = 5000;

const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/**
 * A fixed number of threads, which take tasks from a run queue in fair order. If all threads are busy, a task waits for
 * at most one time slice if its tenant has used the threads less than others. It then runs at a yield point of another
 * task.
 */
export class Threads {
  readonly count: number;
  readonly #threads: readonly Thread[];
  /** The tasks of each thread, as a stack: the last task runs, and the others have yielded. */
  readonly #running: readonly Running[][];
  readonly #runQueue = new FairShares<Waiting>({ credit: creditMs, patience: patienceMs });
  readonly #withdrawable = new WeakMap<
    () => WorkerTask | undefined,
    { readonly tenant: Tenant; readonly waiting: Waiting }
  >();
  #timer: NodeJS.Timeout | undefined;
  /** Number of threads started so far, including threads that replaced others. */
  #startedCount = 0;
  #endedCount = 0;
  readonly #startup = new Int32Array(new SharedArrayBuffer(4));
  readonly #closed = Promise.withResolvers<void>();
  /** Errors of threads that crashed while they had several tasks. Perhaps not all of these tasks caused the crash. */
  readonly #sharedDeaths = new WeakSet<EngineError>();
  readonly #failures = new Set<(cause: unknown) => void>();
  #isClosed = false;

  constructor({ count, heapMb }: ThreadsOptions) {
    this.count = count;
    this.#threads = Array.from(
      { length: count },
      () =>
        new Thread({
          url: workerUrl,
          startup: this.#startup,
          heapMb,
          onError: (cause) => {
            for (const fail of this.#failures) fail(cause);
          },
          onStart: () => {
            this.#startedCount++;
          },
          onEnd: () => {
            this.#endedCount++;
            this.#startedCount++;
          },
        }),
    );
    this.#running = this.#threads.map(() => []);
  }

  /**
   * Runs a task in a thread, in the order of the run queue. The queue itself has no limit, because admission
   * (`FairQueue`) limits its length.
   * @throws {EngineError} STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run<Answer>(
    task: ThreadTask,
    { tenant = noTenant, isLight = false, isAlone = false, moved = [] }: TaskOptions = {},
  ): Promise<Answer> {
    // Piscina would start new threads for a task that arrives after it was closed.
    if (this.#isClosed) throw new EngineError("STORE_CLOSED");
    return new Promise<Answer>((resolve, reject) => {
      const answer = (value: unknown) => resolve(value as Answer);
      const waiting = { task, isLight, isAlone, moved, resolve: answer, reject };
      this.#runQueue.add(tenant, waiting, isLight);
      if (typeof task === "function") this.#withdrawable.set(task, { tenant, waiting });
      this.#next();
    });
  }

  /** Removes a task from the run queue if it has nothing left to do. Its `run` resolves to undefined. */
  withdraw(task: () => WorkerTask | undefined): void {
    const found = this.#withdrawable.get(task);
    if (found && this.#runQueue.remove(found.tenant, found.waiting))
      found.waiting.resolve(undefined);
  }

  /** Whether any thread is loaded. */
  get isAlive(): boolean {
    return Atomics.load(this.#startup, startupReady) > this.#endedCount;
  }

  /** Returns whether an error that `run` threw is the crash of a thread that also had other tasks. */
  isSharedDeath(error: unknown): boolean {
    return error instanceof EngineError && this.#sharedDeaths.has(error);
  }

  /** Runs a task in every thread that has started. Returns whether all runs succeeded. */
  async runInEach(task: WorkerTask): Promise<boolean> {
    if (this.#isClosed) return false;
    const started = this.#threads.filter(({ isStarted }) => isStarted);
    const runs = started.map((thread) => thread.run(task));
    const settled = await Promise.allSettled(runs);
    return settled.every(({ status }) => status === "fulfilled");
  }

  /**
   * Starts the threads that have not started. Resolves when all threads are loaded, or when they are closed.
   * @throws {EngineError} WORKER_FAILED if a thread ends before it has started
   */
  async ready(): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const fail = (cause: unknown) => failed.reject(this.#toEngineError(cause));
    this.#failures.add(fail);
    try {
      if (!this.#isClosed) for (const thread of this.#threads) thread.start();
      while (!this.#isClosed) {
        const count = Atomics.load(this.#startup, startupReady);
        if (count >= this.count) return;
        const started = Atomics.waitAsync(this.#startup, startupReady, count).value;
        await Promise.race([started, this.#closed.promise, failed.promise]);
      }
    } finally {
      this.#failures.delete(fail);
    }
  }

  /** Closes the threads after their running tasks have ended. Rejects waiting and new tasks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    clearTimeout(this.#timer);
    for (const { reject } of this.#runQueue.clear()) reject(new EngineError("STORE_CLOSED"));
    await this.#loaded();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Starts tasks from the run queue: in free threads, otherwise at the yield points of busy threads. */
  #next(): void {
    clearTimeout(this.#timer);
    for (;;) {
      const found = this.#findPlace();
      if (!found) return;
      const { tenant, item, place } = found;
      this.#runQueue.remove(tenant, item);
      this.#start(place, tenant, item);
    }
  }

  /**
   * Finds the next task that can start, and a thread for it. A heavy task that cannot start does not block light tasks.
   */
  #findPlace() {
    const next = this.#runQueue.next();
    if (!next) return undefined;
    const free = this.#running.findIndex(({ length }) => length === 0);
    if (free >= 0) return { ...next, place: free };
    for (const each of [next, this.#runQueue.nextLight()]) {
      const place = each && !each.item.isAlone ? this.#findYielding(each) : undefined;
      if (each && place !== undefined) return { ...each, place };
    }
    return undefined;
  }

  /**
   * Finds the thread whose task must yield to a waiting task. It is the task that has run longest among the tasks whose
   * tenants have used the threads more. If no such task has used up its time slice, a timer checks again when the first
   * slice ends. Background tasks have no time slice and yield immediately.
   */
  #findYielding({ tenant, item }: { tenant: Tenant; item: Waiting }): number | undefined {
    const { isLight } = item;
    const now = performance.now();
    if (!this.#running.some((stack) => stack[stack.length - 1].canYield)) return undefined;
    let longest: number | undefined;
    let longestMs = 0;
    this.#running.forEach((stack, place) => {
      const top = stack[stack.length - 1];
      if (!top.canYield || !this.#threads[place].canPost(isLight)) return;
      const goesFirst = isLight && !top.isLight && !this.#runQueue.isFarAhead(tenant, top.tenant);
      if (!goesFirst && !this.#runQueue.isFarBehind(tenant, top.tenant)) return;
      const isAtOnce = isInBackground(top.tenant) && !isInBackground(tenant);
      const ranMs = isAtOnce ? Infinity : now - top.sinceMs;
      if (longest !== undefined && ranMs <= longestMs) return;
      longest = place;
      longestMs = ranMs;
    });
    if (longest !== undefined && longestMs >= sliceMs) return longest;
    const waitMs = longest === undefined ? sliceMs : sliceMs - longestMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), Math.max(1, waitMs)).unref();
    return undefined;
  }

  #start(
    place: number,
    tenant: Tenant,
    { task, isLight, isAlone, moved, resolve, reject }: Waiting,
  ): void {
    const stack = this.#running[place];
    const thread = this.#threads[place];
    const below = stack.at(-1);
    const made = typeof task === "function" ? task() : task;
    if (!made) return resolve(undefined);
    below?.stopCharge();
    if (below) below.isShared = true;
    const running: Running = {
      tenant,
      isLight,
      canYield: !isAlone && isOfQuery(made),
      isShared: false,
      sinceMs: performance.now(),
      stopCharge: this.#runQueue.charge(tenant),
    };
    stack.push(running);
    const end = () => {
      const isTop = stack.at(-1) === running;
      stack.splice(stack.indexOf(running), 1);
      // If the task's thread continued with another task before the result arrived here, charging has already stopped.
      if (!isTop) return;
      running.stopCharge();
      const top = stack.at(-1);
      if (top) {
        top.sinceMs = performance.now();
        top.stopCharge = this.#runQueue.charge(top.tenant);
      }
    };
    const response = below && isOfQuery(made) ? thread.post(made, moved) : thread.run(made, moved);
    response.then(
      (answer) => {
        end();
        // Another task may have been posted after this task.
        if (below) below.isShared = stack.at(-1) !== below;
        resolve(answer);
        this.#next();
      },
      (cause: unknown) => {
        const error = this.#toEngineError(cause);
        if (stack.length > 1 || running.isShared) this.#sharedDeaths.add(error);
        // The errors of the other tasks arrive later, but come from the same thread.
        for (const other of stack) other.isShared = true;
        end();
        reject(error);
        this.#next();
      },
    );
  }

  /**
   * Resolves when no thread is loading its module. Stopping a thread while it loads would crash the process, because of
   * an assertion in Node 26 (`CreateRequiredModuleFacade`).
   */
  async #loaded(): Promise<void> {
    const giveUpAt = performance.now() + mostLoadMs;
    for (;;) {
      const count = Atomics.load(this.#startup, startupReady);
      const leftMs = giveUpAt - performance.now();
      if (count >= this.#startedCount || leftMs <= 0) return;
      await Atomics.waitAsync(this.#startup, startupReady, count, Math.min(leftMs, 100)).value;
    }
  }

  #toEngineError(cause: unknown): EngineError {
    if (cause instanceof EngineError) return cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ERR_WORKER_OUT_OF_MEMORY")
      return new EngineError("QUERY_OUT_OF_MEMORY", [], { cause });
    return new EngineError("WORKER_FAILED", [message], { cause });
  }
}

/**
 * Returns whether a task has yield points. Tasks of queries have them; tasks that decode or seal rows do not, because
 * they are short.
 */
function isOfQuery(task: WorkerTask): task is QueryTask | ScanTogetherTask {
  switch (task.kind) {
    case "scan":
    case "scanTogether":
    case "finishDirect":
    case "finishPairs":
    case "finishHash":
    case "finishParts":
    case "finishRows":
    case "sample":
    case "cut":
      return true;
    case "decode":
    case "releaseMemory":
    case "sealColumns":
    case "serve":
    case "warmKernels":
    case "warmSealing":
      return false;
  }
}
