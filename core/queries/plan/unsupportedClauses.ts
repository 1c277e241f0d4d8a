import {
  aggregationDefinitions,
  namesIn,
  type Aggregation,
  type Bin,
  type Capabilities,
  type DataType,
  type Filter,
  type FilterPushdown,
  filterPushdown,
  type Level,
  narrowedWords,
  pairsOf,
  type Query,
  type QueryColumn,
  leaves,
  secondColumnId,
} from "../../../plugins/protocol/index.ts";
import { isWholeBin } from "../resolve/binStart.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { findColumnIn, type RowsScope } from "./findColumnIn.ts";

/** Describes the joins of a query that a plugin does not support. */
export function unsupportedJoins(
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  if (!capabilities.joins) return "joins";
  const { fingerprint } = secured.dataset.connection;
  const isOther = secured.joined.some(({ connection }) => connection.fingerprint !== fingerprint);
  if (isOther) return "joins with datasets of other connections";
  if ([secured.dataset, ...secured.joined].some(({ source }) => source.statement))
    return "joins with datasets that are statements";
  const find = findColumnIn(secured);
  for (const [index, join] of (secured.query.joins ?? []).entries()) {
    if (join.and && !capabilities.compositeJoins) return "joins by several columns";
    const { columns = [] } = secured.joined[index]?.source ?? {};
    const ends = pairsOf(join).flatMap(({ left, right }) => [
      find(left),
      columns.find((column) => column.id === right),
    ]);
    const narrowed = ends.find((end) => end?.narrowed?.grouping === false)?.narrowed;
    if (narrowed) return narrowedWords("joins over this column", narrowed);
  }
  for (const scope of joinScopes(secured)) {
    if (!scope) continue;
    if (!capabilities.joinFilters) return "filters on the rows of a joined dataset";
    const { filters, derived } = scope.query;
    const unsupported =
      unsupportedDerived(derived, scope, capabilities) ??
      filters
        .map((each) => unsupportedFilter(each, scope, capabilities))
        .find((each) => each !== undefined);
    if (unsupported !== undefined) return `${unsupported} in the filters of a joined dataset`;
  }
  return undefined;
}

/**
 * Returns for each join the filtered rows of its dataset, as a query of that dataset; undefined for joins without
 * filters.
 */
export function joinScopes({ query, joined }: SecuredQuery): readonly (RowsScope | undefined)[] {
  const { options, joins = [] } = query;
  return joins.map(({ id, filters, derived }, index) => {
    const dataset = joined[index];
    if (!dataset || !filters) return undefined;
    return { dataset, query: { id, columns: [], filters, ...(derived && { derived }), options } };
  });
}

/** Describes the properties of bins that a plugin does not support. */
export function unsupportedBin(bin: Bin, { bins, decimalBins }: Capabilities): string | undefined {
  if (!bins) return "bins";
  return isWholeBin(bin) || decimalBins ? undefined : "bins of this width and origin";
}

function unsupportedDerived(
  derived: Query["derived"],
  scope: RowsScope,
  { expressions }: Capabilities,
): string | undefined {
  const find = findColumnIn(scope);
  for (const { id, expression } of derived ?? []) {
    if (!expressions) return "derived columns";
    const narrowed = find(id)?.narrowed;
    if (narrowed) return narrowedWords("derived columns of this column", narrowed);
    const missing = namesIn(expression).functions.find(
      (name) => !expressions.functions.includes(name),
    );
    if (missing) return `the function ${missing}`;
  }
  return undefined;
}

/** Describes the columns of a query that a plugin does not support; undefined if it supports all of them. */
export function unsupportedColumns(
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const { query } = secured;
  if (!capabilities.projection) return "projection";
  const missing = unsupportedDerived(query.derived, secured, capabilities);
  if (missing !== undefined) return missing;
  for (const { bin } of query.columns) {
    const unsupported = bin && unsupportedBin(bin, capabilities);
    if (unsupported !== undefined) return unsupported;
  }
  const beyondKeys = query.columns.filter(
    (column) => column.level && (column.aggregation || !query.options.pushdown),
  );
  if (beyondKeys.length === 0) return undefined;
  if (!capabilities.levelsAnywhere) return "levels in plain rows and under an aggregation";
  return unsupportedLevel(
    beyondKeys.map((column) => column.level),
    query.options.timezone_id,
    capabilities,
  );
}

/** Returns how a plugin carries out a filter, including nested groups of filters. */
export function pushdownOf(
  filter: Filter,
  scope: RowsScope,
  capabilities: Capabilities,
): FilterPushdown {
  const { timezone_id: timezoneId } = scope.query.options;
  return filterPushdown(filter, capabilities, findColumnIn(scope), timezoneId);
}

/**
 * Describes the part of a filter that a plugin does not promise as exact; undefined if it promises the whole filter.
 */
export function unsupportedFilter(
  filter: Filter,
  scope: RowsScope,
  capabilities: Capabilities,
): string | undefined {
  return pushdownOf(filter, scope, capabilities).missing;
}

/**
 * Describes the groups and aggregations of a query that a plugin supports neither directly nor through parts from which
 * the host can compute them.
 */
export function unsupportedGrouping(
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const { query } = secured;
  if (!capabilities.grouping) return "grouping";
  const find = findColumnIn(secured);
  for (const column of query.columns) {
    const { column_id, aggregation } = column;
    if (aggregation) {
      const missing = unsupportedAggregation(column, secured, capabilities);
      const isComputable = otherParts(aggregation)?.every(
        (part) =>
          unsupportedAggregation({ column_id, aggregation: part }, secured, capabilities) ===
          undefined,
      );
      if (missing !== undefined && !isComputable) return missing;
      continue;
    }
    const { type, narrowed } = find(column_id) ?? {};
    if (narrowed?.grouping === false)
      return narrowedWords(`groups by this ${type} column`, narrowed);
  }
  return unsupportedLevel(
    query.columns.map((column) => column.level),
    query.options.timezone_id,
    capabilities,
  );
}

