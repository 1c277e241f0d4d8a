import type { Capabilities, Filter, Level } from "../../plugins/protocol/index.ts";
import type { SecuredQuery } from "./secure.ts";

/** Names what a plugin does not promise of the columns of a query as such, undefined when nothing. */
export function columnsGap(
  { query }: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  if (!capabilities.projection) return "projection";
  if (query.columns.some((column) => column.bin) && !capabilities.bins) return "bins";
  const beyondKeys = query.columns.filter(
    (column) => column.level && (column.aggregation || !query.options.pushdown),
  );
  if (beyondKeys.length === 0) return undefined;
  if (!capabilities.levelsAnywhere) return "levels of plain rows and under an aggregation";
  return levelGap(
    beyondKeys.map((column) => column.level),
    query.options.timezone_id,
    capabilities,
  );
}

/**
 * Names what a plugin does not promise of one filter, groups in it included. `min` and `max` apart, a
 * filter is the only place where the type of a column matters.
 */
export function filterGap(
  filter: Filter,
  secured: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const offered = capabilities.filters;
  if (!offered) return "filters";
  if ("and" in filter || "or" in filter) {
    if (!offered.nested) return "nested filters";
    const members = "and" in filter ? filter.and : filter.or;
    for (const member of members) {
      const gap = filterGap(member, secured, capabilities);
      if (gap !== undefined) return gap;
    }
    return undefined;
  }
  const type = secured.dataset.source.columns.find(
    (column) => column.id === filter.column_id,
  )?.type;
  if (!type || !offered.operators[filter.expression]?.includes(type))
    return `${filter.expression} on ${type} columns`;
  if (filter.level && !offered.levels) return "filters on levels";
  const isList = filter.expression === "in" || filter.expression === "not in";
  if (isList && filter.value && filter.value.length > (offered.listLength ?? Infinity))
    return `lists of ${filter.value.length} values`;
  return filter.level && levelGap([filter.level], secured.query.options.timezone_id, capabilities);
}

/** Names what a plugin does not promise of the groups and aggregations of a query; cumulative sums can be made of sums. */
export function groupingGap(
  { query, dataset }: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const offered = capabilities.grouping;
  if (!offered) return "grouping";
  for (const { column_id, aggregation } of query.columns) {
    if (!aggregation) continue;
    const canBeSummed = aggregation === "cumulativesum" && offered.aggregations.includes("sum");
    if (!offered.aggregations.includes(aggregation) && !canBeSummed)
      return `the aggregation ${aggregation}`;
    const type = dataset.source.columns.find((column) => column.id === column_id)?.type;
    const compares = aggregation === "min" || aggregation === "max";
    // The least text depends on the order of texts, which `order` alone promises to be by code point.
    if (compares && type === "hierarchy" && !capabilities.order)
      return `${aggregation} of texts by code point`;
  }
  return levelGap(
    query.columns.map((column) => column.level),
    query.options.timezone_id,
    capabilities,
  );
}

/** Names the aggregation that groups without their final order cannot be asked, undefined when there is none. */
export function runningGap(
  { query }: SecuredQuery,
  capabilities: Capabilities,
): string | undefined {
  const isRunning = query.columns.some((column) => column.aggregation === "cumulativesum");
  return isRunning && !capabilities.grouping?.aggregations.includes("cumulativesum")
    ? "the aggregation cumulativesum"
    : undefined;
}

function levelGap(
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
