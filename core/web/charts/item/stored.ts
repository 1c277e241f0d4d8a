/** A stored object with unchecked members. `Name` declares the members that its reader uses. */
export type Stored<Name extends string = never> = [Name] extends [never]
  ? Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>> & { readonly [Member in Name]?: unknown };
