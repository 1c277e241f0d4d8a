/**
 * Puts columns of row filters first: the rows of every caller who is limited by the same columns
 * are read in their own places.
 */
export function rowFilterColumnsFirst<Column extends { readonly id: string }>(
  columns: readonly Column[],
  bound: ReadonlySet<string>,
): readonly Column[] {
  const isBound = ({ id }: Column) => bound.has(id);
  return [...columns.filter(isBound), ...columns.filter((column) => !isBound(column))];
}
