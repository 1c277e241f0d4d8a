import type { Principal, Connections, Records } from "../contracts/index.ts";
import { ApiError } from "../errors.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { AnswerCache } from "./cache/answerCache.ts";
import type { AnsweredQuery } from "./present/answeredQuery.ts";
import { milliseconds } from "./present/milliseconds.ts";
import { answerKey } from "./cache/answerKey.ts";
import { explain } from "./present/explain.ts";
import { createFormulaFinder, findFormulas } from "./resolve/findFormulas.ts";
import { joinDatasets } from "./join/joinDatasets.ts";
import { findLabels, type LabelFinderOptions } from "./present/findLabels.ts";
import { addHavingFilters } from "./secure/addHavingFilters.ts";
import type { QueryLimits } from "./limits.ts";
import { parseQuery, type RawQuery } from "./parse/parseQuery.ts";
import type { FindDataset } from "./queriedDataset.ts";
import type { ParsedQuery } from "./parsedQuery.ts";
import { resolve } from "./resolve/resolve.ts";
import { run } from "./run/run.ts";
import { runGroups } from "./run/runGroups.ts";
import { secure, secureCounts, type SecuredQuery } from "./secure/secure.ts";
import { evaluateSubqueries, type AskSubquery } from "./subquery/evaluateSubqueries.ts";
import { tenantOf } from "./run/tenantOf.ts";
import { traceRun, type TracedPart, type TracedRun } from "./run/traceRun.ts";
import type { TimeSlices } from "../process/index.ts";

/** What the queries of one call are answered with. */
export interface QueryContext {
  readonly records: Records;
  readonly connections: Connections;
  readonly limits: QueryLimits;
  readonly cache: AnswerCache;
  readonly findDataset: FindDataset;
  /** Absent where cells show no labels. */
  readonly labels?: LabelFinderOptions;
  readonly principal: Principal;
  readonly turns: TimeSlices;
  readonly signal: AbortSignal;
  /** Of `performance.now`. */
  readonly enqueuedAt: number;
  /** The instant of the call, in milliseconds. */
  readonly nowMs: number;
}

/**
 * Answers one query of a call, from its wire shape to a batch.
 * @throws {ApiError} for what the caller can mend
 * @throws {PluginError} when a source fails; PLUGIN_TIMEOUT after `limits.timeoutMs`
 */
export async function answerQuery(query: RawQuery, context: QueryContext): Promise<AnsweredQuery> {
  context.signal.throwIfAborted();
  // Ended with the query: signals of AbortSignal.timeout live on, and answers from memory are many.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), context.limits.timeoutMs);
  try {
    return await answerUntil(deadline.signal, query, context);
  } finally {
    clearTimeout(timer);
  }
}

