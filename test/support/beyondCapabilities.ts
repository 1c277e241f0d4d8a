import {
  namesIn,
  type Capabilities,
  type Filter,
  type Query,
} from "../../plugins/protocol/index.ts";
import type { PlainTable } from "./plainAnswer.ts";

/**
 * Returns the name of the first part of `query` that is not among the promised capabilities; undefined if all parts
 * are.
 */
export function beyondCapabilities(
  query: Query,
  table: PlainTable,
  promised: Capabilities,
  tableOf: (id: string) => PlainTable,
): string | undefined {
  const { columns, filters, having, order, groupLimit, limit, options } = query;
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
  const joins = query.joins ?? [];
  const isFiltered = joins.some(({ filters: own }) => own !== undefined);
  if (joins.some(({ and }) => and) && !promised.compositeJoins) return "joins by several columns";
  if (isFiltered && !promised.joinFilters) return "filters of a join";
  for (const { expression } of [query, ...joins].flatMap(({ derived }) => derived ?? [])) {
    if (!promised.expressions) return "derived columns";
    const { functions } = promised.expressions;
    const beyond = namesIn(expression).functions.find((name) => !functions.includes(name));
    if (beyond) return `the function ${beyond}`;
  }
  if (joins.length > 0 && !promised.joins) return "joins";
  if ((filters.length > 0 || isFiltered) && !promised.filters) return "filters";
  type Typed = PlainTable["columns"];
  const beyondFilter = (filter: Filter, known: Typed, isLoose: boolean): string | undefined => {
    if ("and" in filter || "or" in filter)
      return promised.filters?.nested
        ? ("and" in filter ? filter.and : filter.or)
            .map((each) => beyondFilter(each, known, isLoose))
            .find(Boolean)
        : "nested filters";
    const type = known.find(({ id }) => id === filter.column_id)?.type ?? "hierarchy";
    const { operators = {}, superset = {} } = promised.filters ?? {};
    const offered = [operators, ...(isLoose ? [superset] : [])];
    if (!offered.some((each) => each[filter.expression]?.includes(type)))
      return `${filter.expression} on ${type}`;
    if (filter.level && !promised.filters?.levels) return "a filter on a level";
    const isLong = (filter.value?.length ?? 0) > (promised.filters?.listLength ?? Infinity);
    return isLong && filter.expression.endsWith("in") ? "a long list" : undefined;
  };
  const beyondFilters = (all: readonly Filter[], known: Typed, isLoose: boolean) =>
    all.map((each) => beyondFilter(each, known, isLoose)).find(Boolean);
  const inFilters =
    beyondFilters(filters, [...table.columns, ...(query.derived ?? [])], true) ??
    joins
      .map(({ id, filters: own = [], derived = [] }) =>
        beyondFilters(own, [...tableOf(id).columns, ...derived], false),
      )
      .find(Boolean);
  if (inFilters) return inFilters;
  if (options.pushdown && !promised.grouping) return "groups";
  for (const { aggregation, level, bin, per } of columns) {
    if (bin && !promised.bins) return "bins";
    const isWhole = !bin || (Number.isInteger(bin.width) && bin.origin === 0);
    if (!isWhole && !promised.decimalBins) return "decimal bins";
    if (aggregation && !promised.grouping?.aggregations.includes(aggregation)) return aggregation;
    if (per && !promised.cumulativePer) return "a cumulative sum per series";
    if (level && !promised.grouping?.levels.includes(level)) return level;
    if (level && (aggregation || !options.pushdown) && !promised.levelsAnywhere)
      return `${level} outside of groups`;
    if (level && options.timezone_id && !promised.grouping?.timezones) return options.timezone_id;
  }
  if (having && !promised.having) return "having";
  if (order && !promised.order) return "order";
  if (groupLimit && !promised.groupLimit) return "a limit per group";
  return limit && !promised.limit ? "a limit" : undefined;
}
