const singular = (name: string) => name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");

/**
 * Finds an association by its name. Ignores case, and accepts singular and plural forms. The names dashboard and
 * dataset stand for securable if no association has these names.
 */
export function findAssociation<Association>(
  associations: readonly (readonly [string, Association])[],
  name: string,
): readonly [string, Association] | undefined {
  const named = (wanted: string) => associations.find(([known]) => singular(known) === wanted);
  const singularName = singular(name);
  const isKind = singularName === "dashboard" || singularName === "dataset";
  return named(singularName) ?? (isKind ? named("securable") : undefined);
}
