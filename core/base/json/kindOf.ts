/**
 * Returns the kind of a JSON value for messages, such as "a list" or "null"; for undefined, "nothing". The result never
 * contains the value.
 */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "a string";
  return `a ${typeof value}`;
}
