/**
 * Puts the columns of row filters first, so that they have the same positions for all callers limited by the same
 * columns. If a plugin repeats another caller's answer, its rows then fail the row filters.
 */
export function rowFilterColumnsFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  bound: ReadonlySet<string>,
): readonly Column[] {
  const isBound = ({ id }: Column) => bound.has(id);
  return [...columns.filter(isBound), ...columns.filter((column) => !isBound(column))];
}
