/** Maximum length of a name that is compared, because the cost grows with the product of both lengths. */
const longestName = 40;

/**
 * Returns the known name that was probably meant: the closest name, if at most a third of its letters differ; otherwise
 * undefined. O(names).
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > longestName) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const each of known) {
    const distance = editDistance(name.toLowerCase(), each.toLowerCase());
    if (distance >= least || distance > Math.max(1, Math.floor(each.length / 3))) continue;
    [nearest, least] = [each, distance];
  }
  return nearest;
}

/** Returns how many letters must be added, removed or changed to turn one name into the other (Levenshtein 1966). */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let from = 1; from <= one.length; from++) {
    const before = row;
    row = [from];
    for (let to = 1; to <= other.length; to++) {
      const change = one[from - 1] === other[to - 1] ? 0 : 1;
      row[to] = Math.min(
        (before[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + 1,
        (before[to - 1] ?? 0) + change,
      );
    }
  }
  return row[other.length] ?? 0;
}
