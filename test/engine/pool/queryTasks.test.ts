import { setTimeout } from "node:timers/promises";
import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import {
  controlCancelled,
  type CutTask,
  type FinishDirectTask,
  type Memories,
  type WorkerTask,
} from "../../../engine/pool/messages.ts";
import { QueryTasks } from "../../../engine/pool/queryTasks.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

const passed: Memories = { sizes: [7], versions: [0], passed: [] };
const arenas = { passed: () => passed };
const control = new Int32Array(new SharedArrayBuffer(8));
const cut = { kind: "cut", control, columns: [] } as unknown as CutTask;
const finish = {
  kind: "finishDirect",
  control,
  memories: { sizes: [7], versions: [0] },
} as unknown as FinishDirectTask;

/** Returns threads that respond with `answer`, and a list of the tasks that they received. */
function answering(answer: (task: WorkerTask, index: number) => unknown) {
  const got: WorkerTask[] = [];
  const run = async <Answer>(task: WorkerTask) =>
    (await answer(task, got.push(task) - 1)) as Answer;
  return { got, threads: { count: 2, run } };
}

suite("engine/pool/queryTasks", (test) => {
  test("a thread that lacks memory for a task gets the task again with that memory", async () => {
    const { got, threads } = answering((_, index) =>
      index === 0 ? { ok: "needsMemories" } : { ok: true, columns: [] },
    );
    const tasks = new QueryTasks(threads, arenas);
    assert.equal(await tasks.send(finish), { ok: true, columns: [] });
    assert.equal(got, [finish, { ...finish, memories: passed }]);
  });

  test("a query fails if a thread still lacks memory for a task or cannot receive that memory", async () => {
    const { got, threads } = answering(() => ({ ok: "needsMemories" }));
    await rejects(new QueryTasks(threads, arenas).send(finish), "WORKER_FAILED");
    assert.is(got.length, 2);
    await rejects(new QueryTasks(threads, arenas).send(cut), "WORKER_FAILED");
    assert.is(got.length, 3);
  });

  test("an error that a thread returns is thrown with its code and details", async () => {
    const { threads } = answering(() => ({ ok: false, code: "QUERY_PLAN", details: ["why"] }));
    const error = await new QueryTasks(threads, arenas).send(cut).catch((cause: unknown) => cause);
    assert.instance(error, EngineError);
    assert.equal(
      [(error as EngineError).code, (error as EngineError).details],
      ["QUERY_PLAN", ["why"]],
    );
  });

  test("no task is sent after its query was cancelled", async () => {
    const { got, threads } = answering(() => ({ ok: true, columns: [] }));
    const tasks = new QueryTasks(threads, arenas);
    tasks.cancel();
    assert.is(Atomics.load(tasks.control, controlCancelled), 1);
    await rejects(tasks.send(cut), "QUERY_CANCELLED");
    await rejects(tasks.sendAll([cut, cut]), "QUERY_CANCELLED");
    assert.is(got.length, 0);
  });

  test("a failed task cancels the query's other tasks, and its error is thrown once the other tasks have ended", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let turn = 0; turn < 100; turn++) {
        const kinds = Array.from({ length: 1 + random.below(5) }, () =>
          random.pick(["answers", "answers", "returns", "throws", "is cancelled"]),
        );
        let endedCount = 0;
        const { threads } = answering(async (_, index) => {
          await setTimeout(random.below(3));
          endedCount++;
          if (kinds[index] === "throws") throw new EngineError("WORKER_FAILED", ["dead"]);
          if (kinds[index] === "answers") return { ok: true, columns: [], index };
          const code = kinds[index] === "returns" ? "QUERY_OUT_OF_MEMORY" : "QUERY_CANCELLED";
          return { ok: false, code, details: [] };
        });
        const tasks = new QueryTasks(threads, arenas);
        const [outcome] = await Promise.allSettled([tasks.sendAll(kinds.map(() => cut))]);
        assert.is(endedCount, kinds.length);
        const isSound = kinds.every((kind) => kind === "answers");
        assert.is(Atomics.load(tasks.control, controlCancelled), isSound ? 0 : 1);
        if (outcome.status === "fulfilled") {
          assert.ok(isSound);
          assert.equal(
            outcome.value,
            kinds.map((_, index) => ({ ok: true, columns: [], index })),
          );
          continue;
        }
        const codes = { returns: "QUERY_OUT_OF_MEMORY", throws: "WORKER_FAILED" };
        const cause = kinds.find((kind) => kind === "returns" || kind === "throws");
        assert.is((outcome.reason as EngineError).code, cause ? codes[cause] : "QUERY_CANCELLED");
      }
    });
  });
});
