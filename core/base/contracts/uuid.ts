const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Returns whether a value is a UUID string. Call this function before a query by id, because PostgreSQL fails for any
 * other string.
 */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && form.test(value);
}
