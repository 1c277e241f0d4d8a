import { randomUUID } from "node:crypto";

/**
 * Returns the members of a dataset record that change with every push. `shared_storage_metadata` lists the numeric and
 * the hierarchy columns, but no datetime columns.
 */
export function storageMembers(
  columns: readonly { readonly id: string; readonly type?: unknown }[],
): Readonly<Record<string, unknown>> {
  const idsOf = (type: string) =>
    columns.filter((column) => column.type === type).map((column) => column.id);
  return {
    shared_storage_version: randomUUID(),
    shared_storage_metadata: { numeric: idsOf("numeric"), hierarchy: idsOf("hierarchy") },
    modified_at: new Date(),
  };
}
