import { inSpan, inSpanNow } from "../base/index.ts";
import type { CachedAnswer } from "./cache/answerCache.ts";
import {
  bind,
  type CallContext,
  countValues,
  execute,
  executeGroups,
  hasCompleteDimensions,
  type QueryContext,
  runSubquery,
} from "./execute.ts";
import { speculate } from "./join/speculate.ts";
import {
  joinDatasets,
  type GuessCheck,
  type JoinedQuery,
  type UniqueCounts,
} from "./join/joinDatasets.ts";
import { parseQuery, type RawQuery } from "./parse/parseQuery.ts";
import type { ParsedQuery } from "./parsedQuery.ts";
import type { AnsweredQuery } from "./present/answeredQuery.ts";
import { createPhases, type Phases } from "./present/createPhases.ts";
import { explain } from "./present/explain.ts";
import type { FindDataset, QueriedDataset } from "./queriedDataset.ts";
import { findLabels } from "./present/findLabels.ts";
import { createFormulaFinder, findFormulas } from "./resolve/findFormulas.ts";
import type { TracedPart } from "./run/traceRun.ts";
import { certainCells } from "./estimateWork.ts";
import { addHavingFilters } from "./secure/addHavingFilters.ts";
import type { SecuredQuery } from "./secure/secure.ts";
import { runSubqueries } from "./subquery/runSubqueries.ts";
import { type InTime, withDeadline } from "./withDeadline.ts";

/**
 * Handles one query of a call, from its wire shape to a batch.
 * @throws {ApiError} for mistakes that the caller can correct
 * @throws {PluginError} when a source fails; PLUGIN_TIMEOUT after `limits.timeoutMs`
 */
export function handleQuery(query: RawQuery, call: CallContext): Promise<AnsweredQuery> {
  return withDeadline(call, (context, inTime) =>
    inSpan("query", {}, async () => {
      const phases = createPhases(context.enqueuedAt);
      const parsed = parse(query, context);
      const fresh = limitAge(parsed.maxAgeMs, context);
      const executed = await executeJoined(parsed, fresh, { phases, inTime });
      return toAnswer(executed, query, fresh, phases);
    }),
  );
}

/** The times and the deadline of one query. */
interface Clock {
  readonly phases: Phases;
  readonly inTime: InTime;
}

function parse({ value, path }: RawQuery, { limits, principal }: QueryContext): ParsedQuery {
  const { restriction, own } = principal;
  const { parameters } = restriction ?? own ?? {};
  return inSpanNow("parse", () => parseQuery(value, path, limits, parameters, restriction));
}

/** Makes datasets use their source if the copy or the cached answer is older than the query allows. */
function limitAge(maxAgeMs: number | undefined, context: QueryContext): QueryContext {
  if (maxAgeMs === undefined) return context;
  const found = new Map<string, Promise<QueriedDataset>>();
  const find = async (id: string, path: string): Promise<QueriedDataset> => {
    const dataset = await context.findDataset(id, path);
    const { copy, freshness } = dataset;
    if (copy) return copy.asOfMs >= Date.now() - maxAgeMs ? dataset : young(await copy.findLive());
    return freshness.version === undefined ? young(dataset) : dataset;
  };
  const young = (dataset: QueriedDataset): QueriedDataset => ({
    ...dataset,
    freshness: { maxAgeMs: Math.min(maxAgeMs, dataset.freshness.maxAgeMs) },
  });
  const findDataset: FindDataset = (id, path) => {
    const known = found.get(id) ?? find(id, path);
    found.set(id, known);
    return known;
  };
  return { ...context, findDataset };
}

/** A query that ran, and the plugin calls of its own subqueries. */
interface ExecutedQuery extends CachedAnswer {
  readonly parsed: ParsedQuery;
  readonly secured: SecuredQuery;
  readonly ownParts: readonly TracedPart[];
}

