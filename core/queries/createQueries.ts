import {
  ApiError,
  arrowType,
  type Connections,
  jsonType,
  type MediaType,
  type Principal,
  type Records,
  TimeSlices,
  warningsHeader,
  WrittenAnswer,
} from "../base/index.ts";
import type { CatalogMemory, Quotas } from "../catalog/index.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import { type CacheFigures, createAnswerCache } from "./cache/answerCache.ts";
import { handleQuery } from "./handleQuery.ts";
import type { CallContext } from "./execute.ts";
import { hideSensitive } from "./secure/hideSensitive.ts";
import { createLinkMemory } from "./join/linkMemory.ts";
import type { Labels } from "./labels.ts";
import { defaultLimits, type QueryLimits } from "./limits.ts";
import { parseQueries, type RawQueries } from "./parse/parseQuery.ts";
import {
  membersOf,
  presentAnswers,
  presentFailure,
  type AnsweredCall,
  type QueryAnswer,
  type QueryFailure,
} from "./present/presentAnswers.ts";
import { tableColumns, type AnsweredTable } from "./present/answeredTable.ts";
import type { FindRowFilters } from "./queriedDataset.ts";
import { createDatasetFinder } from "./resolve/createDatasetFinder.ts";
import { createFormulaFinder } from "./resolve/findFormulas.ts";
import { createPreparedQueries } from "./prepared/preparedQueries.ts";
import { createBackgroundGate } from "./run/createBackgroundGate.ts";
import { createPlaces } from "./run/createPlaces.ts";
import { createTenantLimit } from "./run/createTenantLimit.ts";
import { tenantOf } from "./run/tenantOf.ts";
import { writeArrow } from "./present/writeArrow.ts";
import { writeAnswers } from "./present/writeAnswers.ts";
import { createWorkMeter } from "./workMeter.ts";

/** An answer or an error, without rows. */
export type ExplainedAnswer = Omit<QueryAnswer, "data"> | Omit<QueryFailure, "data">;

