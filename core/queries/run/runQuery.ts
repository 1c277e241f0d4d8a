import type { RunAnswer } from "./runAnswer.ts";
import { type Caller, type Connection, inSpanNow } from "../../base/index.ts";
import {
  PluginError,
  type AnsweredBatch,
  type Batch,
  type BatchColumn,
} from "../../../plugins/protocol/index.ts";
import { isPlausible } from "../finish/isPlausible.ts";
import { finish } from "../finish/finish.ts";
import { openLoading, type Loading } from "../finish/openLoading.ts";
import { withAcknowledged } from "../plan/planFilters.ts";
import {
  planQuery,
  planWithoutGroups,
  planWithoutOrder,
  planWithoutPushdown,
  planWithoutTrust,
} from "../plan/planQuery.ts";
import type { QueryPlan } from "../queryPlan.ts";
import { repeatRows } from "../finish/repeatRows.ts";
import { hideAmbiguous, joinInScratch } from "./joinInScratch.ts";
import { runParts } from "./runParts.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { unreadColumns } from "./unreadColumns.ts";

/** Maximum number of rows to expand from frequencies. If there would be more, plain rows are fetched instead. */
const mostRepeatedRows = 2 ** 24;

/**
 * Plans a query, fetches the plugin's part, and makes the scratch plugin compute the residual. Plain rows are fetched
 * instead if the plugin fails with PLUGIN_NOT_OFFERED, or does not acknowledge the filters of its groups or limit.
 * Datasets that no single plugin joins are joined in scratch.
 * @throws {PluginError} of the dataset's plugin or of scratch
 */
