import type { Caller, Connection } from "../../contracts/index.ts";
import {
  PluginError,
  type AnsweredBatch,
  type Batch,
  type Query,
} from "../../../plugins/protocol/index.ts";
import { loadTemporary, type Temporary } from "../finish/finish.ts";
import { withAcknowledged } from "../plan/planFilters.ts";
import { planJoined, type JoinedPlanOptions } from "../plan/planJoined.ts";
import type { JoinedPart, JoinedPlan } from "../queryPlan.ts";
import type { RunAnswer } from "./runAnswer.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/**
 * Answers a joined query in the scratch plugin: loads the rows of each dataset, asked side by side,
 * and asks the query there.
 * @throws {PluginError} of the datasets' plugins or of scratch; PLUGIN_JOIN_AMBIGUOUS as `hideAmbiguous` makes it
 */
export async function runJoined(
  secured: SecuredQuery,
  options: JoinedPlanOptions & { readonly scratch: Connection },
  caller: Caller,
): Promise<RunAnswer> {
  const { scratch } = options;
  const plan = planJoined(secured, options);
  const answers = await askParts(plan.parts, caller);
  const filters = plan.parts.reduce(
    (planned, { sent }, index) => withAcknowledged(planned, sent, answers[index]?.applied),
    plan.filters,
  );
  const batch = await finishJoined(secured, plan, answers, scratch, caller);
  return { plan: { ...plan, filters }, batch };
}

/**
 * Removes the repeated value from PLUGIN_JOIN_AMBIGUOUS: it may be of a column that the caller must
 * not see.
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

/** Asks for all rows side by side; the first failure aborts the others. */
async function askParts(
  parts: readonly JoinedPart[],
  caller: Caller,
): Promise<readonly (AnsweredBatch | undefined)[]> {
  const failing = new AbortController();
  const signal = AbortSignal.any([caller.signal, failing.signal]);
  try {
    return await Promise.all(
      parts.map((part) => {
        const alongside = askedAlongside(part, parts);
        const { hints } = part;
        return askPart(part, {
          ...caller,
          signal,
          ...(alongside.length > 0 && { alongside }),
          ...(hints && { hints }),
        });
      }),
    );
  } catch (failure) {
    failing.abort();
    throw failure;
  }
}

/** Lists the queries of the part's plugin for its other datasets. */
function askedAlongside(part: JoinedPart, parts: readonly JoinedPart[]): readonly Query[] {
  const { fingerprint } = part.dataset.connection;
  const others = parts.filter(
    (other) => other !== part && other.dataset.connection.fingerprint === fingerprint,
  );
  return others.flatMap(({ pushed, hints = [] }) => {
    const filters = [...(pushed?.filters ?? []), ...hints];
    return pushed && filters.length > 0 ? [{ ...pushed, filters }] : [];
  });
}

async function askPart(
  { pushed, dataset }: JoinedPart,
  caller: Caller,
): Promise<AnsweredBatch | undefined> {
  if (!pushed) return undefined;
  const { connection, source } = dataset;
  try {
    return await connection.query(pushed, source, caller);
  } catch (failure) {
    const isRefused = failure instanceof PluginError && failure.code === "PLUGIN_NOT_OFFERED";
    if (!isRefused || pushed.filters.length === 0) throw failure;
    // Nothing was sent, so nothing is acknowledged.
    return { ...(await connection.query({ ...pushed, filters: [] }, source, caller)), applied: [] };
  }
}

async function finishJoined(
  { dataset }: SecuredQuery,
  { parts, residual }: JoinedPlan,
  answers: readonly (Batch | undefined)[],
  scratch: Connection,
  caller: Caller,
): Promise<Batch> {
  const loaded: (Temporary | undefined)[] = [];
  try {
    for (const [index, part] of parts.entries()) {
      const answer = answers[index];
      loaded.push(answer && (await loadTemporary(part, answer, scratch, caller)));
    }
    const [root, ...joined] = loaded;
    const { joins = [] } = residual.query;
    const query: Query = {
      ...residual.query,
      id: root?.id ?? dataset.source.id,
      joins: joins.map((join, index) => ({ ...join, id: joined[index]?.id ?? join.id })),
    };
    return await scratch.query(query, root ?? dataset.source, caller);
  } finally {
    await Promise.all(loaded.map((temporary) => temporary?.drop()));
  }
}
