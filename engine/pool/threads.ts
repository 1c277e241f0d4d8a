import { EngineError } from "../errors.ts";
import type { Tenant } from "../types.ts";
import { RunQueue } from "./runQueue.ts";
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
  /** Tasks that may wait for a thread. */
  /** Heap of one thread; a task past it fails with QUERY_OUT_OF_MEMORY, and the thread gets a successor. */
  readonly heapMb: number;
}

/** A task, or what makes it when its turn has come; undefined when there is nothing left to do. */
export type ThreadTask = WorkerTask | (() => WorkerTask | undefined);

/** Whose a task is, and how it goes with others. */
export interface TaskOptions {
  readonly tenant?: Tenant;
  /** It takes some milliseconds: tasks that take longer pause for it, also those of its own tenant. */
  readonly isLight?: boolean;
  /** It pauses for no other, and none for it. */
  readonly isAlone?: boolean;
  /** Buffers of the task that move to its thread: the caller reads them no more. */
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

/** A task that a thread works on, or that is held up by the one behind it. */
interface Running {
  readonly tenant: Tenant;
  readonly isLight: boolean;
  readonly canPause: boolean;
  /** It paused for another one, which has not ended well: what ends the thread need not be its own fault. */
  isShared: boolean;
  /** Since it began, or went on. */
  sinceMs: number;
  stopCharge: () => void;
}

/** How long a task keeps its thread while others wait who used the threads less. */
const sliceMs = 5;
/** How long a thread may take to load; one that died meanwhile is not waited for any longer. */
const mostLoadMs = 5000;

const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/**
 * A fixed number of threads. Tasks that wait get them in fair order (`RunQueue`); a task of somebody who used them less
 * than whose task is worked on waits for a slice of that at most: it is run inside it, at its next pause.
 */
export class Threads {
  readonly count: number;
  readonly #threads: readonly Thread[];
  /** What each thread works on, the last one now. */
  readonly #running: readonly Running[][];
  readonly #runQueue = new RunQueue<Waiting>();
  readonly #withdrawable = new WeakMap<
    () => WorkerTask | undefined,
    { readonly tenant: Tenant; readonly waiting: Waiting }
  >();
  #timer: NodeJS.Timeout | undefined;
  /** Threads that were started so far: one that ends has a successor. */
  #startedCount: number;
  readonly #startup = new Int32Array(new SharedArrayBuffer(4));
  readonly #closed = Promise.withResolvers<void>();
  /** What threads ended with that worked on several tasks: it need not be the fault of each. */
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
   * Has a thread work on a task when it is its turn. Any number may wait: whoever asks bounds them (`FairQueue`).
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

