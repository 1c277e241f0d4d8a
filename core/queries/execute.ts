import {
  ApiError,
  type Caller,
  type Connections,
  inSpan,
  type Metrics,
  type Principal,
  type TimeSlices,
} from "../base/index.ts";
import type { Quotas } from "../catalog/index.ts";
import type { Batch } from "../../plugins/protocol/index.ts";
import type { WholeAnswer } from "./calculations/addCalculations.ts";
import type { AnswerCache, CachedAnswer } from "./cache/answerCache.ts";
import { answerKey, answerShape, type AnswerShape } from "./cache/answerKey.ts";
import { speculate } from "./join/speculate.ts";
import { joinDatasets } from "./join/joinDatasets.ts";
import type { LinkMemory } from "./join/linkMemory.ts";
import { estimateWork } from "./estimateWork.ts";
import type { QueryLimits } from "./limits.ts";
import type { WorkMeter } from "./workMeter.ts";
import type { ParsedQuery } from "./parsedQuery.ts";
import type { LabelFinderOptions } from "./present/findLabels.ts";
import type { FindDataset } from "./queriedDataset.ts";
import type { PreparedQueries } from "./prepared/preparedQueries.ts";
import type { Now } from "./resolve/clock.ts";
import type { FindFormula } from "./resolve/findFormulas.ts";
import { resolve } from "./resolve/resolve.ts";
import { runQuery } from "./run/runQuery.ts";
import { runGroups } from "./run/runGroups.ts";
import { traceRun, type TracedPart, type TracedRun } from "./run/traceRun.ts";
import {
  secure,
  secureCounts,
  withParts,
  type MeasuredPart,
  type SecuredQuery,
} from "./secure/secure.ts";
import { splitMeasures } from "./split/splitMeasures.ts";
import { notJoinable } from "./join/findLinks.ts";
import type { BoundQuery } from "./boundQuery.ts";

/** The context shared by all queries of one call. */
export interface CallContext {
  readonly connections: Connections;
  readonly limits: QueryLimits;
  readonly cache: AnswerCache;
  readonly prepared: PreparedQueries;
  readonly linkMemory: LinkMemory;
  /** Counts the work of the call against its budgets. */
  readonly work: WorkMeter;
  readonly findDataset: FindDataset;
  readonly findFormula: FindFormula;
  /** Finds labels; absent if cells have no labels. */
  readonly labels?: LabelFinderOptions;
  readonly principal: Principal;
  readonly tenant: NonNullable<Caller["tenant"]>;
  readonly timeSlices: TimeSlices;
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal;
  /** The time at which the call was queued, as returned by `performance.now`. */
  readonly enqueuedAt: number;
  /** The instant of the call, in milliseconds. */
  readonly nowMs: number;
  readonly metrics?: Pick<Metrics, "question"> | undefined;
  /** Quotas, which count the rows that queries read. */
  readonly quotas?: Pick<Quotas, "spend"> | undefined;
}

/** The context of one query, for `bind`, `execute` and `runSubquery`. */
export interface QueryContext extends CallContext {
  readonly user: NonNullable<Caller["user"]>;
  /**
   * The signal that aborts with the call or at the query's deadline. In a run that several callers share, the signal
   * aborts with that run.
   */
  readonly signal: AbortSignal;
  /** Names of the connections called so far, for the message about a missed deadline. */
  readonly calledNames: Set<string>;
  /** The plugin calls that subqueries have made so far. */
  readonly subqueryParts: TracedPart[];
}

/**
 * Binds a parsed query: resolves ids, then adds the caller's row filters. Checks the query's work against the budgets
 * before anything runs. `now` is the instant of the call.
 * @throws {ApiError} QUERY_TOO_MUCH_WORK, and the errors of `resolve` and `secure`
 */
async function bind(
  parsed: ParsedQuery,
  context: QueryContext,
  now: Now = context,
): Promise<SecuredQuery> {
  return inSpan("bind", {}, async () => {
    const secured = secure(await resolveIn(parsed, context, now), context.principal, now);
    if (parsed.tree?.rootless !== undefined && secured.joined.length > 0)
      throw notJoinable(parsed.path, parsed.tree.rootless);
    spendWork(secured, parsed, context);
    return secured;
  });
}

