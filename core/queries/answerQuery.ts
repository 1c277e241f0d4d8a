import { inSpan, inSpanNow } from "../base/index.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import {
  ask,
  askGroups,
  bind,
  countValues,
  hasCompleteDimensions,
  subquery,
  type AskContext,
  type QueryContext,
} from "./askQuery.ts";
import { answerJoined } from "./join/answerJoined.ts";
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
import { evaluateSubqueries } from "./subquery/evaluateSubqueries.ts";

/**
 * Answers one query of a call, from its wire shape to a batch.
 * @throws {ApiError} for what the caller can mend
 * @throws {PluginError} when a source fails; PLUGIN_TIMEOUT after `limits.timeoutMs`
 */
export async function answerQuery(query: RawQuery, call: QueryContext): Promise<AnsweredQuery> {
  call.signal.throwIfAborted();
  // A timer that ends with the query: signals of AbortSignal.timeout live on, and answers from memory are many.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), call.limits.timeoutMs);
  const { userId: id, name, email, restriction, own } = call.principal;
  const { metadata } = restriction ?? own ?? {};
  const context: AskContext = {
    ...call,
    user: { id, name, email, ...(metadata && { metadata }) },
    signal: AbortSignal.any([call.signal, deadline.signal]),
    askedNames: new Set(),
    subqueryParts: [],
  };
  const inTime = <Result>(work: Promise<Result>) =>
    work.catch((failure: unknown) => {
      if (!deadline.signal.aborted || call.signal.aborted) throw failure;
      throw timeout(context, failure);
    });
  try {
    return await inSpan("query", {}, () => answerInTime(query, context, inTime));
  } finally {
    clearTimeout(timer);
  }
}

/** Has datasets asked at their source where the copy, or an answer from memory, is older than the query takes. */
function insistOn(maxAgeMs: number | undefined, context: AskContext): AskContext {
  if (maxAgeMs === undefined) return context;
  const found = new Map<string, Promise<QueriedDataset>>();
  const find = async (id: string, path: string): Promise<QueriedDataset> => {
    const dataset = await context.findDataset(id, path);
    const { copy, freshness } = dataset;
    if (copy) return copy.asOfMs >= Date.now() - maxAgeMs ? dataset : young(await copy.askLive());
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

/** Names the connections when the deadline is what ended a piece of work. */
type InTime = <Result>(work: Promise<Result>) => Promise<Result>;

async function answerInTime(
  query: RawQuery,
  context: AskContext,
  inTime: InTime,
): Promise<AnsweredQuery> {
  const phases = createPhases(context.enqueuedAt);
  const { restriction, own } = context.principal;
  const { parameters } = restriction ?? own ?? {};
  const read = inSpanNow("parse", () =>
    parseQuery(query.value, query.path, context.limits, parameters, restriction),
  );
  return answerParsed(read, query, insistOn(read.maxAgeMs, context), phases, inTime);
}

async function answerParsed(
  read: ParsedQuery,
  query: RawQuery,
  context: AskContext,
  phases: Phases,
  inTime: InTime,
): Promise<AnsweredQuery> {
  const asker: Asker = { phases, inTime };
  const { query: joined, check } = await joinQuery(read, context, asker);
  let countedAhead: Promise<unknown> | undefined;
  const timedCheck: GuessCheck | undefined = check && {
    countAhead() {
      const counting = check.countAhead();
      countedAhead = counting;
      return counting;
    },
    confirm: (...found) => phases.subqueries.during(() => check.confirm(...found)),
  };
  const { ownParts, ...answered } = await answerJoined(
    { query: joined, ...(timedCheck && { check: timedCheck }) },
    context.signal,
    async (query, signal) => {
      const ownParts: TracedPart[] = [];
      const answer = await answerTree(
        query,
        { ...context, signal, subqueryParts: ownParts },
        asker,
      );
      // Counts beside the answer take time of their own only from here on.
      await phases.subqueries.during(() => Promise.allSettled([countedAhead]));
      return { ...answer, ownParts };
    },
    ({ answer }) => answer.proven,
  );
  const { parsed, secured, answer, state, ageMs } = answered;
  const subqueryParts = [...context.subqueryParts, ...ownParts];
  const { batch } = answer;
  // The cells of plain rows were counted before they were read.
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

/** The clock and the deadline of a query. */
interface Asker {
  readonly phases: Phases;
  readonly inTime: InTime;
}

/** Fills in formulas, and joins the datasets. */
async function joinQuery(
  parsed: ParsedQuery,
  context: AskContext,
  { phases, inTime }: Asker,
): Promise<JoinedQuery> {
  const { records, findDataset, principal, linkMemory: memory } = context;
  const withFormulas = await findFormulas(parsed, createFormulaFinder(records, principal));
  const counts: UniqueCounts = {
    whole: (asked) => inTime(countValues(asked, context)),
    own: (asked) => inTime(subquery(asked, context)),
  };
  const timed: UniqueCounts = {
    whole: (asked) => phases.subqueries.during(() => counts.whole(asked)),
    own: (asked) => phases.subqueries.during(() => counts.own(asked)),
  };
  return joinDatasets(withFormulas, findDataset, timed, { memory, counts });
}

/** Fills in all that a joined query leaves open, values from the data and filters on groups, and answers it. */
async function answerTree(joined: ParsedQuery, context: AskContext, { phases, inTime }: Asker) {
  const { restriction, own } = context.principal;
  const { parameters } = restriction ?? own ?? {};
  const evaluated = await evaluateSubqueries(joined, (asked) =>
    phases.subqueries.during(() => inTime(subquery(asked, context))),
  );
  const parsed = await addHavingFilters(evaluated, context.findDataset, parameters);
  const secured = await bind(parsed, context);
  phases.endValidating();
  const needsGroups =
    hasCompleteDimensions(parsed) || secured.formulas.length > 0 || secured.collation !== undefined;
  const answered = await phases.waiting.during(() =>
    inTime(needsGroups ? askGroups(secured, parsed, context) : ask(secured, context)),
  );
  return { parsed, secured, ...answered };
}

function timeout({ askedNames, limits }: AskContext, cause: unknown): PluginError {
  const names = [...askedNames].join(", ");
  const whose = askedNames.size > 1 ? `one of the connections ${names}` : `connection ${names}`;
  return new PluginError("PLUGIN_TIMEOUT", [`${limits.timeoutMs} ms for one query (${whose})`], {
    cause,
  });
}