export async function runQuery(
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<RunAnswer> {
  const { parts, dataset } = secured;
  if (parts)
    return runParts(secured, parts, scratch, caller, (part, own) => runQuery(part, scratch, own));
  const { connection } = dataset;
  const first = inSpanNow("plan", () => planQuery(secured, connection.capabilities));
  if (secured.query.joins)
    return joinInPlugin(first, secured, scratch, caller).catch((failure: unknown) => {
      throw hideAmbiguous(secured, failure);
    });
  const { plan, ...fetched } = await fetchOrFallBack(first, secured, scratch, caller);
  return { plan, batch: await finishPlan(plan, fetched, scratch, caller) };
}

/** A plugin's answer, and the temporary dataset into which its first rows were loaded. */
interface Fetched {
  readonly answer: AnsweredBatch;
  /** The temporary dataset into which plain rows are loaded as they arrive; absent for other answers. */
  readonly loading?: Loading;
}

/**
 * Joins the datasets in their plugin if one plugin contains them all and can join them; otherwise joins them in
 * scratch.
 */
async function joinInPlugin(
  plan: QueryPlan,
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<RunAnswer> {
  const { steps } = plan;
  const { capabilities } = secured.dataset.connection;
  if (plan.mode === "rows") return joinInScratch(secured, { scratch, steps }, caller);
  let fetched: Fetched;
  try {
    fetched = await fetch(plan, secured, scratch, caller);
  } catch (failure) {
    if (!(failure instanceof PluginError) || failure.code !== "PLUGIN_NOT_OFFERED") throw failure;
    return joinInScratch(secured, { scratch, steps }, caller);
  }
  const silentCount = countSilent(plan, fetched.answer);
  if (silentCount === 0) return { plan, batch: await finishPlan(plan, fetched, scratch, caller) };
  const again = planWithoutTrust(secured, capabilities, silentCount);
  return joinInScratch(secured, { scratch, steps: again.steps }, caller);
}

async function finishPlan(
  { merge, residual }: QueryPlan,
  { answer, loading }: Fetched,
  scratch: Connection,
  caller: Caller,
): Promise<Batch> {
  const groups = merge
    ? withZeros(await finish(merge, answer, scratch, caller), merge.counts)
    : answer;
  return residual ? finish(residual, groups, scratch, caller, loading) : groups;
}

/** Replaces null with 0 in sums of counts, which are null if there are no groups. */
function withZeros({ rowCount, columns }: Batch, counts: readonly number[]): Batch {
  const zeroed = columns.map((vector, index): BatchColumn => {
    if (vector.type !== "numeric" || !counts.includes(index)) return vector;
    return { ...vector, values: vector.values.map((value) => (Number.isNaN(value) ? 0 : value)) };
  });
  return { rowCount, columns: zeroed };
}

interface Planned extends Fetched {
  readonly plan: QueryPlan;
}

async function fetchOrFallBack(
  plan: QueryPlan,
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<Planned> {
  const { capabilities } = secured.dataset.connection;
  try {
    const { answer, loading } = await fetch(plan, secured, scratch, caller);
    const uncutCount = isCut(plan) ? countUnacknowledged(plan, answer) : 0;
    if (uncutCount > 0) {
      await loading?.drop();
      const again = planWithoutOrder(secured, capabilities, uncutCount);
      return await fetchOrFallBack(again, secured, scratch, caller);
    }
    const silentCount = countSilent(plan, answer);
    if (silentCount > 0) {
      const again = planWithoutTrust(secured, capabilities, silentCount);
      return await fetchRows(again, secured, scratch, caller);
    }
    const rows = rowsOf(plan, answer, secured);
    if (rows)
      return { plan: acknowledged(plan, answer), answer: rows, ...(loading && { loading }) };
    return await fetchRows(planWithoutGroups(secured, capabilities), secured, scratch, caller);
  } catch (failure) {
    const pushesNothing = plan.mode === "rows" && plan.pushed.filters.length === 0;
    const isRefused = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
    if (!isRefused || pushesNothing) throw failure;
    return fetchRows(planWithoutPushdown(secured, capabilities), secured, scratch, caller);
  }
}

async function fetchRows(
  plan: QueryPlan,
  secured: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<Planned> {
  const fetched = await fetch(plan, secured, scratch, caller);
  return { ...fetched, plan: acknowledged(plan, fetched.answer) };
}

/**
 * Counts the unacknowledged filters that the host cannot apply itself, because the plugin returned a whole answer,
 * groups or frequencies. The host always tests plain rows and checked groups again.
 */
function countSilent(plan: QueryPlan, answer: AnsweredBatch): number {
  return plan.mode === "rows" || plan.check ? 0 : countUnacknowledged(plan, answer);
}

function countUnacknowledged({ sent }: QueryPlan, { applied }: AnsweredBatch): number {
  return applied ? sent.filter((_, place) => !applied.includes(place)).length : 0;
}

/** Returns whether the plugin applies a limit to rows or groups that the host tests again. */
function isCut({ pushed, residual }: QueryPlan): boolean {
  return pushed.limit !== undefined && residual !== undefined;
}

function acknowledged(plan: QueryPlan, { applied }: AnsweredBatch): QueryPlan {
  return { ...plan, filters: withAcknowledged(plan.filters, plan.sent, applied) };
}

/**
 * Returns the rows of an answer. Undefined for groups that are implausible or expand into too many rows; plain rows are
 * then fetched.
 */
function rowsOf(
  { check, frequencies }: QueryPlan,
  answer: Batch,
  { dataset }: SecuredQuery,
): Batch | undefined {
  try {
    if (check && !isPlausible(answer, check)) return undefined;
    return frequencies ? repeatRows(answer, frequencies, mostRepeatedRows) : answer;
  } catch (failure) {
    if (!(failure instanceof PluginError)) throw failure;
    const [detail] = failure.details;
    const { name } = dataset.connection;
    throw new PluginError(failure.code, [`${detail} (connection ${name})`], { cause: failure });
  }
}

/** Sends the planned part to the plugin. Plain rows are loaded into scratch as they arrive. */
async function fetch(
  { mode, pushed: query, residual, hints }: QueryPlan,
  { dataset }: SecuredQuery,
  scratch: Connection,
  caller: Caller,
): Promise<Fetched> {
  const { connection, source } = dataset;
  const loading = mode === "rows" && residual ? openLoading(residual, scratch, caller) : undefined;
  const unread = loading && residual && unreadColumns(query, residual);
  const options = {
    ...caller,
    ...(hints && { hints }),
    ...(unread && { unread }),
    ...(loading && { append: loading.append }),
  };
  try {
    const answer = await connection.query(query, source, options);
    if (answer.rowCount <= (query.limit?.by ?? Infinity))
      return { answer, ...(loading && { loading }) };
    throw new PluginError("PLUGIN_BAD_ANSWER", [
      `it returned ${answer.rowCount} rows, but at most ${query.limit?.by} were requested (connection ${connection.name})`,
    ]);
  } catch (failure) {
    await loading?.drop();
    throw failure;
  }
}