/** Runs data queries. Every method takes the `find` or query of a call unparsed, and checks it. */
export interface Queries {
  /**
   * Runs `find` (`{queries: […]}` or a single query) over the rows that `principal` may see. Returns one answer, or a
   * list if the call has several queries. Rows are sorted as requested, then by all other dimensions in ascending
   * order. Plain rows are also sorted by their measures. Nulls come last. With `isBackground`, the queries yield to
   * people's queries.
   * @throws {ApiError} for mistakes that the caller can correct, including a failure of the only query
   * @throws {PluginError} when a source fails
   */
  answer(
    find: unknown,
    principal: Principal,
    signal: AbortSignal,
    options?: Pick<CallOptions, "isBackground">,
  ): Promise<QueryAnswer | readonly QueryAnswer[]>;
  /**
   * Explains how the queries of a call are run, without returning rows. The queries do run, because row counts and
   * times come from a run. If one of several queries fails, its answer contains the error.
   * @throws {ApiError | PluginError} as `answer`
   */
  explain(
    find: unknown,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ExplainedAnswer | readonly ExplainedAnswer[]>;
  /**
   * Answers a call like `answer`, but writes JSON or, for a single query, an Arrow IPC stream.
   * @throws {ApiError} as `answer`, and MEMBER_INVALID for several queries in one Arrow stream
   * @throws {PluginError} as `answer`
   */
  write(
    find: unknown,
    principal: Principal,
    signal: AbortSignal,
    mediaType: MediaType,
  ): Promise<WrittenAnswer>;
  /**
   * Runs one query and returns its answer as columns, for exported files.
   * @throws {ApiError | PluginError} as `answer`; MEMBER_INVALID for several queries
   */
  table(query: unknown, principal: Principal, signal: AbortSignal): Promise<AnsweredTable>;
  /**
   * Runs one query for scheduled work, without the cache. Relative dates are relative to `nowMs`. Unless `isBackground`
   * is false, the query yields to people's queries.
   * @throws {ApiError | PluginError} as `answer`; MEMBER_INVALID for several queries
   */
  evaluate(
    query: unknown,
    principal: Principal,
    signal: AbortSignal,
    nowMs: number,
    isBackground?: boolean,
  ): Promise<QueryAnswer>;
  /** Returns the number and the size in bytes of cached answers. */
  cacheFigures(): CacheFigures;
}

/** The services, limits and clock with which queries run. Without an optional service, its feature is off. */
export interface QueriesOptions {
  readonly records: Records;
  readonly connections: Connections;
  readonly rowFilters: FindRowFilters;
  readonly limits?: Partial<QueryLimits>;
  /** Labels of values. Without them, cells contain only values. */
  readonly labels?: Labels;
  /**
   * Maximum size of cached answers in bytes.
   * @default 0, which disables the cache
   */
  readonly cacheBytes?: number;
  /** Caches records of the catalog between calls. */
  readonly memory?: CatalogMemory;
  /**
   * Runs work of the main thread in time slices.
   * @default new slices that nothing else uses
   */
  readonly timeSlices?: TimeSlices;
  /** Counts the answers of the host, by plugin, mode and cache state. */
  readonly metrics?: CallContext["metrics"];
  /**
   * The limits of organizations.
   * @default no limits
   */
  readonly quotas?: Pick<Quotas, "spend" | "withPermit">;
  /**
   * The clock for relative dates, in milliseconds. It is read once per call.
   * @default Date.now
   */
  readonly now?: () => number;
}

interface CallOptions {
  readonly withLabels?: boolean;
  /** Whether the query skips the cache and always queries the source. */
  readonly isFresh?: boolean;
  /**
   * Whether the query yields to people's queries. True if nobody waits for the answer, or if the caller waits for
   * slower work anyway.
   */
  readonly isBackground?: boolean;
  readonly nowMs?: number;
}

function cellsOf(answer: AnsweredCall["answers"][number]): number {
  return "data" in answer ? 0 : answer.batch.rowCount * answer.secured.cells.length;
}

/**
 * Maximum number of cells of an answer that is written without yielding. Writing them takes less time than a turn of
 * the event loop.
 */
const smallCells = 1_000;

/** Yields the chunks without letting the event loop run between them. */
async function* eachAtOnce<Chunk>(chunks: Iterator<Chunk | undefined, void>) {
  for (let next = chunks.next(); !next.done; next = chunks.next())
    if (next.value !== undefined) yield next.value;
}

/**
 * Creates the object that runs every data query. Between calls it keeps only cached answers and the information about
 * which linked columns were unique.
 */
export function createQueries(options: QueriesOptions): Queries {
  const { records, connections, rowFilters, memory, limits: given, now = Date.now } = options;
  const { labels } = options;
  const limits = { ...defaultLimits, ...given };
  const { timeSlices = new TimeSlices() } = options;
  const backgroundGate = createBackgroundGate();
  const tenantLimit = createTenantLimit({
    concurrency: limits.tenantConcurrency,
    queueLength: limits.tenantQueueLength,
    burstLength: limits.tenantBurstLength,
    queueMs: limits.tenantQueueMs,
  });
  const cache = createAnswerCache({ sizeBytes: options.cacheBytes ?? 0 });
  const prepared = createPreparedQueries(memory);
  const linkMemory = createLinkMemory();
  const noCache = createAnswerCache({ sizeBytes: 0 });

  const handleCall = async (
    { several, queries }: RawQueries,
    principal: Principal,
    signal: AbortSignal,
    { withLabels = true, isFresh = false, isBackground = false, nowMs = now() }: CallOptions = {},
  ): Promise<AnsweredCall> => {
    const tenant = tenantOf(principal, isBackground);
    tenantLimit.admit(tenant);
    const findDataset = createDatasetFinder({
      records,
      connections,
      rowFilters,
      principal,
      ...(labels && { labels }),
      ...(memory && { memory }),
    });
    const ofCall = createPlaces(limits.concurrency);
    const context: CallContext = {
      connections,
      limits,
      cache: isFresh ? noCache : cache,
      prepared,
      linkMemory,
      work: createWorkMeter(limits.work),
      findDataset,
      findFormula: createFormulaFinder(records, principal),
      ...(labels && withLabels && { labels: { labels, ...(memory && { memory }) } }),
      principal,
      tenant,
      timeSlices,
      signal,
      enqueuedAt: performance.now(),
      nowMs,
      metrics: options.metrics,
      quotas: options.quotas,
    };
    const withPermit = <Result>(run: () => Promise<Result>) =>
      options.quotas ? options.quotas.withPermit(tenant.organization, signal, run) : run();
    const leave = isBackground ? undefined : backgroundGate.attend();
    const settled = await Promise.allSettled(
      queries.map((query) =>
        ofCall
          .run(() =>
            tenantLimit.run(tenant, () =>
              withPermit(async () => {
                const end = isBackground ? await backgroundGate.begin(signal) : undefined;
                try {
                  await timeSlices.begin(tenant);
                  return await handleQuery(query, context);
                } finally {
                  end?.();
                }
              }),
            ),
          )
          .catch((failure: unknown) => {
            const { restriction, own } = principal;
            throw hideSensitive(failure, (restriction ?? own)?.parameters);
          }),
      ),
    );
    leave?.();
    const answers = settled.map((each) => {
      if (each.status === "fulfilled") return each.value;
      if (several && (each.reason instanceof ApiError || each.reason instanceof PluginError))
        return presentFailure(each.reason);
      throw each.reason;
    });
    return { several, answers };
  };

  return {
    async answer(find, principal, signal, options) {
      return presentAnswers(
        await handleCall(parseQueries(find, limits), principal, signal, options),
      );
    },
    async explain(find, principal, signal) {
      const { several, queries } = parseQueries(find, limits);
      const explained = queries.map((query) => ({ ...query, explain: true }));
      const { answers } = await handleCall({ several, queries: explained }, principal, signal);
      const explanations = answers.map((answer): ExplainedAnswer => {
        if (!("data" in answer)) return membersOf(answer);
        const { data: _, ...members } = answer;
        return members;
      });
      const [only] = explanations;
      return several || !only ? explanations : only;
    },
    async write(find, principal, signal, mediaType) {
      const queries = parseQueries(find, limits);
      const isArrow = mediaType === arrowType;
      if (isArrow && queries.queries.some((query) => query.explain))
        throw new ApiError("MEMBER_INVALID", [
          "explain",
          `an Arrow stream can contain only rows; use the action explain, or accept ${jsonType}`,
        ]);
      if (isArrow && queries.several)
        throw new ApiError("MEMBER_INVALID", [
          "queries",
          `an Arrow stream can contain the answer of only one query; send one query per call, or accept ${jsonType}`,
        ]);
      const answered = await handleCall(queries, principal, signal, { withLabels: !isArrow });
      const chunks: Iterator<string | Uint8Array | undefined, void> = isArrow
        ? await writeArrow(answered)
        : writeAnswers(answered);
      const cellCount = answered.answers.reduce((sum, answer) => sum + cellsOf(answer), 0);
      const sliced =
        cellCount <= smallCells ? eachAtOnce(chunks) : timeSlices.each(tenantOf(principal), chunks);
      const warnings = answered.answers.flatMap((answer) => answer.warnings ?? []);
      // JSON contains the warnings.
      const headers = isArrow ? warningsHeader(warnings) : {};
      return new WrittenAnswer(mediaType, sliced, headers, cellCount, isArrow ? warnings : []);
    },
    async table(query, principal, signal) {
      const queries = parseQueries(query, limits);
      if (queries.several)
        throw new ApiError("MEMBER_INVALID", [
          "queries",
          "it must be one query: a file contains the rows of a single query",
        ]);
      const { answers } = await handleCall(queries, principal, signal);
      const [answered] = answers;
      if (!answered || "data" in answered) throw new TypeError("one query must have one answer");
      return {
        rowCount: answered.batch.rowCount,
        warnings: answered.warnings ?? [],
        columns: tableColumns(answered),
        inSlices: (chunks) => timeSlices.each(tenantOf(principal), chunks),
      };
    },
    async evaluate(query, principal, signal, nowMs, isBackground = true) {
      const queries = parseQueries(query, limits);
      if (queries.several)
        throw new ApiError("MEMBER_INVALID", [
          "queries",
          "it must be one query: an evaluation runs a single query",
        ]);
      const answered = await handleCall(queries, principal, signal, {
        isFresh: true,
        isBackground,
        nowMs,
      });
      return [presentAnswers(answered)].flat()[0]!;
    },
    cacheFigures: () => cache.figures(),
  };
}
