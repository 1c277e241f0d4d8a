/**
 * Binds a list as one value of a statement, as in `id = any(?::uuid[])`. Knex only has types for lists of one kind
 * without nulls, but PostgreSQL reads every element by the cast in the statement.
 */
export function arrayBinding(values: Iterable<string | number | boolean | Date | null>): string[] {
  return [...values] as string[];
}
