/**
 * Puts the columns of row filters first. Therefore, these columns have the same positions for all callers whose row
 * filters test the same columns. If a plugin returns the answer of another caller, the rows of that answer fail the row
 * filters.
 */
export function rowFilterColumnsFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  bound: ReadonlySet<string>,
): readonly Column[] {
  const isBound = ({ id }: Column) => bound.has(id);
  return [...columns.filter(isBound), ...columns.filter((column) => !isBound(column))];
}
