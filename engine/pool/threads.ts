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
  /** Heap of one thread; a task that needs more fails with QUERY_OUT_OF_MEMORY, and a new thread takes over. */
  readonly heapMb: number;
}

/** A task, or a function that creates it when a thread is free; undefined when nothing is left to do. */
export type ThreadTask = WorkerTask | (() => WorkerTask | undefined);

/** The tenant of a task, and how it shares a thread. */
export interface TaskOptions {
  readonly tenant?: Tenant;
  /** The task takes some milliseconds. Longer tasks yield to it, also tasks of the same tenant. */
  readonly isLight?: boolean;
  /** The task yields to no other, and no other yields to it. */
  readonly isAlone?: boolean;
  /** Buffers of the task that move to its thread; the caller cannot read them any more. */
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

/** A task that a thread runs, or that has yielded to the next one in its thread. */
interface Running {
  readonly tenant: Tenant;
  readonly isLight: boolean;
  readonly canYield: boolean;
  /** Another task ran in it and failed, or may still fail, so the end of the thread need not be its own fault. */
  isShared: boolean;
  /** When it began, or went on after yielding. */
  sinceMs: number;
  stopCharge: () => void;
}

/** The most thread time by which a tenant who comes back is ahead of busy ones. */
const creditMs = 50;
/** How long light tasks go before a heavy one. Without a limit, it would wait forever where threads are never idle. */
const patienceMs = 30;
/** How long a task keeps its thread while a tenant waits who used the threads less. */
const sliceMs = 2;
/** The longest wait for a thread to load: one that died meanwhile never does. */
const mostLoadMs = 5000;

const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/**
 * A fixed number of threads, which take tasks from a run queue in fair order. When all are busy, a task of a tenant who
 * used them less waits for one time slice at most: it then runs inside another task, at its next yield point.
 */
export class Threads {
  readonly count: number;
  readonly #threads: readonly Thread[];
  /** The tasks of each thread, a stack: the last one runs, the others have yielded. */
  readonly #running: readonly Running[][];
  readonly #runQueue = new FairShares<Waiting>({ credit: creditMs, patience: patienceMs });
  readonly #withdrawable = new WeakMap<
    () => WorkerTask | undefined,
    { readonly tenant: Tenant; readonly waiting: Waiting }
  >();
  #timer: NodeJS.Timeout | undefined;
  /** Count of threads started so far; a new one takes over from one that ended. */
  #startedCount: number;
  readonly #startup = new Int32Array(new SharedArrayBuffer(4));
  readonly #closed = Promise.withResolvers<void>();
  /** Errors of threads that died with several tasks: not each of them need be at fault. */
  readonly #sharedDeaths = new WeakSet<EngineError>();
  readonly #failures = new Set<(cause: unknown) => void>();
  #isClosed = false;

  constructor({ count, heapMb }: ThreadsOptions) {
    this.count = count;
    this.#startedCount = count;
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
          onEnd: () => this.#startedCount++,
        }),
    );
    this.#running = this.#threads.map(() => []);
  }

  /**
   * Runs a task in a thread, in the order of the run queue. The queue has no limit: admission (`FairQueue`) bounds it.
   * @throws {EngineError} STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run<Answer>(
    task: ThreadTask,
    { tenant = noTenant, isLight = false, isAlone = false, moved = [] }: TaskOptions = {},
  ): Promise<Answer> {
    // Piscina starts threads again for a task that comes after its end.
    if (this.#isClosed) throw new EngineError("STORE_CLOSED");
    return new Promise<Answer>((resolve, reject) => {
      const answer = (value: unknown) => resolve(value as Answer);
      const waiting = { task, isLight, isAlone, moved, resolve: answer, reject };
      this.#runQueue.add(tenant, waiting, isLight);
      if (typeof task === "function") this.#withdrawable.set(task, { tenant, waiting });
      this.#next();
    });
  }

  /** Removes a task that has nothing left to do from the run queue; its `run` resolves with undefined. */
  withdraw(task: () => WorkerTask | undefined): void {
    const found = this.#withdrawable.get(task);
    if (found && this.#runQueue.remove(found.tenant, found.waiting))
      found.waiting.resolve(undefined);
  }

  /** Whether a thread is loaded. */
  get isAlive(): boolean {
    const endedCount = this.#startedCount - this.count;
    return Atomics.load(this.#startup, startupReady) > endedCount;
  }

  /** Returns whether an error of `run` is the death of a thread that had other tasks too. */
  isSharedDeath(error: unknown): boolean {
    return error instanceof EngineError && this.#sharedDeaths.has(error);
  }

  /** Runs a task in every thread. Returns whether all succeeded. */
  async runInEach(task: WorkerTask): Promise<boolean> {
    if (this.#isClosed) return false;
    const runs = this.#threads.map((thread) => thread.run(task));
    const settled = await Promise.allSettled(runs);
    return settled.every(({ status }) => status === "fulfilled");
  }

  /**
   * Resolves when all threads have started, or when they are closed.
   * @throws {EngineError} WORKER_FAILED when one ends meanwhile
   */
  async ready(): Promise<void> {
    const failed = Promise.withResolvers<never>();
    const fail = (cause: unknown) => failed.reject(this.#toEngineError(cause));
    this.#failures.add(fail);
    try {
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

  /**
   * Ends the threads when their tasks have ended. Refuses the tasks that wait, and all new ones.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    clearTimeout(this.#timer);
    for (const { reject } of this.#runQueue.clear()) reject(new EngineError("STORE_CLOSED"));
    await this.#loaded();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Starts tasks of the run queue: in free threads, else at the yield points of busy ones. */
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

  /** Finds the next task that can start, and its thread. Light tasks do not wait behind a heavy one that cannot. */
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
   * Finds the thread whose task must yield to one that waits: among the tasks that are further ahead, the one that has
   * run longest. While none has used up its time slice, a timer looks again when the first one has. Background tasks
   * have no slice: they yield at once.
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
      // When its thread has gone on to another task before this is known here, the charge has already ended.
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
        // Another task may have been posted after this one.
        if (below) below.isShared = stack.at(-1) !== below;
        resolve(answer);
        this.#next();
      },
      (cause: unknown) => {
        const error = this.#toEngineError(cause);
        if (stack.length > 1 || running.isShared) this.#sharedDeaths.add(error);
        // The errors of the other tasks arrive later, but their thread is the same.
        for (const other of stack) other.isShared = true;
        end();
        reject(error);
        this.#next();
      },
    );
  }

  /**
   * Resolves when no thread is loading its module. Ending a thread that loads kills the process, by an assertion of
   * Node 26 (`CreateRequiredModuleFacade`).
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

/** Returns whether a task has yield points: tasks of queries have, tasks of ingests are short instead. */
function isOfQuery(task: WorkerTask): task is QueryTask | ScanTogetherTask {
  switch (task.kind) {
    case "scan":
    case "scanTogether":
    case "finishDirect":
    case "finishHash":
    case "finishRows":
    case "cut":
      return true;
    case "ingest":
    case "releaseMemory":
    case "seal":
    case "serve":
    case "warmIngest":
    case "warmKernels":
      return false;
  }
}
