/**
 * Reads an empty list as an empty object, where an object is wanted: PHP writes an empty map as `[]`. Every other value
 * comes back as it was given, so that a list with entries is refused as any other list.
 */
export function asMap(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}
