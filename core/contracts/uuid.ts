const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Tells whether a value is the text of a UUID; of anything else PostgreSQL must not be asked. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && form.test(value);
}
