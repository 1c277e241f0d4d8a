const singular = (name: string) => name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");

/** Finds an association by its name, in any case, singular or plural. */
export function findAssociation<Association>(
  associations: readonly (readonly [string, Association])[],
  name: string,
): readonly [string, Association] | undefined {
  return associations.find(([known]) => singular(known) === singular(name));
}
