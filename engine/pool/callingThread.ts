import { setImmediate } from "node:timers/promises";
import { failureOf } from "../failureOf.ts";
import { workFor } from "../operators/task/cancellation.ts";
import type { Heap } from "../operators/task/heap.ts";
import type { MainArenas } from "./mainArenas.ts";
import { controlCancelled, type QueryTask } from "./messages.ts";
import type { TaskThreads } from "./queryTasks.ts";
import { runTask } from "./runTask.ts";

/**
 * Maximum milliseconds per turn of the event loop in which small plans run. Without it, a caller that queries in a loop
 * would block other work.
 */
const sliceMs = 2;

/**
 * Runs the tasks of small plans in the calling thread, because passing a task to a thread takes longer than running it.
 */
export class CallingThread implements TaskThreads {
  readonly count = 1;
  readonly #arenas: Pick<MainArenas, "view">;
  readonly #heap: Heap;
  /** Start time of the first task in this turn of the event loop. */
  #turnFromMs: number | undefined;

  constructor(arenas: Pick<MainArenas, "view">, heap: Heap) {
    this.#arenas = arenas;
    this.#heap = heap;
  }

  /** Runs a task to its end. Like the threads, returns failures instead of throwing them. */
  async run<Answer>(task: QueryTask): Promise<Answer> {
    while (this.#turnFromMs !== undefined && performance.now() - this.#turnFromMs > sliceMs)
      await setImmediate();
    if (this.#turnFromMs === undefined) {
      this.#turnFromMs = performance.now();
      void setImmediate().then(() => (this.#turnFromMs = undefined));
    }
    const before = workFor(task.control.subarray(controlCancelled, controlCancelled + 1));
    try {
      return runTask(task, { arenas: this.#arenas.view(), heap: this.#heap }) as Answer;
    } catch (error) {
      return failureOf(error) as Answer;
    } finally {
      workFor(before);
    }
  }
}
