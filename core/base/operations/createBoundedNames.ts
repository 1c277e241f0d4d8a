/** The longest name that is a label. */
const mostCharacters = 64;

/** Names a thing by a label: the first `most` names are themselves, all later and longer ones `other`. */
export function createBoundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most || name.length > mostCharacters) return "other";
    known.add(name);
    return name;
  };
}
