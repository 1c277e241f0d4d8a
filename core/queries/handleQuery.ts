import type { Batch } from "../../plugins/protocol/index.ts";
import { inSpan, inSpanNow } from "../base/index.ts";
import type { CachedAnswer } from "./cache/answerCache.ts";
import {
  bindMeasures,
  type CallContext,
  countValues,
  executeBound,
  type QueryContext,
  runSubquery,
  shapeOfAnswer,
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
import { explain, type Explanation } from "./present/explain.ts";
import { answerColumns } from "./from/answerColumns.ts";
import { openFrom } from "./from/openFrom.ts";
import type { FindDataset, QueriedDataset } from "./queriedDataset.ts";
import { findLabels } from "./present/findLabels.ts";
import { overCurrentRows, prepareQuery } from "./prepared/prepareQuery.ts";
import { lookUpAgain, type WatchedLookUps, watchLookUps } from "./prepared/watchLookUps.ts";
import { watchNow } from "./resolve/clock.ts";
import { findFormulas } from "./resolve/findFormulas.ts";
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
      const clock = { phases, inTime };
      const prepared = await executePrepared(query, context, clock);
      if (prepared) return toAnswer(prepared, query, context, phases);
      const lookUps = watchLookUps(context);
      const { findDataset, findFormula } = lookUps;
      const watched = { ...context, findDataset, findFormula };
      const parsed = parse(query, watched);
      const fresh = limitAge(parsed.maxAgeMs, watched);
      const executed = await executeOver(parsed, fresh, clock);
      if (executed.isFixed) await keepPrepared(executed, lookUps, query, context);
      return toAnswer(executed, query, fresh, phases);
    }),
  );
}

/** Keeps a query for the next equal call, if nothing but the records that it read can change its meaning. */
async function keepPrepared(
  { parsed, secured }: ExecutedQuery,
  watched: WatchedLookUps,
  query: RawQuery,
  { prepared, principal }: QueryContext,
): Promise<void> {
  const lookUps = await watched.found();
  if (!lookUps) return;
  const shapeOf = () => shapeOfAnswer(secured, parsed);
  const preparing = prepareQuery({ parsed, secured, lookUps, shapeOf });
  if (preparing) prepared.keep(query, principal, preparing);
}

/**
 * Executes a query that was prepared for an equal caller and an equal query. Undefined if there is none, or if the
 * caller's rights, the row filters, the columns, links, formulas or connections have changed since.
 */
async function executePrepared(
  query: RawQuery,
  context: QueryContext,
  { phases, inTime }: Clock,
): Promise<ExecutedQuery | undefined> {
  const found = context.prepared.find(query, context.principal);
  if (!found) return undefined;
  const { parsed, lookUps } = found;
  // If the caller may no longer read a record, the query is handled from its text, and fails with its own message.
  const now = await lookUpAgain(lookUps, parsed.path, context).catch(() => undefined);
  const current = now && overCurrentRows(found, now);
  if (!current) return undefined;
  if (current !== found) context.prepared.keep(query, context.principal, current);
  const { secured, works, shapeOf } = current;
  for (const { work, rowCount } of works) context.work.spend(work, parsed.path, rowCount);
  phases.endValidating();
  const answered = await phases.waiting.during(() =>
    inTime(executeBound(secured, parsed, context, shapeOf)),
  );
  return { parsed, secured, isFixed: true, ownParts: [], countParts: [], ...answered };
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

/** Makes datasets use their source instead of a copy or a cached answer that is older than the query allows. */
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

/** A query that ran, and the plugin calls of its subqueries. */
interface ExecutedQuery extends CachedAnswer {
  readonly parsed: ParsedQuery;
  readonly secured: SecuredQuery;
  /** Whether the query was bound without subqueries and without reading the clock. */
  readonly isFixed: boolean;
  readonly ownParts: readonly TracedPart[];
  /** The calls that counted linked columns. They belong to this query, whose row filters decide what they may show. */
  readonly countParts: readonly TracedPart[];
  /** The inner query that ran; absent for a query without `from`. */
  readonly from?: ExecutedQuery;
}

/**
 * Executes a query. First handles its inner query completely, with the same rights. The answer of the inner query
 * becomes the only dataset of the query.
 */
async function executeOver(
  parsed: ParsedQuery,
  context: QueryContext,
  clock: Clock,
): Promise<ExecutedQuery> {
  const { from } = parsed;
  if (!from) return executeJoined(parsed, context, clock);
  const { scratch } = context.connections;
  const { inTime } = clock;
  const { inner, opened } = await clock.phases.subqueries.during(async () => {
    const limits = { ...context.limits, answerRowCount: context.limits.fromRowCount };
    const fresh = limitAge(from.query.maxAgeMs, { ...context, limits });
    const phases = createPhases(performance.now());
    const executed = await executeOver(from.query, fresh, { phases, inTime });
    const { secured, answer } = executed;
    const { batch } = answer;
    spendCells(secured, batch, from.query.path, context);
    const { user, tenant, signal } = context;
    const columns = answerColumns(secured, from.columns);
    return {
      inner: executed,
      opened: await inTime(openFrom(columns, batch, scratch, { user, tenant, signal })),
    };
  });
  try {
    const { findDataset } = opened;
    return { ...(await executeJoined(parsed, { ...context, findDataset }, clock)), from: inner };
  } finally {
    await opened.close();
  }
}

/** Joins the datasets of a query, then executes it. */
async function executeJoined(
  parsed: ParsedQuery,
  context: QueryContext,
  clock: Clock,
): Promise<ExecutedQuery> {
  const { phases } = clock;
  const countParts: TracedPart[] = [];
  const counting = { ...context, subqueryParts: countParts };
  const { query: joined, check } = await joinQuery(parsed, counting, clock);
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
      // The counting ran in parallel with the query, so only the time from here on is added.
      await phases.subqueries.during(() => Promise.allSettled([countedAhead]));
      return { ...executed, ownParts, countParts };
    },
    ({ answer }) => answer.proven,
  );
}