/** Describes why a plugin does not support an aggregation of a column; undefined if it does. */
export function unsupportedAggregation(
  column: QueryColumn,
  scope: RowsScope,
  capabilities: Capabilities,
): string | undefined {
  const { column_id, aggregation } = column;
  if (!aggregation) return undefined;
  if (!capabilities.grouping?.aggregations.includes(aggregation))
    return `the aggregation ${aggregation}`;
  const find = findColumnIn(scope);
  const { needs } = aggregationDefinitions[aggregation];
  for (const id of new Set([column_id, secondColumnId(column) ?? column_id])) {
    const { type, narrowed } = find(id) ?? {};
    const isInexact =
      narrowed?.aggregations?.includes(aggregation) ||
      (narrowed?.order === false && needs === "order") ||
      (narrowed?.grouping === false && needs === "equality");
    if (isInexact)
      return narrowedWords(`the aggregation ${aggregation} of this ${type} column`, narrowed);
    // The smallest string depends on the order of strings, and only `order` promises the order by code point.
    if (needs === "order" && type === "hierarchy" && !capabilities.order)
      return `${aggregation} of strings by code point`;
  }
  return undefined;
}

/** Describes the part of a query's order that a plugin does not support. */
export function unsupportedOrder(
  secured: SecuredQuery,
  { order: isOffered }: Capabilities,
): string | undefined {
  const { order = [], columns } = secured.query;
  if (order.length === 0) return undefined;
  if (!isOffered) return "order";
  const find = findColumnIn(secured);
  for (const { column } of order) {
    const { type, narrowed } = find(columns[column]?.column_id ?? "*") ?? {};
    if (narrowed?.order === false && !isCount(columns[column]))
      return narrowedWords(`the order of this ${type} column`, narrowed);
  }
  return undefined;
}

/** Describes the part of a query's limit per group that a plugin does not support. */
export function unsupportedGroupLimit(
  secured: SecuredQuery,
  { groupLimit: isOffered, grouping }: Capabilities,
): string | undefined {
  const { groupLimit, columns } = secured.query;
  if (!groupLimit) return undefined;
  if (!isOffered || !grouping) return "limits per group";
  const find = findColumnIn(secured);
  for (const column of groupLimit.columns) {
    const { type, narrowed } = find(columns[column]?.column_id ?? "*") ?? {};
    if (narrowed?.grouping === false)
      return narrowedWords(`limits per value of this ${type} column`, narrowed);
  }
  return undefined;
}

/** Describes the tests of groups that a plugin does not support. */
export function unsupportedHaving(
  secured: SecuredQuery,
  { having: isOffered }: Capabilities,
): string | undefined {
  const { having = [], columns } = secured.query;
  if (having.length === 0) return undefined;
  if (!isOffered) return "having";
  const find = findColumnIn(secured);
  for (const { column, expression } of having.flatMap((tree) => leaves(tree))) {
    const { type, narrowed } = find(columns[column]?.column_id ?? "*") ?? {};
    if (narrowed?.filters?.[expression] && !isCount(columns[column]))
      return narrowedWords(`${expression} on groups of this ${type} column`, narrowed);
  }
  return undefined;
}

/** Returns whether a column is a count. A count is a number, so the collation of the counted column does not matter. */
function isCount(column: QueryColumn | undefined): boolean {
  return (
    column?.aggregation !== undefined && aggregationDefinitions[column.aggregation].empty === 0
  );
}

/** Returns the other aggregations from which an aggregation can be computed exactly; undefined if there are none. */
function otherParts(aggregation: Aggregation): readonly Aggregation[] | undefined {
  const parts: readonly Aggregation[] | undefined = aggregationDefinitions[aggregation].mergedFrom;
  return parts?.includes(aggregation) ? undefined : parts;
}

/** Lists the indexes of averages that the plugin does not support but that can be computed from its sums and counts. */
export function dividedAverages(
  secured: SecuredQuery,
  capabilities: Capabilities,
): readonly number[] {
  return secured.query.columns.flatMap((column, index) =>
    column.aggregation === "average" && unsupportedAggregation(column, secured, capabilities)
      ? [index]
      : [],
  );
}

/**
 * Describes the cumulative sum of a query if the plugin does not support it. A cumulative sum needs groups in their
 * final order.
 */
export function unsupportedCumulativeSum(
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  return secured.query.columns
    .filter(({ aggregation }) => aggregation === "cumulativesum")
    .map(
      (column) =>
        unsupportedAggregation(column, secured, capabilities) ??
        (column.per && !capabilities.cumulativePer ? "cumulative sums per series" : undefined),
    )
    .find((missing) => missing !== undefined);
}

/** Returns the type of a column of the query; undefined for `*`, which counts rows. */
export function typeOf(columnId: string, scope: RowsScope): DataType | undefined {
  return findColumnIn(scope)(columnId)?.type;
}

function unsupportedLevel(
  levels: readonly (Level | undefined)[],
  timezoneId: string | undefined,
  capabilities: Capabilities,
): string | undefined {
  const offered = capabilities.grouping;
  const used = levels.filter((level) => level !== undefined);
  const missing = used.find((level) => !offered?.levels.includes(level));
  if (missing) return `the level ${missing}`;
  return used.length > 0 && timezoneId !== undefined && !offered?.timezones
    ? "levels in a time zone"
    : undefined;
}
