/** Returns whether a value is an array, whose elements are unchecked. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
