/** Maximum length of a name that becomes a label. */
const mostCharacters = 64;

/**
 * Returns a function that maps names to labels. Each of the first `most` distinct names maps to itself. Later names,
 * and names that are too long, map to `other`.
 */
export function createBoundedNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return name;
    if (known.size >= most || name.length > mostCharacters) return "other";
    known.add(name);
    return name;
  };
}
