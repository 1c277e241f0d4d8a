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
  type Query,
  type QueryColumn,
  leaves,
} from "../../../plugins/protocol/index.ts";
import { isWholeBin } from "../resolve/binStart.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import { findColumnIn, type RowsScope } from "./findColumnIn.ts";

/** Describes the joins of a query that a plugin does not offer. */
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
  for (const [index, { left, right }] of (secured.query.joins ?? []).entries()) {
    const ends = [
      find(left),
      secured.joined[index]?.source.columns.find((column) => column.id === right),
    ];
    const narrowed = ends.find((end) => end?.narrowed?.grouping === false)?.narrowed;
    if (narrowed) return narrowedWords("joins over this column", narrowed);
  }
  for (const scope of joinScopes(secured)) {
    if (!scope) continue;
    if (!capabilities.joinFilters) return "filters of the rows of a joined dataset";
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
 * Returns for each join the filtered rows of its dataset, as a query of that dataset; undefined
 * without filters.
 */
export function joinScopes({ query, joined }: SecuredQuery): readonly (RowsScope | undefined)[] {
  const { options, joins = [] } = query;
  return joins.map(({ id, filters, derived }, index) => {
    const dataset = joined[index];
    if (!dataset || !filters) return undefined;
    return { dataset, query: { id, columns: [], filters, ...(derived && { derived }), options } };
  });
}

/** Names what a plugin does not offer of bins. */
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

/** Describes the columns of a query that a plugin does not offer; undefined for none. */
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
  if (!capabilities.levelsAnywhere) return "levels of plain rows and under an aggregation";
  return unsupportedLevel(
    beyondKeys.map((column) => column.level),
    query.options.timezone_id,
    capabilities,
  );
}

/** Returns how a plugin carries out a filter, groups in it included. */
export function pushdownOf(
  filter: Filter,
  scope: RowsScope,
  capabilities: Capabilities,
): FilterPushdown {
  const { timezone_id: timezoneId } = scope.query.options;
  return filterPushdown(filter, capabilities, findColumnIn(scope), timezoneId);
}

/** Names what a plugin does not promise exactly of a filter; undefined for nothing. */
export function unsupportedFilter(
  filter: Filter,
  scope: RowsScope,
  capabilities: Capabilities,
): string | undefined {
  return pushdownOf(filter, scope, capabilities).missing;
}

/**
 * Names what a plugin does not offer of the groups and aggregations of a query, nor of the parts to
 * compute them from.
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

/** Names what a plugin does not offer of one aggregation of one column. */
export function unsupportedAggregation(
  { column_id, aggregation, weight }: QueryColumn,
  scope: RowsScope,
  capabilities: Capabilities,
): string | undefined {
  if (!aggregation) return undefined;
  if (!capabilities.grouping?.aggregations.includes(aggregation))
    return `the aggregation ${aggregation}`;
  const find = findColumnIn(scope);
  const { needs } = aggregationDefinitions[aggregation];
  for (const id of weight === undefined ? [column_id] : [column_id, weight]) {
    const { type, narrowed } = find(id) ?? {};
    const isInexact =
      narrowed?.aggregations?.includes(aggregation) ||
      (narrowed?.order === false && needs === "order") ||
      (narrowed?.grouping === false && needs === "equality");
    if (isInexact)
      return narrowedWords(`the aggregation ${aggregation} of this ${type} column`, narrowed);
    // The least text depends on the order of texts; only `order` promises code points.
    if (needs === "order" && type === "hierarchy" && !capabilities.order)
      return `${aggregation} of texts by code point`;
  }
  return undefined;
}

/** Names what a plugin does not offer of the order of a query. */
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

/** Names what a plugin does not offer of the tests of groups of a query. */
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

/** A count is a number, whatever the collation of its column. */
function isCount(column: QueryColumn | undefined): boolean {
  return (
    column?.aggregation !== undefined && aggregationDefinitions[column.aggregation].empty === 0
  );
}

/** Other aggregations from which this one can be computed without loss; undefined when there are none. */
function otherParts(aggregation: Aggregation): readonly Aggregation[] | undefined {
  const parts: readonly Aggregation[] | undefined = aggregationDefinitions[aggregation].mergedFrom;
  return parts?.includes(aggregation) ? undefined : parts;
}

/**
 * Lists the indexes of averages that the plugin does not offer, and that its sums and counts can
 * give.
 */
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
 * Names the cumulative sum, which needs groups in their final order, when the plugin does not offer
 * it.
 */
export function unsupportedCumulativeSum(
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  return secured.query.columns
    .filter(({ aggregation }) => aggregation === "cumulativesum")
    .map((column) => unsupportedAggregation(column, secured, capabilities))
    .find((missing) => missing !== undefined);
}

/** Returns the type of a column that a query names; undefined for the rows that `*` counts. */
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
