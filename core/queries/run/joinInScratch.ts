import type { Caller, Connection } from "../../base/index.ts";
import {
  PluginError,
  type AnsweredBatch,
  type Batch,
  type Query,
} from "../../../plugins/protocol/index.ts";
import { openLoading, type Loading, type Temporary } from "../finish/openLoading.ts";
import { withAcknowledged } from "../plan/planFilters.ts";
import { planJoined, type JoinedPlanOptions } from "../plan/planJoined.ts";
import type { JoinedPart, JoinedPlan } from "../queryPlan.ts";
import type { RunAnswer } from "./runAnswer.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { unreadColumns } from "./unreadColumns.ts";

/**
 * Joins datasets in the scratch plugin: loads the rows of all datasets in parallel, and runs the query there.
 * @throws {PluginError} of the datasets' plugins or of scratch; for PLUGIN_JOIN_AMBIGUOUS see `hideAmbiguous`
 */
export async function joinInScratch(
  secured: SecuredQuery,
  options: JoinedPlanOptions & { readonly scratch: Connection },
  caller: Caller,
): Promise<RunAnswer> {
  const { scratch } = options;
  const plan = planJoined(secured, options);
  const loadings = plan.parts.map((part) =>
    part.pushed ? openLoading(part, scratch, caller) : undefined,
  );
  try {
    const loaded = await loadParts(plan.parts, loadings, caller);
    const filters = plan.parts.reduce(
      (planned, { sent }, index) => withAcknowledged(planned, sent, loaded[index]?.applied),
      plan.filters,
    );
    const batch = await queryScratch(secured, plan, loaded, scratch, caller);
    return { plan: { ...plan, filters }, batch };
  } finally {
    await Promise.all(loadings.map((loading) => loading?.drop()));
  }
}

/**
 * Removes the repeated value from PLUGIN_JOIN_AMBIGUOUS, because the caller may not have the right to see the column of
 * this value.
 */
export function hideAmbiguous({ dataset, joined }: SecuredQuery, failure: unknown): unknown {
  if (!(failure instanceof PluginError) || failure.code !== "PLUGIN_JOIN_AMBIGUOUS") return failure;
  const others = joined.map(({ id }) => id).join(", ");
  return new PluginError(
    "PLUGIN_JOIN_AMBIGUOUS",
    [
      `a value is repeated in a column that joins ${dataset.id} to ${others}. Send the query again, or send one query per dataset`,
    ],
    { cause: failure },
  );
}

/** The rows of one dataset in scratch. */
interface LoadedPart extends Pick<AnsweredBatch, "applied"> {
  readonly temporary: Temporary;
}

/** Fetches all rows in parallel, and loads them as they arrive. The first failure aborts the other requests. */
async function loadParts(
  parts: readonly JoinedPart[],
  loadings: readonly (Loading | undefined)[],
  caller: Caller,
): Promise<readonly (LoadedPart | undefined)[]> {
  const failing = new AbortController();
  const signal = AbortSignal.any([caller.signal, failing.signal]);
  const load = async (
    part: JoinedPart,
    loading: Loading | undefined,
  ): Promise<LoadedPart | undefined> => {
    if (!part.pushed || !loading) return undefined;
    const alongside = queriesAlongside(part, parts);
    const { hints } = part;
    const unread = unreadColumns(part.pushed, part);
    const answer = await fetchPart(part.pushed, part, {
      ...caller,
      signal,
      append: loading.append,
      ...(alongside.length > 0 && { alongside }),
      ...(hints && { hints }),
      ...(unread && { unread }),
    });
    const { applied } = answer;
    return { temporary: await loading.end(answer), ...(applied && { applied }) };
  };
  const loads = parts.map((part, index) => load(part, loadings[index]));
  try {
    return await Promise.all(loads);
  } catch (failure) {
    failing.abort();
    await Promise.allSettled(loads);
    throw failure;
  }
}

/** Lists the queries with filters that the plugin of a part receives for other parts. */
function queriesAlongside(part: JoinedPart, parts: readonly JoinedPart[]): readonly Query[] {
  const { fingerprint } = part.dataset.connection;
  const others = parts.filter(
    (other) => other !== part && other.dataset.connection.fingerprint === fingerprint,
  );
  return others.flatMap(({ pushed, hints = [] }) => {
    const filters = [...(pushed?.filters ?? []), ...hints];
    return pushed && filters.length > 0 ? [{ ...pushed, filters }] : [];
  });
}

async function fetchPart(
  pushed: Query,
  { dataset }: JoinedPart,
  caller: Caller,
): Promise<AnsweredBatch> {
  const { connection, source } = dataset;
  try {
    return await connection.query(pushed, source, caller);
  } catch (failure) {
    const isRefused = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
    if (!isRefused || pushed.filters.length === 0) throw failure;
    // No filter was sent, so none is acknowledged.
    return { ...(await connection.query({ ...pushed, filters: [] }, source, caller)), applied: [] };
  }
}

async function queryScratch(
  { dataset }: SecuredQuery,
  { residual }: JoinedPlan,
  [root, ...joined]: readonly (LoadedPart | undefined)[],
  scratch: Connection,
  caller: Caller,
): Promise<Batch> {
  const { joins = [] } = residual.query;
  const query: Query = {
    ...residual.query,
    id: root?.temporary.id ?? dataset.source.id,
    joins: joins.map((join, index) => ({ ...join, id: joined[index]?.temporary.id ?? join.id })),
  };
  return scratch.query(query, root?.temporary ?? dataset.source, caller);
}
