/** Returns whether a value of an answer is a list, whose elements may be anything. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
