/**
 * A JSON object whose members are unchecked. `Name` declares the members that its reader uses, so that the compiler
 * finds a misspelt one.
 */
export type Members<Name extends string = never> = [Name] extends [never]
  ? Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>> & { readonly [Member in Name]?: unknown };

/** Returns whether a value is a JSON object: no list, and not null. `Name` declares the members that are used. */
export function isObject<Name extends string = never>(value: unknown): value is Members<Name> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
