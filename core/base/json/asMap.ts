/**
 * Returns an empty object for an empty list, because PHP writes an empty map as `[]`. Returns every other value
 * unchanged, so that a list with entries still fails as a list.
 */
export function asMap(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}
