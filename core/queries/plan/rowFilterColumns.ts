import type { Filter } from "../../../plugins/protocol/index.ts";
import { filteredColumns } from "../resolve/namedColumns.ts";
import type { QueriedDataset } from "../queriedDataset.ts";

/**
 * Lists the columns that both the row filters of a dataset and the given filters test, by plugin
 * id.
 */
export function rowFilterColumns(
  { rowFilters, everyColumn }: Pick<QueriedDataset, "rowFilters" | "everyColumn">,
  filters: readonly Filter[],
): ReadonlySet<string> {
  const tested = new Set(filters.flatMap(filteredColumns));
  const ids = rowFilters.map(({ column_id }) => everyColumn.get(column_id)?.pluginId ?? "");
  return new Set(ids.filter((id) => tested.has(id)));
}

/**
 * Puts columns of row filters first: rows that a plugin found for another caller then fail the
 * tests.
 */
export function rowFilterColumnsFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  bound: ReadonlySet<string>,
): readonly Column[] {
  const isBound = ({ id }: Column) => bound.has(id);
  return [...columns.filter(isBound), ...columns.filter((column) => !isBound(column))];
}
