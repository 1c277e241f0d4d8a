import {
  leaves,
  PluginError,
  secondColumnId,
  type ColumnFilter,
  type KnownDataset,
  type Query,
} from "../protocol/index.ts";
import type { SqlTable } from "./driver.ts";

const wayOut = "update the dataset with update_metadata, and correct the query";

/**
 * Returns an error if the source no longer has a column of a query, or has it with another type than its caller knows.
 * Undefined if nothing has changed, or if the caller does not know the columns.
 */
export function changedColumn(
  query: Query,
  known: Pick<KnownDataset, "columns"> | undefined,
  { columns }: Pick<SqlTable, "columns">,
): PluginError | undefined {
  if (!known) return undefined;
  for (const id of new Set(columnIds(query))) {
    const before = known.columns.find((column) => column.id === id);
    if (!before) continue;
    const now = columns.find(({ name }) => name === id);
    if (!now)
      return new PluginError("PLUGIN_UNKNOWN_COLUMN", [
        query.id,
        `${id}, which was renamed or dropped at the source, or may no longer be read; ${wayOut}`,
      ]);
    if (now.type !== before.type)
      return new PluginError("PLUGIN_UNKNOWN_COLUMN", [
        query.id,
        `${id} of type ${before.type}, because it is now ${now.type} (at the source ${now.nativeType}); ${wayOut}`,
      ]);
  }
  return undefined;
}

function columnIds({ columns, filters }: Query): readonly string[] {
  const selected = columns.flatMap((column) => [column.column_id, secondColumnId(column) ?? []]);
  const tested = filters.flatMap((filter) =>
    leaves<ColumnFilter>(filter).map(({ column_id }) => column_id),
  );
  return [...selected.flat(), ...tested];
}
