import PQueue from "p-queue";
import {
  ApiError,
  arrowType,
  type Connections,
  jsonType,
  type MediaType,
  type Principal,
  type Records,
  TimeSlices,
  WrittenAnswer,
} from "../base/index.ts";
import type { CatalogMemory, Quotas } from "../catalog/index.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import { type CacheFigures, createAnswerCache } from "./cache/answerCache.ts";
import { answerQuery } from "./answerQuery.ts";
import type { QueryContext } from "./askQuery.ts";
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
import { createBackgroundGate } from "./run/createBackgroundGate.ts";
import { createTenantLimit } from "./run/createTenantLimit.ts";
import { tenantOf } from "./run/tenantOf.ts";
import { writeArrow } from "./present/writeArrow.ts";
import { writeAnswers } from "./present/writeAnswers.ts";
import { createWorkMeter } from "./workMeter.ts";

/** An answer or a failure without its rows. */
export type ExplainedAnswer = Omit<QueryAnswer, "data"> | Omit<QueryFailure, "data">;

export interface Queries {
  /**
   * Answers `find` (`{queries: […]}` or one bare query) with the rows that `principal` may see.
   * Returns one answer, or a list when several queries were sent. Rows are ordered as requested,
   * then by all further dimensions ascending; raw rows also by their measures; nulls last.
   * With `isBackground` the queries leave room for those of people.
   * @throws {ApiError} for what the caller can mend, also when its only query cannot be answered
   * @throws {PluginError} when a source fails
   */
  answer(
    find: unknown,
    principal: Principal,
    signal: AbortSignal,
    options?: Pick<AskOptions, "isBackground">,
  ): Promise<QueryAnswer | readonly QueryAnswer[]>;
  /**
   * Explains how the queries of a call are answered, without their rows. The queries run, since
   * rows and times belong to a run. A query of several that fails carries its error.
   * @throws {ApiError | PluginError} as `answer`
   */
  explain(
    find: unknown,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ExplainedAnswer | readonly ExplainedAnswer[]>;
  /**
   * Answers as `answer` does, written as JSON or, for one query, as an Arrow IPC stream.
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
   * Answers one query as columns, for files.
   * @throws {ApiError | PluginError} as `answer`; MEMBER_INVALID for several queries
   */
  table(query: unknown, principal: Principal, signal: AbortSignal): Promise<AnsweredTable>;
  /**
   * Answers one query for scheduled work: never from memory, with relative dates as of an instant in milliseconds, and
   * after the queries of people, or beside them when `isBackground` is false.
   * @throws {ApiError | PluginError} as `answer`
   */
  evaluate(
    query: unknown,
    principal: Principal,
    signal: AbortSignal,
    nowMs: number,
    isBackground?: boolean,
  ): Promise<QueryAnswer>;
  /** Counts the answers in memory and their bytes. */
  cacheFigures(): CacheFigures;
}

export interface QueriesOptions {
  readonly records: Records;
  readonly connections: Connections;
  readonly rowFilters: FindRowFilters;
  readonly limits?: Partial<QueryLimits>;
  /** Labels of values. Without it, cells show none. */
  readonly labels?: Labels;
  /** Memory of kept answers; none when left out. */
  readonly cacheBytes?: number;
  /** Keeps looked-up records between calls. */
  readonly memory?: CatalogMemory;
  /** The time slices of the main thread; its own when absent. */
  readonly timeSlices?: TimeSlices;
  /** Counts the answers of the host. */
  readonly metrics?: QueryContext["metrics"];
  /** Limits of organizations; none when absent. */
  readonly quotas?: Pick<Quotas, "spend" | "withPermit">;
  /** The clock for relative dates, in milliseconds. It is read once per call. */
  readonly now?: () => number;
}

interface AskOptions {
  readonly withLabels?: boolean;
  /** Asks the source whatever is in memory. */
  readonly isFresh?: boolean;
  /** Nobody waits for the answer, or only after something slower. */
  readonly isBackground?: boolean;
  readonly nowMs?: number;
}

function cellsOf(answer: AnsweredCall["answers"][number]): number {
  return "data" in answer ? 0 : answer.batch.rowCount * answer.secured.cells.length;
}

/** Cells that are written in less time than a turn costs. */
const smallCells = 1_000;

/** Yields the chunks without a turn between two. */
async function* eachAtOnce<Chunk>(chunks: Iterator<Chunk | undefined, void>) {
  for (let next = chunks.next(); !next.done; next = chunks.next())
    if (next.value !== undefined) yield next.value;
}

/**
 * Makes the path that every data query takes. Between calls it keeps only answers, and which linked
 * columns were unique.
 */
export function createQueries(options: QueriesOptions): Queries {
  const { records, connections, rowFilters, memory, limits: given, now = Date.now } = options;
  const { labels } = options;
  const limits = { ...defaultLimits, ...given };
  const { timeSlices = new TimeSlices() } = options;
  const backgroundGate = createBackgroundGate();
  const inTenantLimit = createTenantLimit(limits.tenantConcurrency);
  const cache = createAnswerCache({ sizeBytes: options.cacheBytes ?? 0 });
  const linkMemory = createLinkMemory();
  const noCache = createAnswerCache({ sizeBytes: 0 });

  const ask = async (
    { several, queries }: RawQueries,
    principal: Principal,
    signal: AbortSignal,
    { withLabels = true, isFresh = false, isBackground = false, nowMs = now() }: AskOptions = {},
  ): Promise<AnsweredCall> => {
    const tenant = tenantOf(principal, isBackground);
    const findDataset = createDatasetFinder({
      records,
      connections,
      rowFilters,
      principal,
      ...(labels && { labels }),
      ...(memory && { memory }),
    });
    const queue = new PQueue({ concurrency: limits.concurrency });
    const context: QueryContext = {
      records,
      connections,
      limits,
      cache: isFresh ? noCache : cache,
      linkMemory,
      work: createWorkMeter(limits.work),
      findDataset,
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
        queue
          .add(() =>
            inTenantLimit(tenant, () =>
              withPermit(async () => {
                const end = isBackground ? await backgroundGate.begin(signal) : undefined;
                try {
                  await timeSlices.begin(tenant);
                  return await answerQuery(query, context);
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
      return presentAnswers(await ask(parseQueries(find, limits), principal, signal, options));
    },
    async explain(find, principal, signal) {
      const { several, queries } = parseQueries(find, limits);
      const explained = queries.map((query) => ({ ...query, explain: true }));
      const { answers } = await ask({ several, queries: explained }, principal, signal);
      const told = answers.map((answer): ExplainedAnswer => {
        if (!("data" in answer)) return membersOf(answer);
        const { data: _, ...members } = answer;
        return members;
      });
      const [only] = told;
      return several || !only ? told : only;
    },
    async write(find, principal, signal, mediaType) {
      const queries = parseQueries(find, limits);
      const isArrow = mediaType === arrowType;
      if (isArrow && queries.queries.some((query) => query.explain))
        throw new ApiError("MEMBER_INVALID", [
          "explain",
          `an Arrow stream holds only rows; use the action explain, or accept ${jsonType}`,
        ]);
      if (isArrow && queries.several)
        throw new ApiError("MEMBER_INVALID", [
          "queries",
          `an Arrow stream holds the answer of one query; send one query per call, or accept ${jsonType}`,
        ]);
      const answered = await ask(queries, principal, signal, { withLabels: !isArrow });
      const chunks: Iterator<string | Uint8Array | undefined, void> = isArrow
        ? await writeArrow(answered)
        : writeAnswers(answered);
      const cellCount = answered.answers.reduce((sum, answer) => sum + cellsOf(answer), 0);
      const sliced =
        cellCount <= smallCells ? eachAtOnce(chunks) : timeSlices.each(tenantOf(principal), chunks);
      return new WrittenAnswer(mediaType, sliced, {}, cellCount);
    },
    async table(query, principal, signal) {
      const queries = parseQueries(query, limits);
      if (queries.several)
        throw new ApiError("MEMBER_INVALID", ["queries", "a file holds the rows of one query"]);
      const { answers } = await ask(queries, principal, signal);
      const [answered] = answers;
      if (!answered || "data" in answered) throw new TypeError("one query has one answer");
      return {
        rowCount: answered.batch.rowCount,
        columns: tableColumns(answered),
        inSlices: (chunks) => timeSlices.each(tenantOf(principal), chunks),
      };
    },
    async evaluate(query, principal, signal, nowMs, isBackground = true) {
      const queries = parseQueries(query, limits);
      if (queries.several)
        throw new ApiError("MEMBER_INVALID", ["queries", "an evaluation asks one query"]);
      const answered = await ask(queries, principal, signal, {
        isFresh: true,
        isBackground,
        nowMs,
      });
      return [presentAnswers(answered)].flat()[0]!;
    },
    cacheFigures: () => cache.figures(),
  };
}
