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
  readonly pool: Pick<Pool, "run" | "warmKernels" | "warmIngest">;
  readonly workers: number;
  /** Whether the store is asked something, which goes first. */
  readonly isBusy: () => boolean;
  readonly isClosing: () => boolean;
}

/** Plans after which most functions are optimized: with more of them, first answers hardly get faster. */
const planCount = 300;
const pauseMs = 5;
/** How long other work may keep the warming waiting. After that, it has warmed the operators itself. */
const longestPauseMs = 30_000;

/**
 * Warms the kernels, and runs plans of all kinds over small tables of its own, through the path of every query, so that
 * V8 has optimized binding, operators and merging before the first question comes. Nobody sees the tables, and they
 * count to no budget. A plan starts when nothing else is asked. Ends early when the store closes or is busy for long.
 * Costs about half a second of each thread.
 * @throws {EngineError} what queries throw
 */
export async function warmOperators(request: WarmRequest): Promise<void> {
  const { memory, pool, workers, isClosing } = request;
  const isFree = waitFor(request);
  if (!(await isFree())) return;
  const kernels = pool.warmKernels();
  // A failure counts when it is waited for.
  kernels.catch(() => undefined);
  await warmTexts(isFree);
  await warmLoading(isFree);
  await warmPeriods(isFree);
  const tables = await openWarmTables(memory, setImmediate);
  const ask = async (index: number) => {
    const { plan, answer } = bindPlan(warmPlan(index), tables.snapshots, memory);
    const { columns, scannedRowCount, texts } = await pool.run(plan);
    runSteps(presentAnswer(columns, answer, 0, scannedRowCount, texts));
  };
  try {
    await kernels;
    const atOnce = Math.ceil(workers / fullRowGroups);
    for (let index = 0; index < planCount && (await isFree()); index++)
      await Promise.all(Array.from({ length: atOnce }, () => ask(index)));
    if (await isFree()) await pool.warmIngest();
  } catch (error) {
    if (!isClosing()) throw error;
  } finally {
    tables.close();
  }
}

/** Makes a wait until nothing else is asked; false when the warming shall end. */
function waitFor({ isBusy, isClosing }: WarmRequest): () => Promise<boolean> {
  let leftMs = longestPauseMs;
  return async () => {
    await setImmediate();
    for (; isBusy() && !isClosing() && leftMs > 0; leftMs -= pauseMs) await setTimeout(pauseMs);
    return !isClosing() && leftMs > 0;
  };
}