async function answerUntil(
  deadline: AbortSignal,
  query: RawQuery,
  context: QueryContext,
): Promise<AnsweredQuery> {
  const { records, connections, limits, cache, findDataset, principal, signal } = context;
  const startedAt = performance.now();
  const { userId: id, name, email, restriction, own } = principal;
  const { parameters, metadata } = restriction ?? own ?? {};
  const asked = parseQuery(query.value, query.path, limits, parameters, restriction);
  const user = { id, name, email, ...(metadata && { metadata }) };
  const tenant = tenantOf(principal);
  const waiting = AbortSignal.any([signal, deadline]);
  /** The connections of this query by name, for the message of a deadline. */
  const askedNames = new Set<string>();
  const noteAsked = ({ dataset, joined }: SecuredQuery) => {
    for (const { connection } of [dataset, ...joined]) askedNames.add(connection.name);
  };
  const inTime = (failure: unknown): never => {
    if (!deadline.aborted || signal.aborted) throw failure;
    const names = [...askedNames].join(", ");
    const whose = askedNames.size > 1 ? `one of the connections ${names}` : `connection ${names}`;
    throw new PluginError("PLUGIN_TIMEOUT", [`${limits.timeoutMs} ms for one query (${whose})`], {
      cause: failure,
    });
  };
  const resolved = (parsed: ParsedQuery) => resolve(parsed, findDataset, limits, context.nowMs);
  const bind = async (parsed: ParsedQuery) =>
    secure(await resolved(parsed), principal, context.nowMs);
  const findFormula = createFormulaFinder(records, principal);
  const { scratch } = connections;
  const ask = (bound: SecuredQuery, until: AbortSignal) => {
    noteAsked(bound);
    return cache.answer(
      () => answerKey(bound, user, undefined),
      until,
      async (runSignal) => {
        const caller = { user, tenant, signal: runSignal };
        const answer = await traceRun(bound, scratch, (...observed) => run(...observed, caller));
        return notTooLong(answer, limits);
      },
    );
  };
  const probes: TracedPart[] = [];
  const askProbe = async (bound: SecuredQuery, until: AbortSignal) => {
    const { answer: probed } = await ask(bound, until);
    probes.push(...probed.parts);
    return probed.batch;
  };
  const countUntil =
    (until: AbortSignal): AskSubquery =>
    async (asked) =>
      askProbe(secureCounts(await resolved(asked)), until);
  const probeUntil = (until: AbortSignal): AskSubquery => {
    const probe: AskSubquery = async (asked) => {
      const counting = { whole: countUntil(until), own: probe };
      const joined = await joinDatasets(asked, findDataset, counting);
      return askProbe(await bind(joined), until);
    };
    return probe;
  };
  let settlingMs = 0;
  let probingFrom = 0;
  let probingCount = 0;
  // Some run side by side: what counts is the time in which any of them does.
  const timed =
    (probe: AskSubquery): AskSubquery =>
    async (asked) => {
      if (probingCount++ === 0) probingFrom = performance.now();
      try {
        return await probe(asked).catch(inTime);
      } finally {
        if (--probingCount === 0) settlingMs += performance.now() - probingFrom;
      }
    };
  const probe = timed(probeUntil(waiting));
  const counting = { whole: timed(countUntil(waiting)), own: probe };
  const found = await findFormulas(asked, findFormula);
  const settled = await evaluateSubqueries(await joinDatasets(found, findDataset, counting), probe);
  const parsed = await addHavingFilters(settled, findDataset, parameters);
  const secured = await bind(parsed);
  const resolvedAt = performance.now();
  const isComplete = parsed.rollup && parsed.dimensions.some((each) => each.isComplete);
  const askGroups = () => {
    noteAsked(secured);
    return cache.answer(
      () => answerKey(secured, user, isComplete ? parsed : undefined),
      waiting,
      async (runSignal) => {
        const caller = { user, tenant, signal: runSignal };
        const grouped = {
          parsed,
          probe: probeUntil(runSignal),
          caller,
          limits,
          inSlices: <Result>(steps: Generator<undefined, Result>) =>
            context.turns.run(tenant, steps, runSignal),
        };
        const run = await traceRun(secured, scratch, (observed, observedScratch) =>
          runGroups(observed, { ...grouped, scratch: observedScratch }),
        );
        return notTooLong(run, limits);
      },
    );
  };
  const isOverGroups = isComplete || secured.formulas.length > 0 || secured.collation !== undefined;
  const askedFrom = performance.now();
  const { answer, state, ageMs } = await (isOverGroups ? askGroups() : ask(secured, waiting)).catch(
    inTime,
  );
  const waitedMs = performance.now() - askedFrom;
  const { batch } = answer;
  const labels = context.labels && (await findLabels({ parsed, secured, batch }, context.labels));
  const isRun = state === "off" || state === "miss";
  return {
    parsed,
    secured,
    batch,
    ...(labels && { labels }),
    cached: state === "hit",
    performance: {
      validating: milliseconds(resolvedAt - startedAt - settlingMs),
      preparing: milliseconds(isRun ? answer.preparingMs : 0),
      queuing: milliseconds(startedAt - context.enqueuedAt),
      querying: milliseconds(settlingMs + (isRun ? answer.queryingMs : waitedMs)),
      processing: milliseconds(isRun ? answer.processingMs : 0),
      rows: batch.rowCount,
    },
    ...(query.explain && { explain: explain({ parsed, secured, answer, state, ageMs, probes }) }),
  };
}

function notTooLong(answer: TracedRun, { answerRowCount }: QueryLimits): TracedRun {
  if (answer.batch.rowCount <= answerRowCount) return answer;
  throw new ApiError("QUERY_TOO_MANY_ROWS", [answerRowCount]);
}
