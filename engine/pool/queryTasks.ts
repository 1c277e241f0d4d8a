import { EngineError } from "../errors.ts";
import type { Failure } from "../failureOf.ts";
import type { MainArenas } from "./mainArenas.ts";
import {
  controlCancelled,
  controlNextLane,
  type NeedsMemories,
  type QueryTask,
  type SampleAnswer,
  type ScanAnswer,
  type ColumnsAnswer,
} from "./messages.ts";
import { movedBuffers } from "./movedBuffers.ts";
import type { TaskOptions } from "./threads.ts";

type AnswerOf<Task extends QueryTask> = Task extends { readonly kind: "scan" }
  ? ScanAnswer
  : Task extends { readonly kind: "sample" }
    ? SampleAnswer
    : ColumnsAnswer;

/** Threads that run the tasks of a query. */
export interface TaskThreads {
  readonly count: number;
  run<Answer>(task: QueryTask, options: TaskOptions): Promise<Answer>;
}

/** Sends the tasks of one query to the threads. */
export class QueryTasks {
  readonly #threads: TaskThreads;
  readonly #arenas: Pick<MainArenas, "passed">;
  /** The state that the tasks of the query share. Its indices are defined in `messages.ts`. */
  readonly control = new Int32Array(new SharedArrayBuffer(8));
  readonly #options: TaskOptions;

  constructor(threads: TaskThreads, arenas: Pick<MainArenas, "passed">, options: TaskOptions = {}) {
    this.#threads = threads;
    this.#arenas = arenas;
    this.#options = options;
  }

  get threadCount(): number {
    return this.#threads.count;
  }

  /** Makes the next tasks take lanes from the first one. No task of the query may be running. */
  beginLanes(): void {
    Atomics.store(this.control, controlNextLane, 0);
  }

  /** Stops the running tasks early and rejects further tasks. */
  cancel(): void {
    Atomics.store(this.control, controlCancelled, 1);
  }

  /**
   * Sends a task. If the thread lacks the memories that the task reads, sends the task again with these memories.
   * @throws {EngineError} QUERY_CANCELLED, the task's failure, and the errors of `Threads.run`
   */
  async send<Task extends QueryTask>(task: Task): Promise<AnswerOf<Task>> {
    const [moved] = movedBuffers([task]);
    return this.#send(task, moved);
  }

  async #send<Task extends QueryTask>(
    task: Task,
    moved: readonly ArrayBuffer[],
  ): Promise<AnswerOf<Task>> {
    if (Atomics.load(this.control, controlCancelled) === 1)
      throw new EngineError("QUERY_CANCELLED");
    type Outcome = AnswerOf<Task> | Failure | NeedsMemories;
    const run = (sent: QueryTask) => this.#threads.run<Outcome>(sent, { ...this.#options, moved });
    let answer = await run(task);
    if (answer.ok === "needsMemories" && "memories" in task)
      answer = await run({ ...task, memories: this.#arenas.passed() });
    if (answer.ok === "needsMemories")
      throw new EngineError("WORKER_FAILED", ["it did not bind the memories of its task"]);
    if (!answer.ok) throw new EngineError(answer.code, answer.details);
    return answer;
  }

  /**
   * Sends tasks and waits until all of them have ended, even if one fails, because they share memory. If a task fails,
   * the other tasks are cancelled.
   * @throws {EngineError} the first failure other than QUERY_CANCELLED, otherwise QUERY_CANCELLED
   */
  async sendAll<Task extends QueryTask>(tasks: readonly Task[]): Promise<AnswerOf<Task>[]> {
    const moved = movedBuffers(tasks);
    const running = tasks.map((task, index) => this.#send(task, moved[index]));
    for (const task of running) task.catch(() => this.cancel());
    const settled = await Promise.allSettled(running);
    const failed = settled
      .filter((outcome) => outcome.status === "rejected")
      .map((outcome): unknown => outcome.reason);
    if (failed.length > 0) throw failed.find((error) => !isCancelled(error)) ?? failed[0];
    return settled.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof EngineError && error.code === "QUERY_CANCELLED";
}
