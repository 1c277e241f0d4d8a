import { ApiError, type Caller, type Connection } from "../../base/index.ts";
import type { Batch, Query, BatchColumn } from "../../../plugins/protocol/index.ts";
import { collate } from "../finish/collate.ts";
import { addCalculations, type WholeAnswer } from "../calculations/addCalculations.ts";
import { completeGroups, domainOf } from "../finish/completeGroups.ts";
import { finish } from "../finish/finish.ts";
import type { QueryLimits } from "../limits.ts";
import { orderRows } from "../finish/orderRows.ts";
import { planQuery } from "../plan/planQuery.ts";
import type { Residual, PlanStep } from "../queryPlan.ts";
import { conditionsOnColumn } from "../subquery/conditionsOnColumn.ts";
import { isCumulativeSum, planGroups } from "../plan/planGroups.ts";
import type { ParsedQuery, Reference } from "../parsedQuery.ts";
import { runQuery } from "./runQuery.ts";
import type { RunAnswer } from "./runAnswer.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import type { RunSubquery } from "../subquery/runSubqueries.ts";

export interface GroupsOptions {
  readonly parsed: ParsedQuery;
  readonly runSubquery: RunSubquery;
  /** Runs a query with the rights of the query, including its formulas. */
  readonly runWhole: (parsed: ParsedQuery) => Promise<WholeAnswer>;
  readonly scratch: Connection;
  readonly caller: Caller;
  readonly limits: Pick<QueryLimits, "answerRowCount" | "periodCount">;
  /** Runs work of the main thread in time slices. */
  readonly inSlices: <Result>(steps: Generator<undefined, Result>) => Promise<Result>;
}

/**
 * Runs a query whose groups the host must finish: with formulas or calculations, with complete dimensions, or sorted by
 * the rules of a language. Fetches the groups, adds groups that occur in no row and calculated columns, and leaves
 * formulas, having, cumulative sums, order and limit to the scratch plugin.
 * @throws {PluginError} of the dataset's plugin or of scratch
 * @throws {ApiError} QUERY_TOO_MANY_COMBINATIONS, MEMBER_INVALID for more periods than the limit
 */
export async function runGroups(secured: SecuredQuery, options: GroupsOptions): Promise<RunAnswer> {
  const { parsed, scratch, caller, limits, inSlices } = options;
  const { answerRowCount } = limits;
  const planned = planGroups(secured);
  const { pushed } = planned;
  const { collation } = secured;
  const complete = completeDimensions(parsed, secured, planned.residual);
  const isComplete = complete.length > 0;
  const grouped = groupsQuery(secured, planned);
  const page =
    isComplete || collation || secured.parts || secured.calculations.length > 0
      ? undefined
      : pageOfGroups(grouped, secured, planned.residual);
  const limit = isComplete && { limit: { by: answerRowCount + 1, offset: 0 } };
  const groups = await runQuery(
    page ?? { ...grouped, query: { ...pushed, ...limit } },
    scratch,
    caller,
  );
  const residual = page ? withoutLimits(planned.residual) : planned.residual;
  const plan = collation ? orderedByHost(groups.plan, secured.limited) : groups.plan;
  if (collation && !isComplete && isOrderedOnly(secured)) {
    const { order = [], limit: cut } = secured.query;
    const answer = inQueryOrder(groups.batch, secured, planned.residual);
    return { ...groups, plan, batch: await inSlices(orderRows(answer, order, cut, collation)) };
  }
  const domains = await Promise.all(
    complete.map((dimension) => domainOfDimension(dimension, pushed, options)),
  );
  const distinct = [...new Map(domains.map((domain) => [domain.column, domain])).values()];
  const completed = isComplete
    ? await inSlices(completeGroups(groups.batch, pushed.columns, distinct, answerRowCount))
    : groups.batch;
  const calculated =
    secured.calculations.length > 0
      ? await addCalculations(
          { groups: completed, residual },
          { ...options, secured, columns: pushed.columns },
        )
      : { residual, groups: completed };
  const ordered = collation
    ? await inSlices(collate(calculated.residual, calculated.groups, collation))
    : calculated;
  const batch = await finish(ordered.residual, ordered.groups, scratch, caller);
  // Collation appends the ranks of strings, which are not columns of the answer.
  const columns = batch.columns.slice(0, residual.query.columns.length);
  return { ...groups, plan, batch: { ...batch, columns } };
}

/** A dimension with `include_nonoccurring`, and its column in the groups. */
interface CompleteDimension {
  readonly reference: Reference;
  readonly column: number;
}

function completeDimensions(
  parsed: ParsedQuery,
  { cells }: SecuredQuery,
  { vectors }: Residual,
): readonly CompleteDimension[] {
  if (!parsed.rollup) return [];
  return parsed.dimensions.flatMap((reference, index) =>
    reference.isComplete ? [{ reference, column: vectors[cells[index] ?? -1] ?? -1 }] : [],
  );
}

