import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import type { BoundPlan } from "../../../engine/plan/boundPlan.ts";
import { Pool } from "../../../engine/pool/pool.ts";
import { warmOperators } from "../../../engine/warming/warmOperators.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

const never = () => false;
const warmKernels = () => Promise.resolve();
const warmSealing = () => Promise.resolve();

suite("engine/warming/warmOperators", (test) => {
  test.deep(
    "threads answer all warm-up plans without using the budget, and free all memory",
    async () => {
      const memory = new Memory({ budgetBytes: 0 });
      const workers = rounds({ quick: 1, deep: 2 });
      const pool = new Pool({ workers, memory });
      const used = new Set<number>();
      let answered = 0;
      const counting = {
        warmKernels: () => pool.warmKernels(),
        warmSealing: () => pool.warmSealing(),
        async run(plan: BoundPlan) {
          used.add(memory.usedBytes);
          const answer = await pool.run(plan);
          answered++;
          return answer;
        },
      };
      await warmOperators({ memory, pool: counting, workers, isBusy: never, isClosing: never });
      assert.is(answered, 300);
      assert.equal([...used], [0]);
      assert.is(memory.usedBytes, 0);
      assert.is(memory.scratchUsedBytes, 0);
      await pool.close();
    },
  );

  test.deep(
    "warm-up plans run in parallel if there are more threads than plans in one shared scan",
    async () => {
      const memory = new Memory({ budgetBytes: 0 });
      let running = 0;
      let most = 0;
      let left = 12;
      const pool = {
        warmKernels,
        warmSealing,
        async run() {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          running--;
          if (--left === 0) throw new EngineError("QUERY_CANCELLED");
          return { columns: [new Float64Array(0)], scannedRowCount: 0 };
        },
      };
      const warmed = warmOperators({ memory, pool, workers: 8, isBusy: never, isClosing: never });
      await rejects(warmed, "QUERY_CANCELLED");
      assert.is(most, 4);
    },
  );

  test.deep("a failed plan stops the warm-up with its error and frees all memory", async () => {
    const memory = new Memory({ budgetBytes: 0 });
    let runCount = 0;
    const pool = {
      warmKernels,
      warmSealing,
      async run(): Promise<never> {
        runCount++;
        throw new EngineError("WORKER_FAILED", ["it died"]);
      },
    };
    const warmed = warmOperators({ memory, pool, workers: 2, isBusy: never, isClosing: never });
    await rejects(warmed, "WORKER_FAILED");
    assert.is(runCount, 1);
    assert.is(memory.usedBytes, 0);
  });

  test.deep(
    "if threads cannot warm up the kernels, the warm-up fails before any plan runs",
    async () => {
      const memory = new Memory({ budgetBytes: 0 });
      const pool = {
        warmKernels: () => Promise.reject(new EngineError("WORKER_FAILED", ["it died"])),
        warmSealing,
        run: () => Promise.reject(new EngineError("QUERY_CANCELLED")),
      };
      const warmed = warmOperators({ memory, pool, workers: 2, isBusy: never, isClosing: never });
      await rejects(warmed, "WORKER_FAILED");
      assert.is(memory.usedBytes, 0);
    },
  );

  test.deep("no warm-up plan starts while the store is busy or once it is closing", async () => {
    const memory = new Memory({ budgetBytes: 0 });
    const pool = new Pool({ workers: 1, memory });
    let isBusy = true;
    let isClosing = false;
    let runCount = 0;
    const watched = {
      warmKernels,
      warmSealing,
      run(plan: BoundPlan) {
        assert.not(isBusy || isClosing);
        if (++runCount % 5 === 0) {
          isBusy = true;
          setTimeout(() => {
            isBusy = false;
            isClosing = runCount === 20;
          }, 10);
        }
        return pool.run(plan);
      },
    };
    setTimeout(() => (isBusy = false), 20);
    const request = { memory, pool: watched, workers: 1 };
    await warmOperators({ ...request, isBusy: () => isBusy, isClosing: () => isClosing });
    assert.is(runCount, 20);
    assert.is(memory.usedBytes, 0);
    await pool.close();
  });
});