/**
 * Adds labels, times and the explanation to the answer. Counts the answer in the work of its call and in the metrics.
 */
async function toAnswer(
  executed: ExecutedQuery,
  query: RawQuery,
  context: QueryContext,
  phases: Phases,
): Promise<AnsweredQuery> {
  const { parsed, secured, answer, state } = executed;
  const { batch } = answer;
  spendCells(secured, batch, query.path, context);
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
    ...(answer.warnings.length > 0 && { warnings: answer.warnings }),
    cached: state === "hit",
    performance: phases.performance(answer, state === "off" || state === "miss"),
    ...(query.explain && { explain: explainExecuted(executed) }),
  };
}

function spendCells(
  secured: SecuredQuery,
  { rowCount }: Batch,
  path: string,
  { work }: QueryContext,
): void {
  // The cells of plain rows were counted before the rows were read.
  if (certainCells(secured) === undefined)
    work.spend({ cells: rowCount * secured.cells.length }, path);
}

function explainExecuted({ from, ownParts, countParts, ...run }: ExecutedQuery): Explanation {
  const subqueryParts = [...countParts, ...ownParts];
  return explain({ ...run, subqueryParts, ...(from && { from: explainExecuted(from) }) });
}

/** Fills in formulas, then joins the datasets. */
async function joinQuery(
  parsed: ParsedQuery,
  context: QueryContext,
  { phases, inTime }: Clock,
): Promise<JoinedQuery> {
  const { findDataset, findFormula, linkMemory: memory } = context;
  const withFormulas = await findFormulas(parsed, findFormula);
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

/** Executes a joined query: runs its subqueries, adds the token's filters on groups, binds the query and runs it. */
async function executeTree(joined: ParsedQuery, context: QueryContext, { phases, inTime }: Clock) {
  const { restriction, own } = context.principal;
  const { parameters } = restriction ?? own ?? {};
  const evaluated = await runSubqueries(joined, (subquery) =>
    phases.subqueries.during(() => inTime(runSubquery(subquery, context))),
  );
  const parsed = await addHavingFilters(evaluated, context.findDataset, parameters);
  const now = watchNow(context.nowMs);
  const secured = await bindMeasures(parsed, context, now);
  phases.endValidating();
  const answered = await phases.waiting.during(() =>
    inTime(executeBound(secured, parsed, context)),
  );
  const isFixed = evaluated === joined && !now.isRead;
  return { parsed, secured, isFixed, ...answered };
}
