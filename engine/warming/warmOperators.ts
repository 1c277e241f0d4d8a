import { setImmediate, setTimeout } from "node:timers/promises";
import type { Memory } from "../memory/memory.ts";
import { bindPlan } from "../plan/bindPlan.ts";
import type { Pool } from "../pool/pool.ts";
import { presentAnswer } from "../operators/output/presentAnswer.ts";
import { runSteps } from "../runSteps.ts";
import { warmLoading } from "./warmLoading.ts";
import { warmPeriods } from "./warmPeriods.ts";
import { warmPlan } from "./warmPlan.ts";
import { warmTexts } from "./warmTexts.ts";
import { fullRowGroups, openWarmTables } from "./warmTables.ts";

interface WarmRequest {
  readonly memory: Memory;
  readonly pool: Pick<Pool, "run" | "warmKernels" | "warmSealing">;
  readonly workers: number;
  /** Returns whether the store has queries or changes. These go first. */
  readonly isBusy: () => boolean;
  readonly isClosing: () => boolean;
}

/**
 * Number of plans after which most functions are optimized. More plans would hardly make the first answers faster.
 */
const planCount = 300;
const pauseMs = 5;
/**
 * Maximum total milliseconds to wait for other work. If a store is busy for longer, its own queries have warmed the
 * operators.
 */
const longestPauseMs = 30_000;

/**
 * Warms the kernels, then runs plans of all kinds over small internal tables, so that V8 has optimized binding,
 * operators and merging before the first query. The plans use the same code path as queries. The tables do not count
 * toward the budget. A plan starts only while the store has no other work. Stops early if the store closes or is busy
 * for long. Takes about half a second in each thread.
 * @throws {EngineError} the errors of queries
 */
export async function warmOperators(request: WarmRequest): Promise<void> {
  const { memory, pool, workers, isClosing } = request;
  const isFree = waitFor(request);
  if (!(await isFree())) return;
  const kernels = pool.warmKernels();
  // The rejection is handled where the promise is awaited below.
  kernels.catch(() => undefined);
  await warmTexts(isFree);
  await warmLoading(isFree);
  await warmPeriods(isFree);
  const tables = await openWarmTables(memory, setImmediate);
  const runPlan = async (index: number) => {
    const { plan, answer } = bindPlan(warmPlan(index), tables.snapshots, memory);
    const { columns, scannedRowCount, texts } = await pool.run(plan);
    runSteps(presentAnswer(columns, answer, 0, scannedRowCount, texts));
  };
  try {
    await kernels;
    const atOnce = Math.ceil(workers / fullRowGroups);
    for (let index = 0; index < planCount && (await isFree()); index++)
      await Promise.all(Array.from({ length: atOnce }, () => runPlan(index)));
    if (await isFree()) await pool.warmSealing();
  } catch (error) {
    if (!isClosing()) throw error;
  } finally {
    tables.close();
  }
}

/** Returns a function that waits until the store has no other work. It resolves to false if the warm-up must stop. */
function waitFor({ isBusy, isClosing }: WarmRequest): () => Promise<boolean> {
  let leftMs = longestPauseMs;
  return async () => {
    await setImmediate();
    for (; isBusy() && !isClosing() && leftMs > 0; leftMs -= pauseMs) await setTimeout(pauseMs);
    return !isClosing() && leftMs > 0;
  };
}