  /** Takes a task that has nothing left to do out of those that wait; its `run` resolves with undefined. */
  withdraw(task: () => WorkerTask | undefined): void {
    const found = this.#withdrawable.get(task);
    if (found && this.#runQueue.remove(found.tenant, found.waiting))
      found.waiting.resolve(undefined);
  }

  /** Whether a thread is loaded: more were than ended. */
  get isAlive(): boolean {
    const endedCount = this.#startedCount - this.count;
    return Atomics.load(this.#startup, startupReady) > endedCount;
  }

  /** Whether what `run` threw is the end of a thread that worked on other tasks as well. */
  isSharedDeath(error: unknown): boolean {
    return error instanceof EngineError && this.#sharedDeaths.has(error);
  }

  /** Has every thread work on a task. Says whether all were done. */
  async runInEach(task: WorkerTask): Promise<boolean> {
    if (this.#isClosed) return false;
    const asked = this.#threads.map((thread) => thread.run(task));
    const settled = await Promise.allSettled(asked);
    return settled.every(({ status }) => status === "fulfilled");
  }

  /**
   * Resolves when as many threads have started as there shall be, or when they are closed.
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
   * Ends the threads when they have done what they work on; what waits for them is refused, and they take no more
   * tasks.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    clearTimeout(this.#timer);
    for (const { reject } of this.#runQueue.clear()) reject(new EngineError("STORE_CLOSED"));
    await this.#loaded();
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Gives threads that are free, and slices of those that are not, to those whose turn it is. */
  #next(): void {
    clearTimeout(this.#timer);
    for (;;) {
      const next = this.#runQueue.next();
      if (!next) return;
      const free = this.#running.findIndex(({ length }) => length === 0);
      const place = free >= 0 || next.item.isAlone ? free : this.#findPause(next);
      if (place === -1) return;
      if (place === undefined) return;
      this.#runQueue.remove(next.tenant, next.item);
      this.#start(place, next.tenant, next.item);
    }
  }

  /**
   * Finds the thread whose task is to pause for one that waits: of those that are further ahead, the one that has had
   * its slice longest. Where none has had it yet, it is looked for again when the first one has.
   */
  #findPause({ tenant, isLight }: { tenant: Tenant; isLight: boolean }): number | undefined {
    const now = performance.now();
    if (!this.#running.some((stack) => stack[stack.length - 1].canPause)) return undefined;
    let longest: number | undefined;
    let longestMs = 0;
    this.#running.forEach((stack, place) => {
      const top = stack[stack.length - 1];
      if (!top.canPause || !this.#threads[place].canPost) return;
      const goesFirst = isLight && !top.isLight && this.#runQueue.isNotAhead(tenant, top.tenant);
      if (!goesFirst && !this.#runQueue.isFarBehind(tenant, top.tenant)) return;
      const ranMs = now - top.sinceMs;
      if (longest !== undefined && ranMs <= longestMs) return;
      longest = place;
      longestMs = ranMs;
    });
    if (longest !== undefined && longestMs >= sliceMs) return longest;
    const waitMs = longest === undefined ? sliceMs : sliceMs - longestMs;
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
      canPause: !isAlone && isOfQuery(made),
      isShared: false,
      sinceMs: performance.now(),
      stopCharge: this.#runQueue.charge(tenant),
    };
    stack.push(running);
    const end = () => {
      const isTop = stack.at(-1) === running;
      stack.splice(stack.indexOf(running), 1);
      // One whose thread went on to another before it could be told is charged no longer.
      if (!isTop) return;
      running.stopCharge();
      const top = stack.at(-1);
      if (top) {
        top.sinceMs = performance.now();
        top.stopCharge = this.#runQueue.charge(top.tenant);
      }
    };
    const asked = below && isOfQuery(made) ? thread.post(made, moved) : thread.run(made, moved);
    asked.then(
      (answer) => {
        end();
        // Another one may have been posted behind this one.
        if (below) below.isShared = stack.at(-1) !== below;
        resolve(answer);
        this.#next();
      },
      (cause: unknown) => {
        const error = this.#toEngineError(cause);
        if (stack.length > 1 || running.isShared) this.#sharedDeaths.add(error);
        // Those that are told after it were in the same thread.
        for (const other of stack) other.isShared = true;
        end();
        reject(error);
        this.#next();
      },
    );
  }

  /**
   * Resolves when no thread is loading its module: one that is ended then brings down the process, by an assertion of
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
    const code = (cause as { code?: unknown } | null)?.code;
    if (code === "ERR_WORKER_OUT_OF_MEMORY")
      return new EngineError("QUERY_OUT_OF_MEMORY", [], { cause });
    return new EngineError("WORKER_FAILED", [message], { cause });
  }
}

/** Tasks of queries come to pauses; those of ingests are short instead. */
function isOfQuery(task: WorkerTask): task is QueryTask | ScanTogetherTask {
  switch (task.kind) {
    case "scan":
    case "scanTogether":
    case "finishDirect":
    case "finishHash":
    case "finishRows":
    case "cut":
      return true;
    default:
      return false;
  }
}
