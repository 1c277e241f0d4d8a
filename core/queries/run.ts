import type { Caller, Connection } from "../connections/connection.ts";
import { PluginError, type Batch } from "../../plugins/protocol/index.ts";
import { finish } from "./finish.ts";
import { planQuery, planWithoutPushdown, type QueryPlan } from "./plan.ts";
import type { SecuredQuery } from "./secure.ts";

/** The columns of `secured.query`, in their order, and the milliseconds that planning, plugin and residual took. */
export interface RunAnswer {
  readonly batch: Batch;
  readonly plan: QueryPlan;
  readonly preparingMs: number;
  readonly queryingMs: number;
  readonly processingMs: number;
}

/**
 * Asks the plugin what it promises and has the rest finished in scratch. A plugin that answers
 * PLUGIN_NOT_OFFERED is asked once more, for plain rows only.
 * @throws {PluginError} of the dataset's plugin or of scratch
 */
export async function run(secured: SecuredQuery, scratch: Connection, caller: Caller): Promise<RunAnswer> {
  const { connection } = secured.dataset;
  const startedAt = performance.now();
  const first = planQuery(secured, connection.capabilities);
  const plannedAt = performance.now();
  const { plan, answer } = await askOrFallBack(first, secured, caller);
  const answeredAt = performance.now();
  const batch = plan.residual ? await finish(plan.residual, answer, scratch, caller) : answer;
  return {
    batch,
    plan,
    preparingMs: plannedAt - startedAt,
    queryingMs: answeredAt - plannedAt,
    processingMs: performance.now() - answeredAt,
  };
}

async function askOrFallBack(
  plan: QueryPlan,
  secured: SecuredQuery,
  caller: Caller,
): Promise<{ readonly plan: QueryPlan; readonly answer: Batch }> {
  const { connection, source } = secured.dataset;
  try {
    return { plan, answer: await connection.query(plan.pushed, source, caller) };
  } catch (failure) {
    const pushesNothing = plan.mode === "rows" && plan.pushed.filters.length === 0;
    if (!(failure instanceof PluginError) || failure.code !== "PLUGIN_NOT_OFFERED" || pushesNothing) throw failure;
    const plain = planWithoutPushdown(secured, connection.capabilities);
    return { plan: plain, answer: await connection.query(plain.pushed, source, caller) };
  }
}