/** Joins the datasets of a query, then executes it. */
async function executeJoined(
  parsed: ParsedQuery,
  context: QueryContext,
  clock: Clock,
): Promise<ExecutedQuery> {
  const { phases } = clock;
  const { query: joined, check } = await joinQuery(parsed, context, clock);
  let countedAhead: Promise<unknown> | undefined;
  const timedCheck: GuessCheck | undefined = check && {
    countAhead() {
      const counting = check.countAhead();
      countedAhead = counting;
      return counting;
    },
    confirm: (...found) => phases.subqueries.during(() => check.confirm(...found)),
  };
  return speculate(
    { query: joined, ...(timedCheck && { check: timedCheck }) },
    context.signal,
    async (query, signal) => {
      const ownParts: TracedPart[] = [];
      const own = { ...context, signal, subqueryParts: ownParts };
      const executed = await executeTree(query, own, clock);
      // Counts that ran in parallel add time of their own only from this point on.
      await phases.subqueries.during(() => Promise.allSettled([countedAhead]));
      return { ...executed, ownParts };
    },
    ({ answer }) => answer.proven,
  );
}

/** Adds labels, times and the explanation to the answer, and counts it in the work of its call and in the metrics. */
async function toAnswer(
  { parsed, secured, answer, state, ageMs, ownParts }: ExecutedQuery,
  query: RawQuery,
  context: QueryContext,
  phases: Phases,
): Promise<AnsweredQuery> {
  const subqueryParts = [...context.subqueryParts, ...ownParts];
  const { batch } = answer;
  // The cells of plain rows were counted before the rows were read.
  if (certainCells(secured) === undefined)
    context.work.spend({ cells: batch.rowCount * secured.cells.length }, query.path);
  context.metrics?.question({
    plugin: secured.dataset.connection.name,
    mode: answer.mode,
    cache: state,
    pushdowns: answer.filters.map(({ pushdown }) => pushdown),
  });
  const labels = context.labels && (await findLabels({ parsed, secured, batch }, context.labels));
  return {
    parsed,
    secured,
    batch,
    ...(labels && { labels }),
    cached: state === "hit",
    performance: phases.performance(answer, state === "off" || state === "miss"),
    ...(query.explain && {
      explain: explain({ parsed, secured, answer, state, ageMs, subqueryParts }),
    }),
  };
}

/** Fills in formulas, then joins the datasets. */
async function joinQuery(
  parsed: ParsedQuery,
  context: QueryContext,
  { phases, inTime }: Clock,
): Promise<JoinedQuery> {
  const { records, findDataset, principal, linkMemory: memory } = context;
  const withFormulas = await findFormulas(parsed, createFormulaFinder(records, principal));
  const counts: UniqueCounts = {
    whole: (subquery) => inTime(countValues(subquery, context)),
    own: (subquery) => inTime(runSubquery(subquery, context)),
  };
  const timed: UniqueCounts = {
    whole: (subquery) => phases.subqueries.during(() => counts.whole(subquery)),
    own: (subquery) => phases.subqueries.during(() => counts.own(subquery)),
  };
  return joinDatasets(withFormulas, findDataset, timed, { memory, counts });
}

/** Completes a joined query with values from the data and filters on groups, then executes it. */
async function executeTree(joined: ParsedQuery, context: QueryContext, { phases, inTime }: Clock) {
  const { restriction, own } = context.principal;
  const { parameters } = restriction ?? own ?? {};
  const evaluated = await runSubqueries(joined, (subquery) =>
    phases.subqueries.during(() => inTime(runSubquery(subquery, context))),
  );
  const parsed = await addHavingFilters(evaluated, context.findDataset, parameters);
  const secured = await bind(parsed, context);
  phases.endValidating();
  const needsGroups =
    hasCompleteDimensions(parsed) || secured.formulas.length > 0 || secured.collation !== undefined;
  const answered = await phases.waiting.during(() =>
    inTime(needsGroups ? executeGroups(secured, parsed, context) : execute(secured, context)),
  );
  return { parsed, secured, ...answered };
}
