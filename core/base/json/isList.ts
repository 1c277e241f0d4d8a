/** Returns whether a value is an array. The elements are not checked. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
