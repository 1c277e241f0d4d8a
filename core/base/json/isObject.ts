/**
 * A JSON object whose members are unchecked. `Name` lists the members that the caller reads, so that the compiler
 * detects misspelled names.
 */
export type Members<Name extends string = never> = [Name] extends [never]
  ? Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>> & { readonly [Member in Name]?: unknown };

/**
 * Returns whether a value is a JSON object, and not an array or null. `Name` lists the members that the caller reads.
 */
export function isObject<Name extends string = never>(value: unknown): value is Members<Name> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
