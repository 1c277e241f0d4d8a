import * as assert from "uvu/assert";
import type { Failure } from "../../../engine/failureOf.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { MainArenas } from "../../../engine/pool/mainArenas.ts";
import {
  controlCancelled,
  type ColumnsAnswer,
  type CutTask,
  type NeedsMemories,
  type ScanAnswer,
  type ScanTask,
} from "../../../engine/pool/messages.ts";
import { Threads } from "../../../engine/pool/threads.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";
import { bind, count, makeTable } from "./numbersTable.ts";

/** The cheapest task. */
const serve = { kind: "serve" } as const;

suite("engine/pool/threads", (test) => {
  test.deep("2,000 queued tasks start in order of arrival", async () => {
    const threads = new Threads({ count: 1, heapMb: 256 });
    const begun: number[] = [];
    const running = Array.from({ length: 2000 }, (_, index) =>
      threads.run(() => {
        begun.push(index);
        return index % 500 === 0 ? serve : undefined;
      }),
    );
    await Promise.all(running);
    assert.equal(begun, [...running.keys()]);
    await threads.close();
  });

  test("a withdrawn task leaves the queue, resolves with undefined and is never created", async () => {
    const threads = new Threads({ count: 1, heapMb: 256 });
    const first = threads.run(serve);
    let madeCount = 0;
    const task = () => {
      madeCount++;
      return serve;
    };
    const running = threads.run(task);
    threads.withdraw(task);
    assert.is(await running, undefined);
    await first;
    await threads.run(serve);
    assert.is(madeCount, 0);
    threads.withdraw(task);
    await threads.close();
  });

  test("tasks of a tenant with little use run at the yield points of another tenant's long task", async () => {
    const threads = new Threads({ count: 1, heapMb: 512 });
    await threads.ready();
    const cutOf = (rowCount: number, orderCount: number): CutTask => {
      const values = new Float64Array(rowCount);
      for (let row = 0; row < rowCount; row++) values[row] = ((row * 7919) % rowCount) + 0.5;
      const order = Array.from({ length: orderCount }, () => ({ output: 0, descending: true }));
      return {
        kind: "cut",
        control: new Int32Array(new SharedArrayBuffer(8)),
        plan: { rowCount, laneCount: 1, columns: [], order },
        columns: [values],
      };
    };
    const tenant = (user: string) => ({ organization: "o", user });
    // A sort that would take seconds. It is cancelled as soon as the other tasks have finished.
    const long = cutOf(1_000_000, 24);
    const ended: string[] = [];
    const busy = threads
      .run<Failure>(long, { tenant: tenant("busy") })
      .finally(() => ended.push("busy"));
    const behind = threads.run<ColumnsAnswer>(cutOf(1000, 1), { tenant: tenant("busy") });
    for (let count = 0; count < 3; count++) {
      const { columns } = await threads.run<ColumnsAnswer>(cutOf(1000, 1), {
        tenant: tenant("quiet"),
      });
      ended.push("quiet");
      assert.equal([...columns[0].subarray(0, 2)], [999.5, 998.5]);
    }
    Atomics.store(long.control, controlCancelled, 1);
    assert.is((await busy).code, "QUERY_CANCELLED", "cancelled only by its own flag");
    assert.is((await behind).columns[0][0], 999.5);
    assert.equal(ended, ["quiet", "quiet", "quiet", "busy"]);
    await threads.close();
  });

  test("an error thrown in a thread becomes WORKER_FAILED, and the thread's next task succeeds", async () => {
    const threads = new Threads({ count: 1, heapMb: 256 });
    await rejects(threads.run({ kind: "releaseMemory" } as never), "WORKER_FAILED");
    await threads.run(serve);
    await threads.close();
  });

  test.deep("runInEach runs a task exactly once in each thread", async () => {
    const threads = new Threads({ count: 3, heapMb: 256 });
    const memory = new Memory({ budgetBytes: 2 ** 26 });
    const arenas = new MainArenas(memory);
    const plan = bind(count, makeTable(memory, 10), memory);
    arenas.view();
    const control = new Int32Array(new SharedArrayBuffer(8));
    Atomics.store(control, controlCancelled, 1);
    const { offset } = memory.allocateScratch(2 ** 20, 0);
    const scan: ScanTask = {
      kind: "scan",
      memories: arenas.memories(),
      plan,
      control,
      bases: [offset],
      homeArena: 0,
      partCount: 1,
      laneStates: 0,
      laneBytes: 0,
    };
    const scanAll = () =>
      Promise.all([1, 2, 3].map(() => threads.run<NeedsMemories | Failure | ScanAnswer>(scan)));
    await threads.ready();
    assert.equal(
      (await scanAll()).map(({ ok }) => ok),
      ["needsMemories", "needsMemories", "needsMemories"],
    );
    assert.is(await threads.runInEach({ kind: "releaseMemory", memories: arenas.passed() }), true);
    for (let turn = 0; turn < 3; turn++)
      for (const answer of await scanAll()) assert.is.not(answer.ok, "needsMemories");
    await threads.close();
  });

  test("threads can be closed while they load", async () => {
    const threads = new Threads({ count: 2, heapMb: 256 });
    const ready = threads.ready();
    await threads.close();
    await ready;
    await rejects(threads.run(serve), "STORE_CLOSED");
    assert.is(await threads.runInEach(serve), false);
  });
});
