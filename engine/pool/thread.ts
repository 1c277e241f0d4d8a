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
  /** Counts the threads that are ready. */
  readonly startup: Int32Array;
  /** Heap of the thread; a task past it fails with QUERY_OUT_OF_MEMORY, and the thread gets a successor. */
  readonly heapMb: number;
  readonly onError: (error: unknown) => void;
  /** A thread that ended gets a successor. */
  readonly onEnd: () => void;
}

interface Posted {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Tasks that one task may hold up, one in another: each has a heap of its own. */
const mostPosted = 2;
/** Of Piscina's own queue: tasks that all threads get wait there. */
const queueLength = 16;

/**
 * One thread of a pool, which works on one task at a time. A task may be posted to be run at the next pause of the one
 * that it works on; when that ends before, the thread is asked to run it at once.
 */
export class Thread {
  readonly #piscina: Piscina;
  #port: MessagePort | undefined;
  #counts: Int32Array | undefined;
  #posted = new Map<number, Posted>();
  #lastNumber = 0;
  /** Tasks of `run` that have not ended. */
  #runningCount = 0;
  /** Those of a thread that ended, until it is known why. */
  #orphans: Posted[] = [];

  constructor({ url, startup, heapMb, onError, onEnd }: ThreadOptions) {
    this.#piscina = new Piscina({
      filename: url.href,
      minThreads: 1,
      maxThreads: 1,
      workerData: startup,
      idleTimeout: Infinity,
      maxQueue: queueLength,
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    this.#piscina.on("error", onError);
    this.#piscina.on("message", (message: ThreadLoaded) => this.#connect(message));
    this.#piscina.on("workerDestroy", () => {
      this.#port?.close();
      this.#port = undefined;
      this.#counts = undefined;
      this.#orphans.push(...this.#posted.values());
      this.#posted.clear();
      onEnd();
    });
  }

  get canPost(): boolean {
    return this.#port !== undefined && this.#posted.size < mostPosted;
  }

  /**
   * Has the thread work on a task.
   * @throws what the task threw, or what ended the thread
   */
  async run(task: WorkerTask, moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    this.#runningCount++;
    try {
      return await this.#piscina.run(moving(task, moved));
    } catch (error) {
      for (const { reject } of this.#orphans.splice(0)) reject(error);
      throw error;
    } finally {
      this.#runningCount--;
      this.#serve();
    }
  }

  /** Has the thread run what was posted, when the task that it was posted to has ended. */
  #serve(): void {
    const counts = this.#counts;
    if (!counts || this.#runningCount > 0) return;
    if (counts[countsPosted] === Atomics.load(counts, countsTaken)) return;
    // What ends the thread is told to those that wait.
    void this.run({ kind: "serve" }).catch((error: unknown) => this.#refuse(error));
  }

  /**
   * Has the thread work on a task at its next pause, while `run` has it work on another one.
   * @throws {EngineError} WORKER_FAILED for what the task threw
   * @throws what ended the thread
   */
  post(task: PostedTask["task"], moved: readonly ArrayBuffer[] = []): Promise<unknown> {
    const [port, counts] = [this.#port, this.#counts];
    if (!port || !counts) throw new TypeError("the thread is not loaded");
    return new Promise((resolve, reject) => {
      const number = ++this.#lastNumber;
      this.#posted.set(number, { resolve, reject });
      port.postMessage({ number, task } satisfies PostedTask, [...moved]);
      Atomics.add(counts, countsPosted, 1);
      // The task may have ended, and not be known to have.
      this.#serve();
    });
  }

  close(): Promise<void> {
    return this.#piscina.close();
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
    // The task that it holds up keeps the process.
    port.unref();
  }

  #refuse(error: unknown): void {
    for (const { reject } of this.#posted.values()) reject(error);
    this.#posted.clear();
  }
}
