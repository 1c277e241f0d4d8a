/** A stored object whose members are unchecked; `Name` declares the members that its reader uses. */
export type Stored<Name extends string = never> = [Name] extends [never]
  ? Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>> & { readonly [Member in Name]?: unknown };
