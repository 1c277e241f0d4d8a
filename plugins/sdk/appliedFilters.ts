import {
  type Capabilities,
  columnFinder,
  type Dataset,
  filterPushdown,
  type Query,
} from "../protocol/index.ts";

/**
 * Returns the indexes of the filters that the plugin promises to apply exactly, given its capabilities and columns.
 * Empty if the dataset is not among `datasets`.
 */
export function appliedFilters(
  query: Query,
  capabilities: Capabilities,
  datasets: readonly Dataset[],
): readonly number[] {
  const columnsOf = (id: string) => datasets.find((dataset) => dataset.id === id)?.columns;
  const columns = columnsOf(query.id);
  if (!columns) return [];
  const joins = query.joins ?? [];
  const find = columnFinder(
    query,
    columns,
    joins.map(({ id }) => columnsOf(id)),
  );
  const { timezone_id: timezoneId } = query.options;
  return query.filters.flatMap((filter, index) =>
    filterPushdown(filter, capabilities, find, timezoneId).pushdown === "exact" ? [index] : [],
  );
}
