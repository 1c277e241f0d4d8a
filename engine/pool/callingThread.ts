import { setImmediate } from "node:timers/promises";
import { failureOf } from "../failureOf.ts";
import { workFor } from "../operators/task/cancellation.ts";
import type { Heap } from "../operators/task/heap.ts";
import type { MainArenas } from "./mainArenas.ts";
import { controlCancelled, type QueryTask } from "./messages.ts";
import type { TaskThreads } from "./queryTasks.ts";
import { runTask } from "./runTask.ts";

/**
 * How long tasks follow each other before the event loop has a turn: whoever asks in a loop would keep it from all
 * else.
 */
const turnMs = 5;

/** Works on the tasks of small plans in the thread that asks: to hand one over takes longer than the task. */
export class CallingThread implements TaskThreads {
  readonly count = 1;
  readonly #arenas: Pick<MainArenas, "view">;
  readonly #heap: Heap;
  /** When the first task of this turn of the event loop began. */
  #turnFromMs: number | undefined;

  constructor(arenas: Pick<MainArenas, "view">, heap: Heap) {
    this.#arenas = arenas;
    this.#heap = heap;
  }

  /** Runs a task to its end. A task that fails answers its failure, as one in a thread does. */
  async run<Answer>(task: QueryTask): Promise<Answer> {
    while (this.#turnFromMs !== undefined && performance.now() - this.#turnFromMs > turnMs)
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
