import type { Caller, Connection } from "../connections/connection.ts";
import { PluginError, type Batch, type Query } from "../../plugins/protocol/index.ts";
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
export async function run(
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<RunAnswer> {
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
  try {
    return { plan, answer: await ask(plan.pushed, secured, caller) };
  } catch (failure) {
    const pushesNothing = plan.mode === "rows" && plan.pushed.filters.length === 0;
    const isRefused = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
    if (!isRefused || pushesNothing) throw failure;
    const plain = planWithoutPushdown(secured, secured.dataset.connection.capabilities);
    return { plan: plain, answer: await ask(plain.pushed, secured, caller) };
  }
}

async function ask(query: Query, { dataset }: SecuredQuery, caller: Caller): Promise<Batch> {
  const answer = await dataset.connection.query(query, dataset.source, caller);
  if (answer.rowCount <= (query.limit?.by ?? Infinity)) return answer;
  throw new PluginError("PLUGIN_BAD_ANSWER", [
    `it answered ${answer.rowCount} rows where at most ${query.limit?.by} were asked (connection ${dataset.connection.name})`,
  ]);
}
