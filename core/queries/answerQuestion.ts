import type { Principal, Connections, Records } from "../contracts/index.ts";
import { ApiError } from "../errors.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import type { AnswerCache } from "./cache/answerCache.ts";
import type { Answered } from "./present/answered.ts";
import { milliseconds } from "./present/milliseconds.ts";
import { answerKey } from "./cache/answerKey.ts";
import { explain } from "./present/explain.ts";
import { createFormulaFinder, findFormulas } from "./resolve/findFormulas.ts";
import { joinDatasets } from "./join/joinDatasets.ts";
import { findLabels, type LabelFinderOptions } from "./present/findLabels.ts";
import { limitGroups } from "./secure/limitGroups.ts";
import type { QueryLimits } from "./limits.ts";
import { parseQuestion, type RawQuery } from "./parse/parseQuestion.ts";
import type { FindDataset } from "./queriedDataset.ts";
import type { Question } from "./question.ts";
import { resolve } from "./resolve/resolve.ts";
import { run } from "./run/run.ts";
import { runGroups } from "./run/runGroups.ts";
import { secure, secureCounts, type SecuredQuery } from "./secure/secure.ts";
import { settle, type Probe } from "./subquery/settle.ts";
import { tenantOf } from "./run/tenantOf.ts";
import { traceRun, type TracedPart, type TracedRun } from "./run/traceRun.ts";
import type { TimeSlices } from "../process/index.ts";

/** What the questions of one call are answered with. */
export interface QuestionContext {
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
 * Answers one question of a call, from its wire shape to a batch.
 * @throws {ApiError} for what the caller can mend
 * @throws {PluginError} when a source fails; PLUGIN_TIMEOUT after `limits.timeoutMs`
 */
export async function answerQuestion(query: RawQuery, context: QuestionContext): Promise<Answered> {
  context.signal.throwIfAborted();
  // Ended with the question: signals of AbortSignal.timeout live on, and answers from memory are many.
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
  context: QuestionContext,
): Promise<Answered> {
  const { records, connections, limits, cache, findDataset, principal, signal } = context;
  const startedAt = performance.now();
  const { userId: id, name, email, restriction, own } = principal;
  const { parameters, metadata } = restriction ?? own ?? {};
  const parsed = parseQuestion(query.value, query.path, limits, parameters, restriction);
  const user = { id, name, email, ...(metadata && { metadata }) };
  const tenant = tenantOf(principal);
  const waiting = AbortSignal.any([signal, deadline]);
  /** The connections of this question by name, for the message of a deadline. */
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
  const resolved = (question: Question) => resolve(question, findDataset, limits, context.nowMs);
  const bind = async (question: Question) =>
    secure(await resolved(question), principal, context.nowMs);
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
    (until: AbortSignal): Probe =>
    async (asked) =>
      askProbe(secureCounts(await resolved(asked)), until);
  const probeUntil = (until: AbortSignal): Probe => {
    const probe: Probe = async (asked) => {
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
    (probe: Probe): Probe =>
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
  const found = await findFormulas(parsed, findFormula);
  const settled = await settle(await joinDatasets(found, findDataset, counting), probe);
  const question = await limitGroups(settled, findDataset, parameters);
  const secured = await bind(question);
  const resolvedAt = performance.now();
  const isComplete = question.rollup && question.dimensions.some((each) => each.isComplete);
  const askGroups = () => {
    noteAsked(secured);
    return cache.answer(
      () => answerKey(secured, user, isComplete ? question : undefined),
      waiting,
      async (runSignal) => {
        const caller = { user, tenant, signal: runSignal };
        const grouped = {
          question,
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
  const labels = context.labels && (await findLabels({ question, secured, batch }, context.labels));
  const isRun = state === "off" || state === "miss";
  return {
    question,
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
    ...(query.explain && { explain: explain({ question, secured, answer, state, ageMs, probes }) }),
  };
}

function notTooLong(answer: TracedRun, { answerRowCount }: QueryLimits): TracedRun {
  if (answer.batch.rowCount <= answerRowCount) return answer;
  throw new ApiError("QUERY_TOO_MANY_ROWS", [answerRowCount]);
}
