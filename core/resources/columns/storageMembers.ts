import { randomUUID } from "node:crypto";

/**
 * Returns the members of a dataset record that change with every push and with each stored column that is added or
 * removed. `shared_storage_metadata` lists the numeric and the hierarchy columns, but no datetime columns and no
 * derived columns.
 */
export function storageMembers(
  columns: readonly {
    readonly id: string;
    readonly type?: unknown;
    readonly expression?: unknown;
  }[],
): Readonly<Record<string, unknown>> {
  const idsOf = (type: string) =>
    columns.filter((column) => column.type === type && !column.expression).map(({ id }) => id);
  return {
    shared_storage_version: randomUUID(),
    shared_storage_metadata: { numeric: idsOf("numeric"), hierarchy: idsOf("hierarchy") },
    modified_at: new Date(),
  };
}