/**
 * Binds a parsed query like `bind`, so that each measure is computed over the rows of its own dataset.
 * @throws {ApiError} QUERY_TOO_MUCH_WORK, QUERY_NOT_JOINABLE, and the errors of `resolve` and `secure`
 */
export async function bindMeasures(
  parsed: ParsedQuery,
  context: QueryContext,
  now: Now,
): Promise<SecuredQuery> {
  return inSpan("bind", {}, async () => {
    const { principal } = context;
    const bound = await resolveIn(parsed, context, now);
    const secured = secure(bound, principal, now);
    spendWork(secured, parsed, context);
    const parts = await splitMeasures(bound, parsed, (tree) =>
      resolveIn({ ...parsed, tree }, context, now),
    );
    if (!parts) return secured;
    const own = parts.map(({ bound: part, unmatched, ...rest }): MeasuredPart => ({
      ...rest,
      secured: secure(part, principal, now),
      ...(unmatched && {
        unmatched: {
          ...unmatched,
          all: secure(unmatched.all, principal, now),
          matched: secure(unmatched.matched, principal, now),
        },
      }),
    }));
    for (const part of own) spendWork(part.secured, { ...parsed, dimensions: [] }, context);
    return withParts(secured, own);
  });
}

function resolveIn(parsed: ParsedQuery, context: QueryContext, now: Now): Promise<BoundQuery> {
  return resolve(parsed, context.findDataset, context.limits, now);
}

/**
 * Counts the work of a bound query.
 * @throws {ApiError} QUERY_TOO_MUCH_WORK
 */
function spendWork(secured: SecuredQuery, parsed: ParsedQuery, context: CallContext): void {
  const { work, rowCount } = estimateWork(secured, parsed);
  context.work.spend(work, parsed.path, rowCount);
}

/**
 * Returns the answer to a bound query from the cache, or runs the query. `shapeOf` returns the shape of the answer if
 * it is known, so that the query need not be hashed.
 */
export function executeBound(
  secured: SecuredQuery,
  parsed: ParsedQuery,
  context: QueryContext,
  shapeOf?: () => AnswerShape,
): Promise<CachedAnswer> {
  const needsGroups =
    hasCompleteDimensions(parsed) || secured.formulas.length > 0 || secured.collation !== undefined;
  return needsGroups
    ? executeGroups(secured, parsed, context, shapeOf)
    : execute(secured, context, shapeOf);
}

/** Returns the shape of the answer to a bound query. */
export function shapeOfAnswer(secured: SecuredQuery, parsed: ParsedQuery): AnswerShape {
  const isMore = hasCompleteDimensions(parsed) || secured.calculations.length > 0;
  return answerShape(secured, isMore ? parsed : undefined);
}

function execute(
  secured: SecuredQuery,
  context: QueryContext,
  shapeOf: () => AnswerShape = () => answerShape(secured, undefined),
): Promise<CachedAnswer> {
  return serveOrRun(secured, shapeOf, context, ({ secured: traced, scratch }, caller) =>
    runQuery(traced, scratch, caller),
  );
}

/**
 * Returns the answer to a bound query whose groups the host must finish: for formulas, calculations, complete
 * dimensions or sorting by the rules of a language. The answer comes from the cache, or the query runs.
 */
function executeGroups(
  secured: SecuredQuery,
  parsed: ParsedQuery,
  context: QueryContext,
  shapeOf: () => AnswerShape = () => shapeOfAnswer(secured, parsed),
): Promise<CachedAnswer> {
  return serveOrRun(secured, shapeOf, context, ({ secured: traced, scratch, querying }, caller) =>
    runGroups(traced, {
      parsed,
      scratch,
      caller,
      limits: context.limits,
      // Equal queries of several calls share this run, so exceeding the budget of one call must not stop the run.
      runSubquery: (subquery) =>
        querying.during(() =>
          runSubquery(subquery, { ...context, signal: caller.signal, work: noMeter }),
        ),
      runWhole: (whole) =>
        querying.during(() =>
          runWhole(whole, { ...context, signal: caller.signal, work: noMeter }),
        ),
      inSlices: (steps) => context.timeSlices.run(context.tenant, steps, caller.signal),
    }),
  );
}

