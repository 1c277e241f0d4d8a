/**
 * Returns an empty object for an empty list: PHP writes an empty map as `[]`. Every other value
 * is returned as it is, so that a list with entries is refused like any list.
 */
export function asMap(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}
