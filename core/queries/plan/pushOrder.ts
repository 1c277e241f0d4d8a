import type { Capabilities, Filter, Query, QueryColumn } from "../../../plugins/protocol/index.ts";
import type { QueryPlan } from "../queryPlan.ts";
import { reasonFor } from "./reasonFor.ts";
import { usedClaims } from "./usedClaims.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { unsupportedFilter, unsupportedOrder } from "./unsupportedClauses.ts";

/** The planned part of a plugin whose answer the host checks. */
export type CheckedPlan = Pick<QueryPlan, "mode" | "pushed" | "sent">;

/** Why a plugin does not receive order, and why it does not receive the limit. */
type OrderReasons = Readonly<Record<"order" | "limit", string>>;

/** The pushed query with order and limit, or the reasons why the plugin does not receive them. */
export type OrderedQuery =
  | { readonly pushed: Query; readonly reasons?: undefined }
  | { readonly pushed?: undefined; readonly reasons: OrderReasons };

/**
 * Adds the order and the limit of a query to the part of a plugin over HTTP. The host still checks the answer, which
 * is only shorter. The plugin receives order and limit only under these conditions:
 *
 * - the operator trusts the address of the plugin, and the conformance kit has proved every claim that the part uses
 * - no row filter applies to the caller, so that a wrong answer can at most hide rows
 * - the host drops no row of the plugin's answer: the plugin applies all filters exactly, and groups are those of the
 * query
 */
export function pushOrder(
  plan: CheckedPlan,
  secured: SecuredQuery,
  capabilities: Capabilities,
): OrderedQuery {
  const reasons = unpromised(secured, capabilities);
  if (reasons) return { reasons };
  const { pushed, reason } = withOrder(plan, secured, capabilities);
  return pushed ? { pushed } : { reasons: { order: reason, limit: reason } };
}

/** Returns why the plugin can receive neither clause; undefined if the plugin promises both. */
function unpromised(secured: SecuredQuery, capabilities: Capabilities): OrderReasons | undefined {
  const { connection } = secured.dataset;
  const unordered = unsupportedOrder(secured, capabilities);
  const order = unordered === undefined ? undefined : reasonFor(connection, unordered);
  const limit = capabilities.limit ? undefined : reasonFor(connection, "limit");
  if (order === undefined && limit === undefined) return undefined;
  return {
    order: order ?? `the plugin receives order only together with the limit: ${limit}`,
    limit: limit ?? `the host sorts the rows before the limit: ${order}`,
  };
}

/** Returns the pushed query with order and limit, for a plugin that promises both, or why it does not receive them. */
function withOrder(
  plan: CheckedPlan,
  secured: SecuredQuery,
  capabilities: Capabilities,
):
  | { readonly pushed: Query; readonly reason?: undefined }
  | { readonly pushed?: undefined; readonly reason: string } {
  const { query, dataset, joined, limited } = secured;
  const { connection, source } = dataset;
  const { limit, order = [] } = query;
  if (!connection.mayOrder)
    return { reason: connection.orderRefusal ?? "the operator does not trust the plugin" };
  if ([dataset, ...joined].some(({ rowFilters }) => rowFilters.length > 0))
    return { reason: "a row filter applies" };
  if (query.groupLimit) return { reason: "the host applies the limit per group first" };
  if (query.joins) return { reason: "the host joins the datasets" };
  if (!limited || !limit) return { reason: "the query has no limit" };
  const wrong = wrongFilter(plan, secured, capabilities) ?? wrongRows(plan, query);
  if (wrong !== undefined) return { reason: wrong };
  const places = order.map(({ column }) => placeIn(plan.pushed.columns, query.columns[column]));
  if (places.includes(-1))
    return { reason: "the host computes a column by which the rows are sorted" };
  const { by, offset = 0 } = limit;
  const pushed: Query = {
    ...plan.pushed,
    ...(order.length > 0 && {
      order: order.map((item, index) => ({ ...item, column: places[index] ?? -1 })),
    }),
    // The host skips the rows before the offset, after it has checked them.
    limit: { by: by + offset, offset: 0 },
  };
  const unproved = usedClaims(pushed, source, capabilities).find(
    (claim) => connection.proved?.has(claim) !== true,
  );
  return unproved === undefined
    ? { pushed }
    : { reason: `the conformance kit has not proved ${unproved}` };
}

/** Returns why the plugin may send rows that fail a filter; undefined if it applies all filters exactly. */
function wrongFilter(
  { pushed, sent }: CheckedPlan,
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const { filters } = secured.query;
  const isUnchanged = (filter: Filter) => pushed.filters.includes(filter);
  if (sent.length < filters.length || !filters.every(isUnchanged))
    return "only the host tests one of the filters";
  const inexact = filters
    .map((filter) => unsupportedFilter(filter, secured, capabilities))
    .find((each) => each !== undefined);
  return inexact === undefined ? undefined : reasonFor(secured.dataset.connection, inexact);
}

/** Returns why the rows of a plan are not those of the answer; undefined if each row becomes one row of the answer. */
function wrongRows({ mode, pushed }: CheckedPlan, query: Query): string | undefined {
  if (query.having?.length) return "the host tests the groups before it applies the limit";
  if (mode === "frequencies") return "the host computes a measure from its values";
  if (mode === "rows") return query.options.pushdown ? "the host groups the rows" : undefined;
  if (query.columns.some(({ aggregation }) => aggregation === "cumulativesum"))
    return "the host computes cumulative sums before it applies the limit";
  const { timezone_id: zone = "UTC" } = query.options;
  if (zone !== "UTC" && query.columns.some(({ level }) => level))
    return "the host truncates datetimes in a time zone";
  const dimensions = query.columns.filter(({ aggregation }) => !aggregation);
  const keys = pushed.columns.filter(({ aggregation }) => !aggregation);
  if (dimensions.some((dimension) => placeIn(keys, dimension) < 0))
    return "the host computes a dimension";
  const isDimension = (key: QueryColumn) => dimensions.some((each) => isSame(each, key));
  return keys.every((key) => isDimension(key) || query.filters.some((each) => fixes(each, key)))
    ? undefined
    : "the host needs smaller groups to test the filters again, or to compute a measure";
}

/** Returns whether only one value of a column passes a filter, so that grouping by the column splits no group. */
function fixes(filter: Filter, { column_id, level }: QueryColumn): boolean {
  if (!("column_id" in filter) || filter.column_id !== column_id || filter.level || level)
    return false;
  return filter.expression === "is null" || filter.expression === "=";
}

/**
 * Returns the place of a column of the query among the columns of the plugin's answer; -1 if the answer does not
 * contain the column.
 */
function placeIn(columns: readonly QueryColumn[], column: QueryColumn | undefined): number {
  return column ? columns.findIndex((each) => isSame(each, column)) : -1;
}

function isSame(one: QueryColumn, other: QueryColumn): boolean {
  return (
    one.column_id === other.column_id &&
    one.aggregation === other.aggregation &&
    one.level === other.level &&
    one.bin === undefined &&
    other.bin === undefined
  );
}
