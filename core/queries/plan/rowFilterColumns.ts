import type { Filter } from "../../../plugins/protocol/index.ts";
import { filteredColumns } from "../resolve/namedColumns.ts";
import type { QueriedDataset } from "../queriedDataset.ts";

/** Lists the columns of the plugin that filters on the rows of a dataset test, among those that a query tests. */
export function rowFilterColumns(
  { rowFilters, everyColumn }: Pick<QueriedDataset, "rowFilters" | "everyColumn">,
  filters: readonly Filter[],
): ReadonlySet<string> {
  const tested = new Set(filters.flatMap(filteredColumns));
  const ids = rowFilters.map(({ column_id }) => everyColumn.get(column_id)?.pluginId ?? "");
  return new Set(ids.filter((id) => tested.has(id)));
}

/**
 * Puts columns of filters on rows before all others: rows that a plugin found for another caller fail the tests,
 * whatever was asked.
 */
export function rowFilterColumnsFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  bound: ReadonlySet<string>,
): readonly Column[] {
  const isBound = ({ id }: Column) => bound.has(id);
  return [...columns.filter(isBound), ...columns.filter((column) => !isBound(column))];
}
