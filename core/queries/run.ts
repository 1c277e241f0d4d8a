import type { Caller, Connection } from "../connections/connection.ts";
import { PluginError, type Batch, type Query } from "../../plugins/protocol/index.ts";
import { finish } from "./finish.ts";
import { planQuery, planWithoutGroups, planWithoutPushdown, type QueryPlan } from "./plan.ts";
import type { JoinedPlan } from "./planJoined.ts";
import { repeatRows } from "./repeatRows.ts";
import { hideAmbiguous, runJoined } from "./runJoined.ts";
import type { SecuredQuery } from "./secure.ts";

/** Rows that are made again of frequencies; with more of them plain rows are asked. */
const mostRepeatedRows = 2 ** 24;

/** The columns of `secured.query`, in their order, and the milliseconds that planning, plugin and residual took. */
export interface RunAnswer {
  readonly batch: Batch;
  readonly plan: QueryPlan | JoinedPlan;
  readonly preparingMs: number;
  readonly queryingMs: number;
  readonly processingMs: number;
}

/**
 * Asks the plugin what it promises and has the rest finished in scratch. A plugin that answers
 * PLUGIN_NOT_OFFERED is asked once more, for plain rows only. Datasets that no one plugin joins are joined in scratch.
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
  if (secured.query.joins)
    return runJoins(first, secured, scratch, caller).catch((failure: unknown) => {
      throw hideAmbiguous(secured, failure);
    });
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

/** Asks the joins of the plugin that holds all datasets, and has them done in scratch where it cannot. */
async function runJoins(
  plan: QueryPlan,
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<RunAnswer> {
  const { steps } = plan;
  if (plan.mode === "rows") return runJoined(secured, { scratch, steps }, caller);
  const askedFrom = performance.now();
  try {
    const answer = await ask(plan.pushed, secured, caller);
    const answeredAt = performance.now();
    const batch = plan.residual ? await finish(plan.residual, answer, scratch, caller) : answer;
    const [queryingMs, processingMs] = [answeredAt - askedFrom, performance.now() - answeredAt];
    return { batch, plan, preparingMs: 0, queryingMs, processingMs };
  } catch (failure) {
    if (!(failure instanceof PluginError) || failure.code !== "PLUGIN_NOT_OFFERED") throw failure;
    return runJoined(secured, { scratch, steps }, caller);
  }
}

async function askOrFallBack(
  plan: QueryPlan,
  secured: SecuredQuery,
  caller: Caller,
): Promise<{ readonly plan: QueryPlan; readonly answer: Batch }> {
  const { capabilities } = secured.dataset.connection;
  try {
    const answer = await ask(plan.pushed, secured, caller);
    const { frequencies } = plan;
    const rows = frequencies ? repeatRows(answer, frequencies, mostRepeatedRows) : answer;
    if (rows) return { plan, answer: rows };
    const plain = planWithoutGroups(secured, capabilities);
    return { plan: plain, answer: await ask(plain.pushed, secured, caller) };
  } catch (failure) {
    const pushesNothing = plan.mode === "rows" && plan.pushed.filters.length === 0;
    const isRefused = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
    if (!isRefused || pushesNothing) throw failure;
    const plain = planWithoutPushdown(secured, capabilities);
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
