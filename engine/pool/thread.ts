import type { MessagePort } from "node:worker_threads";
import { Piscina } from "piscina";
import { EngineError } from "../errors.ts";
import { moving } from "./moving.ts";
import {
  countsPosted,
  countsTaken,
  type PostedAnswer,
  type PostedTask,
  type ThreadLoaded,
  type WorkerTask,
} from "./messages.ts";

interface ThreadOptions {
  readonly url: URL;
  /** Shared counter of the threads that are ready. */
  readonly startup: Int32Array;
  /**
   * Heap of the thread in MB. A task that exceeds it fails with QUERY_OUT_OF_MEMORY, and a new thread replaces this
   * one.
   */
  readonly heapMb: number;
  readonly onError: (error: unknown) => void;
  /** Called when the thread starts for the first time. */
  readonly onStart: () => void;
  /** Called when the thread has ended. A new thread replaces it. */
  readonly onEnd: () => void;
}

interface Posted {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Maximum number of posted tasks. Each of them runs at a yield point of the task posted before it, and has a separate
 * heap.
 */
const mostPosted = 2;
/**
 * How much lower the thread's priority is than that of the calling thread, which serves all requests. On a
 * busy machine, the calling thread can then run immediately instead of waiting for scans. On an idle machine, the
 * priority makes no difference.
 */
const nicer = 5;
/** Length of Piscina's own queue, which contains tasks that run in every thread (`runInEach`). */
const queueLength = 16;

/**
 * A thread of a pool, which starts with its first task and runs one task at a time. A posted task runs at the next
 * yield point of the running task, or as soon as the running task ends.
 */
export class Thread {
  readonly #options: ThreadOptions;
  #piscina: Piscina | undefined;
  #port: MessagePort | undefined;
  #counts: Int32Array | undefined;
  #posted = new Map<number, Posted>();
  #lastNumber = 0;
  /** Number of tasks that `run` started and that have not ended. */
  #runningCount = 0;
  /** Posted tasks of a thread that has ended. They are kept until it is known why the thread ended. */
  #orphans: Posted[] = [];

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#piscina !== undefined;
  }

  /** Starts the thread, unless it has started. Takes about 0.1 s of processor time. */
  start(): Piscina {
    if (this.#piscina) return this.#piscina;
    const { url, startup, heapMb, onError, onStart, onEnd } = this.#options;
    const piscina = new Piscina({
      filename: url.href,
      minThreads: 1,
      maxThreads: 1,
      workerData: startup,
      idleTimeout: Infinity,
      maxQueue: queueLength,
      recordTiming: false,
      niceIncrement: nicer,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    this.#piscina = piscina;
    piscina.on("error", onError);
    piscina.on("message", (message: ThreadLoaded) => this.#connect(message));
    piscina.on("workerDestroy", () => {
      this.#port?.close();
      this.#port = undefined;
      this.#counts = undefined;
      this.#orphans.push(...this.#posted.values());
      this.#posted.clear();
      onEnd();
    });
    onStart();
    return piscina;
  }

  /** Returns whether another task can be posted. The last place is reserved for light tasks, which soon free it. */
  canPost(isLight: boolean): boolean {
    const limit = isLight ? mostPosted : mostPosted - 1;
    return this.#port !== undefined && this.#posted.size < limit;
  }

  /**
   * Runs a task.
   * @throws the task's error, or the error with which the thread ended
   */
  async run(task: WorkerTask, moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    this.#runningCount++;
    try {
      return await this.start().run(moving(task, moved));
    } catch (error) {
      for (const { reject } of this.#orphans.splice(0)) reject(error);
      throw error;
    } finally {
      this.#runningCount--;
      this.#serve();
    }
  }

  /** Makes the thread run posted tasks if the task to which they were posted has ended. */
  #serve(): void {
    const counts = this.#counts;
    if (!counts || this.#runningCount > 0) return;
    if (counts[countsPosted] === Atomics.load(counts, countsTaken)) return;
    // If the thread crashes, the posted tasks fail with its error.
    void this.run({ kind: "serve" }).catch((error: unknown) => this.#refuse(error));
  }

  /**
   * Runs a task at the next yield point of the running task.
   * @throws {EngineError} WORKER_FAILED with the message of the task's error
   * @throws the error with which the thread ended
   */
  post(task: PostedTask["task"], moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    const [port, counts] = [this.#port, this.#counts];
    if (!port || !counts) throw new TypeError("the thread is not loaded");
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber;
      this.#posted.set(number, { resolve, reject });
      port.postMessage({ number, task } satisfies PostedTask, [...moved]);
      Atomics.add(counts, countsPosted, 1);
      // The running task may have ended before this thread has received its response.
      this.#serve();
    });
  }

  async close(): Promise<void> {
    await this.#piscina?.close();
  }

  #connect({ kind, port, counts }: ThreadLoaded): void {
    if (kind !== "loaded") return;
    this.#port = port;
    this.#counts = counts;
    port.on("message", ({ number, answer, thrown }: PostedAnswer) => {
      const posted = this.#posted.get(number);
      this.#posted.delete(number);
      if (thrown === undefined) posted?.resolve(answer);
      else posted?.reject(new EngineError("WORKER_FAILED", [thrown]));
    });
    // The task that contains the posted task keeps the process alive.
    port.unref();
  }

  #refuse(error: unknown): void {
    for (const { reject } of this.#posted.values()) reject(error);
    this.#posted.clear();
  }
}
