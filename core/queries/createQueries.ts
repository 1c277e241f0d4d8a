import PQueue from "p-queue";
import type { Principal } from "../access/principal.ts";
import type { Connections } from "../connections/connection.ts";
import { ApiError } from "../errors.ts";
import type { Records } from "../resources/records.ts";
import { PluginError } from "../../plugins/protocol/index.ts";
import { findFormulas } from "./findFormulas.ts";
import { defaultLimits, type QueryLimits } from "./limits.ts";
import { parseFind, parseQuestion } from "./parse.ts";
import { presentRows, type AnswerCell } from "./present.ts";
import type { Question } from "./question.ts";
import { createDatasetFinder, type FindDataset, type FindRowFilters } from "./queriedDataset.ts";
import { resolve } from "./resolve.ts";
import { run } from "./run.ts";
import { runGroups } from "./runGroups.ts";
import { secure } from "./secure.ts";
import { settle } from "./settle.ts";

/** Milliseconds per phase of a query, and the rows of its answer. */
interface QueryPerformance {
  readonly validating: number;
  readonly preparing: number;
  readonly queuing: number;
  readonly querying: number;
  readonly processing: number;
  readonly rows: number;
}

export interface QueryAnswer {
  readonly cached: boolean;
  readonly performance: QueryPerformance;
  /** Rows of cells: dimensions, then measures, both in the order of the request. */
  readonly data: readonly (readonly AnswerCell[])[];
}

/** A query of several that failed; the others answer. */
export interface QueryFailure extends QueryAnswer {
  readonly error: {
    readonly message: string;
    readonly type: { readonly code: number; readonly description: string };
  };
}

export interface Queries {
  /**
   * Answers `find`, `{queries: […]}` or one bare query, with what `principal` may see: one answer,
   * or a list of them when several queries were sent. Rows come in a fixed order: as requested, then
   * by all further dimensions ascending; raw rows by their measures too; nulls last.
   * @throws {ApiError} for what the caller can mend, also when its only query cannot be answered
   * @throws {PluginError} when a source fails
   */
  answer(
    find: unknown,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<QueryAnswer | readonly QueryAnswer[]>;
}

export interface QueriesOptions {
  readonly records: Records;
  readonly connections: Connections;
  readonly rowFilters: FindRowFilters;
  readonly limits?: Partial<QueryLimits>;
  /** The clock that relative dates are counted by, in milliseconds; read once a call. */
  readonly now?: () => number;
}

/** Makes the one path that every data query takes. It keeps no state between calls. */
export function createQueries(options: QueriesOptions): Queries {
  const { records, connections, rowFilters, limits: given, now = Date.now } = options;
  const limits = { ...defaultLimits, ...given };

  const answerOne = async (
    query: { readonly path: string; readonly value: unknown },
    findDataset: FindDataset,
    principal: Principal,
    signal: AbortSignal,
    { enqueuedAt, nowMs }: { readonly enqueuedAt: number; readonly nowMs: number },
  ): Promise<QueryAnswer> => {
    const startedAt = performance.now();
    const parsed = parseQuestion(
      query.value,
      query.path,
      limits,
      principal.restriction?.parameters,
    );
    const { userId: id, name, email, restriction } = principal;
    const metadata = restriction?.metadata;
    const user = { id, name, email, ...(metadata && { metadata }) };
    const deadline = AbortSignal.timeout(limits.timeoutMs);
    const caller = { user, signal: AbortSignal.any([signal, deadline]) };
    const inTime = (failure: unknown): never => {
      if (!deadline.aborted || signal.aborted) throw failure;
      throw new PluginError("PLUGIN_TIMEOUT", [`${limits.timeoutMs} ms for one query`], {
        cause: failure,
      });
    };
    const bind = async (question: Question) =>
      secure(await resolve(question, findDataset, limits, nowMs), principal);
    const findFormula = async (formulaId: string): Promise<string> => {
      const found = await records.visible("formula", [formulaId], "read", principal);
      const expression = found.get(formulaId)?.["expression"];
      if (typeof expression === "string") return expression;
      throw new ApiError("RECORD_NOT_FOUND", ["formula", formulaId.slice(0, 100)]);
    };
    let probingMs = 0;
    const probe = async (asked: Question) => {
      const bound = await bind(asked);
      const probedFrom = performance.now();
      const { batch } = await run(bound, connections.scratch, caller).catch(inTime);
      probingMs += performance.now() - probedFrom;
      return batch;
    };
    const question = await settle(await findFormulas(parsed, findFormula), probe);
    const settlingMs = probingMs;
    const secured = await bind(question);
    const resolvedAt = performance.now();
    const { scratch } = connections;
    const isComplete = question.rollup && question.dimensions.some((each) => each.isComplete);
    const isOverGroups = isComplete || secured.formulas.length > 0;
    const answer = await (
      isOverGroups
        ? runGroups(secured, { question, probe, scratch, caller, limits })
        : run(secured, scratch, caller)
    ).catch(inTime);
    if (answer.batch.rowCount > limits.answerRowCount)
      throw new ApiError("QUERY_TOO_MANY_ROWS", [limits.answerRowCount]);
    const presentedFrom = performance.now();
    const data = presentRows(answer.batch, secured.cells, secured.query.columns);
    return {
      cached: false,
      performance: {
        validating: milliseconds(resolvedAt - startedAt - settlingMs),
        preparing: milliseconds(answer.preparingMs),
        queuing: milliseconds(startedAt - enqueuedAt),
        querying: milliseconds(settlingMs + answer.queryingMs),
        processing: milliseconds(answer.processingMs + performance.now() - presentedFrom),
        rows: data.length,
      },
      data,
    };
  };

  return {
    async answer(find, principal, signal) {
      const { several, queries } = parseFind(find, limits);
      const findDataset = createDatasetFinder({ records, connections, rowFilters, principal });
      const queue = new PQueue({ concurrency: limits.concurrency });
      const moment = { enqueuedAt: performance.now(), nowMs: now() };
      const answers = await Promise.allSettled(
        queries.map((query) =>
          queue.add(() => answerOne(query, findDataset, principal, signal, moment)),
        ),
      );
      const presented = answers.map((each) => {
        if (each.status === "fulfilled") return each.value;
        if (several && (each.reason instanceof ApiError || each.reason instanceof PluginError))
          return failureOf(each.reason);
        throw each.reason;
      });
      const [only] = presented;
      return several || !only ? presented : only;
    },
  };
}

function failureOf(error: ApiError | PluginError): QueryFailure {
  return {
    cached: false,
    performance: { validating: 0, preparing: 0, queuing: 0, querying: 0, processing: 0, rows: 0 },
    data: [],
    error: { message: error.message, type: { code: error.status, description: error.code } },
  };
}

/** To the thousandth. */
function milliseconds(time: number): number {
  return Math.round(time * 1000) / 1000;
}