/**
 * Returns the secured query that fetches only the groups: it has no formulas, having, cumulative sums, order or limit.
 */
function groupsQuery(
  secured: SecuredQuery,
  { pushed, residual }: ReturnType<typeof planGroups>,
): SecuredQuery {
  const { collation: _, ...plain } = secured;
  const types = pushed.columns.map(
    (_column, index) => secured.types[residual.vectors.indexOf(index)] ?? "hierarchy",
  );
  return { ...plain, query: pushed, formulas: [], calculations: [], types, limited: false };
}

/**
 * Returns whether the groups only need to be sorted: the query has no formula, having, cumulative sum or limit per
 * group.
 */
function isOrderedOnly({ formulas, query }: SecuredQuery): boolean {
  const { having = [], columns, groupLimit } = query;
  const isCut = having.length > 0 || groupLimit !== undefined;
  return formulas.length === 0 && !isCut && !columns.some(isCumulativeSum);
}

function inQueryOrder(groups: Batch, { query }: SecuredQuery, { vectors }: Residual): Batch {
  const columns = query.columns.flatMap((_, index) => groups.columns[vectors[index] ?? -1] ?? []);
  return { rowCount: groups.rowCount, columns };
}

/** Fetches the values of a dimension, and lists them with the periods or bins between the first and the last value. */
async function domainOfDimension(
  { reference, column }: CompleteDimension,
  pushed: Query,
  { parsed, runSubquery, limits, inSlices }: GroupsOptions,
) {
  const { columns } = await runSubquery(valuesOf(parsed, reference));
  const [vector = noTexts] = columns;
  const groupedBy = pushed.columns[column] ?? { column_id: reference.columnId };
  const { level } = reference;
  // A date that is truncated to days or less has no level in the query, so the periods of dates are counted in UTC.
  const timezone = (groupedBy.level && pushed.options.timezone_id) ?? "UTC";
  const key = level ? { ...groupedBy, level } : groupedBy;
  const values = await inSlices(domainOf(vector, key, timezone, limits.periodCount));
  if (values) return { column, values };
  throw new ApiError("MEMBER_INVALID", [
    `${reference.path}.include_nonoccurring`,
    `there are more than ${limits.periodCount} periods or bins between the first and the last value; use longer periods or wider bins, or filter the column`,
  ]);
}

/** Marks order and limit as steps of the host, because sorting by the rules of a language is not pushed. */
function orderedByHost(plan: RunAnswer["plan"], limited: boolean): RunAnswer["plan"] {
  const reason = "the host sorts strings by the rules of a language";
  const isOurs = ({ clause }: PlanStep) => clause === "order" || (limited && clause === "limit");
  const steps = plan.steps.map((each) =>
    isOurs(each) ? { clause: each.clause, pushed: false, reason } : each,
  );
  return { ...plan, steps };
}

/**
 * Returns the query for the groups of a single page; undefined if the plugin cannot return only that page, because a
 * formula filters or orders the groups.
 */
function pageOfGroups(
  grouped: SecuredQuery,
  { query, types, limited, dataset }: SecuredQuery,
  { vectors }: Residual,
): SecuredQuery | undefined {
  const { having = [], order = [], groupLimit, limit, columns } = query;
  const isOfFormulas = order.some(({ column }) => column >= types.length);
  if (
    (!limited && !groupLimit) ||
    !limit ||
    isOfFormulas ||
    having.length > 0 ||
    columns.some(isCumulativeSum)
  )
    return undefined;
  const page: SecuredQuery = {
    ...grouped,
    query: {
      ...grouped.query,
      order: order.map((item) => ({ ...item, column: vectors[item.column] ?? -1 })),
      ...(groupLimit && {
        groupLimit: {
          ...groupLimit,
          columns: groupLimit.columns.map((column) => vectors[column] ?? -1),
        },
      }),
      limit,
    },
    limited,
  };
  const { mode, pushed } = planQuery(page, dataset.connection.capabilities);
  return mode === "whole" || pushed.limit ? page : undefined;
}

function withoutLimits(residual: Residual): Residual {
  const { limit: _, groupLimit: __, ...query } = residual.query;
  return { ...residual, query };
}

const noTexts: BatchColumn = { type: "hierarchy", codes: new Int32Array(0), dictionary: [] };

/**
 * Returns the query for the values of a dimension, over all rows that the caller may see and that pass the filters on
 * the dimension's own column.
 */
function valuesOf({ path, where, timezoneId }: ParsedQuery, dimension: Reference): ParsedQuery {
  const { isComplete: _, ...plain } = dimension;
  return {
    path,
    dimensions: [plain],
    measures: [],
    where: conditionsOnColumn(where, dimension),
    having: [],
    order: [],
    limit: undefined,
    rollup: true,
    timezoneId,
  };
}
