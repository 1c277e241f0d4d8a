import { Piscina } from "piscina";
import { EngineError } from "../errors.ts";
import { startupReady, type WorkerTask } from "./messages.ts";

interface ThreadsOptions {
  readonly count: number;
  /** Tasks that may wait for a thread. */
  readonly queueLength: number;
  /** Heap of one thread; a task past it fails with QUERY_OUT_OF_MEMORY, and the thread gets a successor. */
  readonly heapMb: number;
}

/** How long a thread may take to load; one that died meanwhile is not waited for any longer. */
const mostLoadMs = 5000;

const workerUrl = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js",
  import.meta.url,
);

/** A fixed number of threads, each of which works on one task at a time. */
export class Threads {
  readonly count: number;
  readonly #piscina: Piscina;
  /** Threads that were started so far: one that ends has a successor. */
  #startedCount: number;
  readonly #startup = new Int32Array(new SharedArrayBuffer(4));
  readonly #closed = Promise.withResolvers<void>();
  #isClosed = false;

  constructor({ count, queueLength, heapMb }: ThreadsOptions) {
    this.count = count;
    this.#startedCount = count;
    this.#piscina = new Piscina({
      filename: workerUrl.href,
      minThreads: count,
      maxThreads: count,
      workerData: this.#startup,
      idleTimeout: Infinity,
      maxQueue: queueLength,
      stricterFIFO: true,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    this.#piscina.on("error", () => undefined);
    this.#piscina.on("workerDestroy", () => this.#startedCount++);
  }

  /**
   * Has the next free thread work on a task, in the order in which tasks come.
   * @throws {EngineError} STORE_BUSY, STORE_CLOSED, QUERY_OUT_OF_MEMORY, WORKER_FAILED
   */
  async run<Answer>(task: WorkerTask): Promise<Answer> {
    // Piscina starts threads again for a task that comes after its end.
    if (this.#isClosed) throw new EngineError("STORE_CLOSED");
    try {
      return (await this.#piscina.run(task)) as Answer;
    } catch (cause) {
      throw this.#toEngineError(cause);
    }
  }

  /**
   * Has every thread work on a task when all rest, since Piscina gives tasks that come in one step to different threads then;
   * else some may get several and others none. Says whether all were done.
   */
  async runInEach(task: WorkerTask): Promise<boolean> {
    const asked = Array.from({ length: this.count }, () => this.run(task));
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
    this.#piscina.on("error", fail);
    try {
      while (!this.#isClosed) {
        const count = Atomics.load(this.#startup, startupReady);
        if (count >= this.count) return;
        const started = Atomics.waitAsync(this.#startup, startupReady, count).value;
        await Promise.race([started, this.#closed.promise, failed.promise]);
      }
    } finally {
      this.#piscina.off("error", fail);
    }
  }

  /** Ends the threads when they have done what they were asked; they take no more tasks. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed.resolve();
    await this.#loaded();
    await this.#piscina.close();
  }

  /** Resolves when no thread is loading its module: one that is ended then brings down the process, by an assertion of Node 26 (`CreateRequiredModuleFacade`). */
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
    const message = cause instanceof Error ? cause.message : String(cause);
    const code = (cause as { code?: unknown } | null)?.code;
    if (code === "ERR_WORKER_OUT_OF_MEMORY")
      return new EngineError("QUERY_OUT_OF_MEMORY", [], { cause });
    if (/queue is at limit|No task queue available/i.test(message))
      return new EngineError("STORE_BUSY", [this.#piscina.queueSize], { cause });
    return new EngineError("WORKER_FAILED", [message], { cause });
  }
}
