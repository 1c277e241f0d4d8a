import {
  namesIn,
  type Capabilities,
  type Filter,
  type Query,
} from "../../plugins/protocol/index.ts";
import type { PlainTable } from "./plainAnswer.ts";

/** Names the first thing that `query` asks and `promised` does not hold, undefined when there is none. */
export function beyondCapabilities(
  query: Query,
  table: PlainTable,
  promised: Capabilities,
): string | undefined {
  const { columns, filters, having, order, limit, options } = query;
  if (
    !promised.projection &&
    columns.some(
      (column, index) =>
        column.column_id !== table.columns[index]?.id ||
        column.level ||
        column.bin ||
        column.aggregation,
    )
  )
    return "a projection";
  for (const { expression } of query.derived ?? []) {
    if (!promised.expressions) return "derived columns";
    const { functions } = promised.expressions;
    const beyond = namesIn(expression).functions.find((name) => !functions.includes(name));
    if (beyond) return `the function ${beyond}`;
  }
  if (query.joins?.length && !promised.joins) return "joins";
  if (filters.length > 0 && !promised.filters) return "filters";
  const beyondFilter = (filter: Filter): string | undefined => {
    if ("and" in filter || "or" in filter)
      return promised.filters?.nested
        ? ("and" in filter ? filter.and : filter.or).map(beyondFilter).find(Boolean)
        : "nested filters";
    const type =
      [...table.columns, ...(query.derived ?? [])].find(({ id }) => id === filter.column_id)
        ?.type ?? "hierarchy";
    if (!promised.filters?.operators[filter.expression]?.includes(type))
      return `${filter.expression} on ${type}`;
    if (filter.level && !promised.filters.levels) return "a filter on a level";
    const isLong = (filter.value?.length ?? 0) > (promised.filters.listLength ?? Infinity);
    return isLong && filter.expression.endsWith("in") ? "a long list" : undefined;
  };
  const inFilters = filters.map(beyondFilter).find(Boolean);
  if (inFilters) return inFilters;
  if (options.pushdown && !promised.grouping) return "groups";
  for (const { aggregation, level, bin } of columns) {
    if (bin && !promised.bins) return "bins";
    if (aggregation && !promised.grouping?.aggregations.includes(aggregation)) return aggregation;
    if (level && !promised.grouping?.levels.includes(level)) return level;
    if (level && (aggregation || !options.pushdown) && !promised.levelsAnywhere)
      return `${level} outside of groups`;
    if (level && options.timezone_id && !promised.grouping?.timezones) return options.timezone_id;
  }
  if (having && !promised.having) return "having";
  if (order && !promised.order) return "order";
  return limit && !promised.limit ? "a limit" : undefined;
}
