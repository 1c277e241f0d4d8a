/**
 * Binds a list as one value of a statement, as in `id = any(?::uuid[])`. Knex only has types for lists that contain one
 * kind of value and no nulls. At run time, PostgreSQL converts every element with the cast in the statement.
 */
export function arrayBinding(values: Iterable<unknown>): string[] {
  return [...values] as string[];
}
