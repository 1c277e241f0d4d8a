/**
 * Binds a list as one value of a statement, as in `id = any(?::uuid[])`. Knex only has types for lists that contain one
 * kind of value and no nulls, but PostgreSQL converts every element by the cast in the statement.
 */
export function arrayBinding(values: Iterable<string | number | boolean | Date | null>): string[] {
  return [...values] as string[];
}