/** Returns whether a query has a dimension that also shows values without rows. */
function hasCompleteDimensions({ rollup, dimensions }: ParsedQuery): boolean {
  return rollup && dimensions.some((each) => each.isComplete);
}

/**
 * Runs a query on which another query depends, with the same rights. The subquery passes through every step, including
 * `secure`.
 */
export async function runSubquery(parsed: ParsedQuery, context: QueryContext): Promise<Batch> {
  const { batch } = await runJoined(parsed, context, async (query, own) =>
    traced(await execute(await bind(query, context), own), own),
  );
  return batch;
}

/**
 * Runs a query on which another query depends, like `runSubquery`, with its formulas. Each measure is computed over the
 * rows of its own dataset.
 */
async function runWhole(parsed: ParsedQuery, context: QueryContext): Promise<WholeAnswer> {
  return runJoined(parsed, context, async (query, own) => {
    const secured = await bindMeasures(query, context, context);
    const answered =
      secured.formulas.length > 0 ? executeGroups(secured, query, own) : execute(secured, own);
    return { ...traced(await answered, own), cells: secured.cells };
  });
}

/** Joins the datasets of a query on which another query depends, and runs it. */
async function runJoined<Answer extends Pick<TracedRun, "proven">>(
  parsed: ParsedQuery,
  context: QueryContext,
  run: (query: ParsedQuery, context: QueryContext) => Promise<Answer>,
): Promise<Answer> {
  context.work.spend({ subqueries: 1 }, parsed.path);
  const counts = {
    whole: (query: ParsedQuery) => countValues(query, context),
    own: (query: ParsedQuery) => runSubquery(query, context),
  };
  const { findDataset, linkMemory: memory, signal: inCall } = context;
  const joined = await joinDatasets(parsed, findDataset, counts, { memory, counts });
  return speculate(
    joined,
    inCall,
    (query, signal) => run(query, { ...context, signal }),
    ({ proven }) => proven,
  );
}

/**
 * Counts the values of linked columns over all rows, regardless of the caller, so that joins do not depend on who sends
 * the query.
 */
export async function countValues(parsed: ParsedQuery, context: QueryContext): Promise<Batch> {
  const bound = await resolve(parsed, context.findDataset, context.limits, context);
  return traced(await execute(secureCounts(bound), context), context).batch;
}

/** Returns an answer, and adds its plugin calls to those of the subqueries. */
function traced({ answer }: CachedAnswer, { subqueryParts }: QueryContext): TracedRun {
  subqueryParts.push(...answer.parts);
  return answer;
}

/**
 * A meter that counts nothing, because `estimateWork` has already counted the subqueries for `include_nonoccurring`.
 */
const noMeter: WorkMeter = { spend: () => undefined };

type Run = Parameters<typeof traceRun>[3];

async function serveOrRun(
  secured: SecuredQuery,
  shapeOf: () => AnswerShape,
  context: QueryContext,
  runTraced: (traced: Parameters<Run>[0], caller: Caller) => ReturnType<Run>,
): Promise<CachedAnswer> {
  const { user, tenant, limits, connections, cache } = context;
  for (const { connection } of [secured.dataset, ...secured.joined])
    context.calledNames.add(connection.name);
  const found = await cache.answer(
    () => answerKey(secured, user, shapeOf),
    context.signal,
    async (signal) => {
      const caller = { user, tenant, signal };
      await context.quotas?.spend(tenant.organization, "scanned_rows", rowsRead(secured));
      const answer = await inSpan("run", {}, () =>
        traceRun(secured, connections.scratch, caller, (traced) => runTraced(traced, caller)),
      );
      return refuseLong(answer, limits);
    },
  );
  // The cached answer may be that of an inner query, which may have more rows.
  refuseLong(found.answer, limits);
  return found;
}

/**
 * Returns the number of rows of the store that a query may read: all rows of its datasets, even if the store can skip
 * some.
 */
function rowsRead({ dataset, joined }: SecuredQuery): number {
  return [dataset, ...joined].reduce((sum, { rowCount = 0 }) => sum + rowCount, 0);
}

function refuseLong(answer: TracedRun, { answerRowCount }: QueryLimits): TracedRun {
  if (answer.batch.rowCount <= answerRowCount) return answer;
  throw new ApiError("QUERY_TOO_MANY_ROWS", [answerRowCount]);
}
