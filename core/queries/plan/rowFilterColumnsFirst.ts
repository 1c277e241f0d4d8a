/**
 * Puts the columns of row filters first. They then have the same positions for all callers whose row filters test the
 * same columns. If a plugin repeats another caller's answer, its rows fail the row filters.
 */
export function rowFilterColumnsFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  bound: ReadonlySet<string>,
): readonly Column[] {
  const isBound = ({ id }: Column) => bound.has(id);
  return [...columns.filter(isBound), ...columns.filter((column) => !isBound(column))];
}
