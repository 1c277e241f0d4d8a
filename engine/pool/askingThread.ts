import { failureOf } from "../failureOf.ts";
import { workFor } from "../operators/cancellation.ts";
import type { Heap } from "../operators/heap.ts";
import type { MainArenas } from "./mainArenas.ts";
import { controlCancelled, type QueryTask } from "./messages.ts";
import type { TaskThreads } from "./queryTasks.ts";
import { runTask } from "./runTask.ts";

/** Works on the tasks of small plans in the thread that asks: to hand one over takes longer than the task. */
export class AskingThread implements TaskThreads {
  readonly count = 1;
  readonly #arenas: Pick<MainArenas, "view">;
  readonly #heap: Heap;

  constructor(arenas: Pick<MainArenas, "view">, heap: Heap) {
    this.#arenas = arenas;
    this.#heap = heap;
  }

  /** Runs a task to its end. A task that fails answers its failure, as one in a thread does. */
  async run<Answer>(task: QueryTask): Promise<Answer> {
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
