/** Returns whether a value is an array. Its elements are not checked. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
