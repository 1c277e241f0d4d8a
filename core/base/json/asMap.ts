/**
 * Returns an empty object for an empty list, because PHP encodes an empty map as `[]`. Returns every other value
 * unchanged, so that validation still rejects a list that has elements.
 */
export function asMap(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}
