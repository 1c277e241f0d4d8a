/** Returns how many letters two names differ in: added, removed or changed (Levenshtein 1966). */
export function editDistance(one: string, other: string): number {
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
