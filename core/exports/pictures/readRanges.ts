/** A range of characters, as its first and last code point. */
export type CodePointRange = readonly [from: number, to: number];

/**
 * Parses the index of a font package. Returns the character ranges of each subset, by the name that the subset has in
 * file names.
 * @throws {SyntaxError} if the text is not JSON
 */
export function readRanges(index: string): ReadonlyMap<string, readonly CodePointRange[]> {
  const subsets: unknown = JSON.parse(index);
  const found = new Map<string, readonly CodePointRange[]>();
  if (typeof subsets !== "object" || subsets === null) return found;
  for (const [subset, ranges] of Object.entries(subsets)) {
    if (typeof ranges !== "string") continue;
    const read = [...ranges.matchAll(/U\+([\da-f]+)(?:-([\da-f]+))?/gi)].map(
      ([, from = "0", to = from]): CodePointRange => [
        Number.parseInt(from, 16),
        Number.parseInt(to, 16),
      ],
    );
    // The index writes numbered subsets in brackets.
    found.set(subset.replaceAll(/[[\]]/g, ""), read);
  }
  return found;
}
