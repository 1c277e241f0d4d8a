const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether a value is the text of a UUID. PostgreSQL fails on any other text. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && form.test(value);
}
