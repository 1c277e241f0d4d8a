import {
  namesIn,
  type Aggregation,
  type Bin,
  type Capabilities,
  type DataType,
  type Filter,
  type Level,
  type Query,
  isGroup,
  leaves,
} from "../../../plugins/protocol/index.ts";
import { isWholeBin } from "../resolve/binStart.ts";
import type { SecuredQuery } from "../secure/secure.ts";

/** Names what a plugin does not offer of the joins of a query. */
export function unsupportedJoins(
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  if (!capabilities.joins) return "joins";
  const { fingerprint } = secured.dataset.connection;
  const isOther = secured.joined.some(({ connection }) => connection.fingerprint !== fingerprint);
  if (isOther) return "joins with datasets of other connections";
  for (const scope of joinScopes(secured)) {
    if (!scope) continue;
    if (!capabilities.joinFilters) return "filters of the rows of a joined dataset";
    const { filters, derived } = scope.query;
    const unsupported =
      unsupportedDerived(derived, capabilities) ??
      filters
        .map((each) => unsupportedFilter(each, scope, capabilities))
        .find((each) => each !== undefined);
    if (unsupported !== undefined) return `${unsupported} in the filters of a joined dataset`;
  }
  return undefined;
}

/** The rows of a dataset, with filters and derived columns of its own. */
export type RowsScope = Pick<SecuredQuery, "query" | "dataset">;

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
  { expressions }: Capabilities,
): string | undefined {
  for (const { expression } of derived ?? []) {
    if (!expressions) return "derived columns";
    const missing = namesIn(expression).functions.find(
      (name) => !expressions.functions.includes(name),
    );
    if (missing) return `the function ${missing}`;
  }
  return undefined;
}

/** Names what a plugin does not offer of the columns of a query; undefined for nothing. */
export function unsupportedColumns(
  { query }: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  if (!capabilities.projection) return "projection";
  const missing = unsupportedDerived(query.derived, capabilities);
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

/**
 * Names what a plugin does not offer of a filter, groups in it included. Except for `min` and
 * `max`, filters are the only clause where a column's type matters.
 */
export function unsupportedFilter(
  filter: Filter,
  scope: RowsScope,
  capabilities: Capabilities,
): string | undefined {
  const offered = capabilities.filters;
  if (!offered) return "filters";
  if (isGroup(filter)) {
    if (!offered.nested) return "nested filters";
    return leaves(filter)
      .map((leaf) => unsupportedFilter(leaf, scope, capabilities))
      .find((each) => each !== undefined);
  }
  const type = typeOf(filter.column_id, scope);
  if (!type || !offered.operators[filter.expression]?.includes(type))
    return `${filter.expression} on ${type} columns`;
  if (filter.level && !offered.levels) return "filters on levels";
  const isList = filter.expression === "in" || filter.expression === "not in";
  if (isList && filter.value && filter.value.length > (offered.listLength ?? Infinity))
    return `lists of more than ${offered.listLength} values`;
  return (
    filter.level && unsupportedLevel([filter.level], scope.query.options.timezone_id, capabilities)
  );
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
  const offered = capabilities.grouping;
  if (!offered) return "grouping";
  for (const { column_id, aggregation } of query.columns) {
    if (!aggregation) continue;
    const parts = madeOf[aggregation] ?? [aggregation];
    const offers = (name: Aggregation) => offered.aggregations.includes(name);
    if (!offers(aggregation) && !parts.every(offers)) return `the aggregation ${aggregation}`;
    const type = typeOf(column_id, secured);
    const compares = aggregation === "min" || aggregation === "max";
    // The least text depends on the order of texts; only `order` promises code points.
    if (compares && type === "hierarchy" && !capabilities.order)
      return `${aggregation} of texts by code point`;
  }
  return unsupportedLevel(
    query.columns.map((column) => column.level),
    query.options.timezone_id,
    capabilities,
  );
}

/** Parts from which an aggregation can be computed without loss. */
const madeOf: Readonly<Partial<Record<Aggregation, readonly Aggregation[]>>> = {
  cumulativesum: ["sum"],
  average: ["sum", "count"],
};

/**
 * Lists the indexes of averages that the plugin does not offer, and that its sums and counts can
 * give.
 */
export function dividedAverages(query: Query, capabilities: Capabilities): readonly number[] {
  const offered = capabilities.grouping?.aggregations ?? [];
  if (offered.includes("average")) return [];
  return query.columns.flatMap(({ aggregation }, index) =>
    aggregation === "average" ? [index] : [],
  );
}

/**
 * Names the cumulative sum, which needs groups in their final order, when the plugin does not offer
 * it.
 */
export function unsupportedCumulativeSum(
  { query }: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const isRunning = query.columns.some((column) => column.aggregation === "cumulativesum");
  return isRunning && !capabilities.grouping?.aggregations.includes("cumulativesum")
    ? "the aggregation cumulativesum"
    : undefined;
}

/** Returns the type of a column that a query names; undefined for the rows that `*` counts. */
export function typeOf(columnId: string, { query, dataset }: RowsScope): DataType | undefined {
  const joined = (query.joins ?? []).flatMap(({ columns }) => columns);
  const column = [...(query.derived ?? []), ...joined, ...dataset.source.columns].find(
    ({ id }) => id === columnId,
  );
  return column?.type;
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
