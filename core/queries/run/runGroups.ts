import { ApiError } from "../../errors.ts";
import type { Caller, Connection } from "../../contracts/index.ts";
import type { Vector } from "../../../plugins/protocol/index.ts";
import { collate } from "../finish/collate.ts";
import { completeGroups, domainOf } from "../finish/completeGroups.ts";
import { finish } from "../finish/finish.ts";
import type { QueryLimits } from "../limits.ts";
import { orderRows } from "../finish/orderRows.ts";
import { planQuery } from "../plan/planQuery.ts";
import type { Residual, PlanStep } from "../queryPlan.ts";
import { conditionsOnColumn } from "../subquery/conditionsOnColumn.ts";
import { isCumulativeSum, planGroups } from "../plan/planGroups.ts";
import type { ParsedQuery, Reference } from "../parsedQuery.ts";
import { run } from "./run.ts";
import type { RunAnswer } from "./runAnswer.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import type { AskSubquery } from "../subquery/evaluateSubqueries.ts";

export interface GroupsOptions {
  readonly parsed: ParsedQuery;
  readonly probe: AskSubquery;
  readonly scratch: Connection;
  readonly caller: Caller;
  readonly limits: Pick<QueryLimits, "answerRowCount" | "periodCount">;
  /** Does work of the main thread in slices. */
  readonly inSlices: <Result>(steps: Generator<undefined, Result>) => Promise<Result>;
}

/**
 * Answers a query with formulas, with dimensions that are to be complete, or in the order of a language: asks its groups and the values of these dimensions, adds the
 * groups that are missing, and has formulas, having, cumulative sums, order and limit done in scratch.
 * @throws {PluginError} of the dataset's plugin or of scratch
 * @throws {ApiError} QUERY_TOO_MANY_COMBINATIONS, MEMBER_INVALID for more periods than the limit
 */
export async function runGroups(
  secured: SecuredQuery,
  { parsed, probe, scratch, caller, limits, inSlices }: GroupsOptions,
): Promise<RunAnswer> {
  const { answerRowCount, periodCount } = limits;
  const plan = planGroups(secured);
  const { pushed } = plan;
  const complete = parsed.dimensions.flatMap((reference, index) =>
    parsed.rollup && reference.isComplete
      ? [{ reference, column: plan.residual.vectors[secured.cells[index] ?? -1] }]
      : [],
  );
  const isComplete = complete.length > 0;
  const types = pushed.columns.map(
    (_, index) => secured.types[plan.residual.vectors.indexOf(index)] ?? "hierarchy",
  );
  const { collation, ...plain } = secured;
  const asked = { ...plain, query: pushed, formulas: [], types, limited: false };
  const page = isComplete || collation ? undefined : pageOfGroups(asked, secured, plan.residual);
  const limit = isComplete && { limit: { by: answerRowCount + 1, offset: 0 } };
  const groups = await run(page ?? { ...asked, query: { ...pushed, ...limit } }, scratch, caller);
  const residual = page ? withoutLimit(plan.residual) : plan.residual;
  const askedFrom = performance.now();
  const domains = await Promise.all(
    complete.map(async ({ reference, column = -1 }) => {
      const { columns } = await probe(valuesOf(parsed, reference));
      const [vector = noTexts] = columns;
      const asked = pushed.columns[column] ?? { column_id: reference.columnId };
      const { level } = reference;
      // A level that is left out of the query is one of a date, which counts in UTC.
      const timezone = (asked.level && pushed.options.timezone_id) ?? "UTC";
      const key = level ? { ...asked, level } : asked;
      const values = await inSlices(domainOf(vector, key, timezone, periodCount));
      if (values) return { column, values };
      throw new ApiError("MEMBER_INVALID", [
        `${reference.path}.include_nonoccurring`,
        `more than ${periodCount} periods or bins lie between the first and the last; take longer ones, or filter the column`,
      ]);
    }),
  );
  const completedFrom = performance.now();
  const isDone = !isComplete && secured.formulas.length === 0;
  const { having = [], order = [], limit: cut, columns } = secured.query;
  if (collation && isDone && having.length === 0 && !columns.some(isCumulativeSum)) {
    const vectors = columns.flatMap((_, index) => {
      const vector = groups.batch.columns[plan.residual.vectors[index] ?? -1];
      return vector ?? [];
    });
    const answer = { rowCount: groups.batch.rowCount, columns: vectors };
    const batch = await inSlices(orderRows(answer, order, cut, collation));
    const processingMs = groups.processingMs + performance.now() - completedFrom;
    return { ...groups, plan: inOrder(groups.plan, secured.limited), batch, processingMs };
  }
  const distinct = [...new Map(domains.map((domain) => [domain.column, domain])).values()];
  const completed = isComplete
    ? await inSlices(completeGroups(groups.batch, pushed.columns, distinct, answerRowCount))
    : groups.batch;
  const ordered = collation
    ? await inSlices(collate(residual, completed, collation))
    : { residual, groups: completed };
  const batch = await finish(ordered.residual, ordered.groups, scratch, caller);
  return {
    batch: { ...batch, columns: batch.columns.slice(0, residual.query.columns.length) },
    plan: collation ? inOrder(groups.plan, secured.limited) : groups.plan,
    preparingMs: groups.preparingMs,
    queryingMs: groups.queryingMs + completedFrom - askedFrom,
    processingMs: groups.processingMs + performance.now() - completedFrom,
  };
}

/** Tells that order and limit are the host's where a language orders texts. */
function inOrder(plan: RunAnswer["plan"], limited: boolean): RunAnswer["plan"] {
  const reason = "texts come in the order of a language";
  const isOurs = ({ clause }: PlanStep) => clause === "order" || (limited && clause === "limit");
  const steps = plan.steps.map((each) =>
    isOurs(each) ? { clause: each.clause, pushed: false, reason } : each,
  );
  return { ...plan, steps };
}

/**
 * The groups of one page alone, where the plugin itself can cut it: formulas then neither choose nor order groups. Undefined where it cannot.
 */
function pageOfGroups(
  asked: SecuredQuery,
  { query, types, limited, dataset }: SecuredQuery,
  { vectors }: Residual,
): SecuredQuery | undefined {
  const { having = [], order = [], limit, columns } = query;
  const isOfFormulas = order.some(({ column }) => column >= types.length);
  if (!limited || !limit || isOfFormulas || having.length > 0 || columns.some(isCumulativeSum))
    return undefined;
  const page: SecuredQuery = {
    ...asked,
    query: {
      ...asked.query,
      order: order.map((item) => ({ ...item, column: vectors[item.column] ?? -1 })),
      limit,
    },
    limited,
  };
  return planQuery(page, dataset.connection.capabilities).mode === "whole" ? page : undefined;
}

function withoutLimit(residual: Residual): Residual {
  const { limit: _, ...query } = residual.query;
  return { ...residual, query };
}

const noTexts: Vector = { type: "hierarchy", codes: new Int32Array(0), dictionary: [] };

/** The values that a dimension has in all rows that the caller may see, within the filters on its own column. */
function valuesOf({ path, where, timezoneId }: ParsedQuery, dimension: Reference): ParsedQuery {
  return {
    path,
    dimensions: [dimension],
    measures: [],
    where: conditionsOnColumn(where, dimension),
    having: [],
    order: [],
    limit: undefined,
    rollup: true,
    timezoneId,
  };
}
