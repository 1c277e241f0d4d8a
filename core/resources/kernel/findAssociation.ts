const singular = (name: string) => name.toLowerCase().replace(/ies$/, "y").replace(/s$/, "");

/**
 * Finds an association by its name, in any case, singular or plural. The names dashboard and dataset mean securable if
 * no association has these names.
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
