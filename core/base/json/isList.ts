/** Returns whether a value is a list, whose elements may be anything. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
